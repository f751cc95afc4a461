import { expect, inject, test } from 'vitest'
import { insertedKey, newKey } from '../conformance/subject.ts'
import { ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')

test.skipIf(server === undefined)(
  'a day that left more rows than one statement removes is forgotten whole, and no other day',
  async () => {
    const { store, ask } = await ownedDatabase(server ?? '')
    const { id } = await insertedKey(store, newKey())
    await ask(
      `INSERT INTO statistics (key_id, day, kind, count)
       SELECT $1, day, 'kind ' || number, 1
       FROM unnest(ARRAY['2026-10-31', '2026-11-01']) AS day, generate_series(1, 2500) AS number`,
      [id],
    )
    await store.console.statistics.expire('2026-11-01')
    expect(await ask('SELECT day, count(*)::int AS rows FROM statistics GROUP BY day')).toEqual([
      { day: '2026-11-01', rows: 2500 },
    ])
  },
)
