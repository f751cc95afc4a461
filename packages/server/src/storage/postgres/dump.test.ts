// What docs/scaling.md says of pg_dump. The user of DATABASE_URL owns the tables and still sees no row of a
// space, so that a dump has to be a superuser's: one of the user's own must fail, not be empty in silence. And
// where the rows come by logical replication, the sequences have to be brought behind them.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import {
  clientProgram,
  hasPostgres,
  newDatabase,
  newEmptyDatabase,
  type TestDatabase,
} from '../../testing/postgres.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../conformance/records.ts'
import { insertedKey, MODEL, newKey } from '../conformance/subject.ts'
import type { NewKey } from '../records.ts'
import { openStoreAt } from './testing/open-store-at.ts'

const server = inject('postgresUrl')
const MEMORY = memoryOf()
const run = promisify(execFile)
const SCALING = readFileSync(new URL('../../../../../docs/scaling.md', import.meta.url), 'utf8')
const SEQUENCES = `SELECT sequencename, last_value FROM pg_sequences
  WHERE schemaname = 'mnemograph' ORDER BY sequencename`
const runClient = (name: string, flags: readonly string[]) => run(clientProgram(name), [...flags])

describe.skipIf(server === undefined || !hasPostgres())('a dump', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mnemograph-dump-'))
  let source: TestDatabase
  let key: NewKey

  beforeAll(async () => {
    source = await newDatabase(server ?? '')
    const store = await openStoreAt(source.url, 4)
    key = newKey()
    const { spaceId } = await insertedKey(store, key)
    const generation = await store.generations.adopt(MODEL)
    const { memories } = store.forSpace(spaceId)
    await memories.insert(MEMORY, [pieceOf(MEMORY.content)], NO_RECEIPT, generation.number)
    await store.close()
  })
  afterAll(async () => {
    await source?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('by a superuser is a store again where it is restored', async () => {
    const file = join(folder, 'whole')
    await runClient('pg_dump', ['--format=custom', `--file=${file}`, source.administratorUrl])
    const restored = await newEmptyDatabase(server ?? '')
    onTestFinished(restored.drop)
    await runClient('pg_restore', [`--dbname=${restored.administratorUrl}`, file])

    const store = await openStoreAt(restored.url, 4)
    onTestFinished(() => store.close())
    const found = await store.keys.findByHash(key.hash)
    if (found === undefined) throw new Error('The key is not there.')
    expect(await store.forSpace(found.spaceId).memories.find(MEMORY.id)).toEqual(MEMORY)
  })

  test('of the schema alone gives out no number again that a row has, once what the documentation prints has run', async () => {
    const file = join(folder, 'schema')
    const flags = ['--format=custom', '--schema-only', `--file=${file}`]
    await runClient('pg_dump', [...flags, source.administratorUrl])
    const replica = await newEmptyDatabase(server ?? '')
    onTestFinished(replica.drop)
    await runClient('pg_restore', [`--dbname=${replica.administratorUrl}`, file])

    const [, statement = ''] = /```sql\s+(SELECT format\([^`]*)```/.exec(SCALING) ?? []
    for (const { format } of await ask(source, statement)) await ask(replica, String(format))
    const used = await ask(source, SEQUENCES)
    expect(used).not.toContainEqual(expect.objectContaining({ last_value: null }))
    expect(await ask(replica, SEQUENCES)).toEqual(used)
  })

  test('by the user of DATABASE_URL fails, and says why', async () => {
    const dumped = runClient('pg_dump', [
      '--format=custom',
      `--file=${join(folder, 'own')}`,
      source.url,
    ])
    await expect(dumped).rejects.toThrow(/row-level security/)
  })
})

async function ask({ administratorUrl }: TestDatabase, sql: string) {
  const client = new pg.Client({ connectionString: administratorUrl })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
