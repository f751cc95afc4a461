// The role that database.sh makes on the first start is all that the service gets. Whether it is enough,
// and not too much for others, is seen on a server of its own, on which nothing was made before.
import { expect, test } from 'vitest'
import { openPostgresStore } from '../packages/server/src/storage/postgres/open-store.ts'
import {
  administer,
  hasPostgres,
  startCluster,
  urlOfDatabase,
} from '../packages/server/src/testing/postgres.ts'
import { textOf } from './reading/text.ts'

const PASSWORD = 'of the role'

/** What psql is told, once as the superuser in its own database and once in the new one. */
function statements(): { before: string[]; inside: string[] } {
  const sql = /<<'SQL'\n(.*)\nSQL\n/s.exec(textOf('deploy/database.sh'))?.[1] ?? ''
  const [before = '', inside = ''] = sql
    .replaceAll(":'password'", `'${PASSWORD}'`)
    .split('\\connect mnemograph\n')
  const each = (text: string) => text.split(';').filter((one) => one.trim() !== '')
  return { before: each(before), inside: each(inside) }
}

test.skipIf(!hasPostgres())(
  'a service starts, twice, with the role that database.sh makes, and nobody else gets in',
  async () => {
    const cluster = await startCluster()
    try {
      const { before, inside } = statements()
      for (const statement of before) await administer(cluster.url, statement)
      const url = new URL(urlOfDatabase(cluster.url, 'mnemograph'))
      for (const statement of inside) await administer(url.href, statement)
      url.username = 'mnemograph'
      url.password = PASSWORD
      for (const _ of ['first', 'second']) {
        const store = await openPostgresStore({
          ...{ url: url.href, durability: 'required', connectionsMax: 2 },
          onBackgroundError: (error) => {
            throw error
          },
        })
        await expect(store.check()).resolves.toBeUndefined()
        await store.close()
      }
      // As another installation on the server has them, whose database lies beside this one.
      await administer(
        cluster.url,
        `CREATE ROLE other LOGIN PASSWORD '${PASSWORD}';
         GRANT mnemograph_service, mnemograph_maintenance TO other`,
      )
      url.username = 'other'
      const read = administer(url.href, 'SET ROLE mnemograph_maintenance')
      await expect(read).rejects.toThrow('permission denied for database "mnemograph"')
    } finally {
      await cluster.remove()
    }
  },
)
