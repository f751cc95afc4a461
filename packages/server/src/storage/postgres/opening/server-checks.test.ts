// What an administrator has set up in another way than the service needs is told at the start, with the
// statement that helps, and never first by a request that fails. And settings of the database that would
// change what a transaction means are not taken over.
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { administer, newEmptyDatabase, type TestDatabase } from '../../../testing/postgres.ts'
import { memoryOf, NO_RECEIPT, pieceOf, queryOf } from '../../conformance/records.ts'
import { insertedKey, MODEL, newKey } from '../../conformance/subject.ts'
import { openPostgresArchiveSource } from '../archive/open-archive.ts'
import { Database } from '../connection/database.ts'
import { withOwner } from '../connection/owner.ts'
import { prepared } from '../connection/transaction.ts'
import { prepareDatabase } from '../open-store.ts'
import { openStoreAt } from '../testing/open-store-at.ts'
import { arePiecesIndexed } from '../upkeep/pieces-by-memory.ts'
import { checkSessions } from './server-checks.ts'

const server = inject('postgresUrl')
const TOGETHER = 20

describe.skipIf(server === undefined)('a database that somebody else has set up', () => {
  let database: TestDatabase

  beforeEach(async () => {
    database = await newEmptyDatabase(server ?? '')
  })
  afterEach(() => database.drop())

  const set = (sql: string): Promise<void> => administer(database.administratorUrl, sql)
  const prepare = (): Promise<void> =>
    prepareDatabase({ url: database.url, durability: 'required' })

  test('an old pgvector is named before anything of the schema needs a new one', async () => {
    await set("UPDATE pg_extension SET extversion = '0.6.0' WHERE extname = 'vector'")
    await expect(prepare()).rejects.toThrow(
      'pgvector 0.8.4 or newer is needed; the database has 0.6.0.',
    )
  })

  test.each(['0.9.0', '1.0'])(
    'a pgvector newer than the oldest that will do is taken: %s',
    async (version) => {
      await set(`UPDATE pg_extension SET extversion = '${version}' WHERE extname = 'vector'`)
      await prepare()
    },
  )

  test('a pgvector in a schema of its own is told to be moved, and then it is found', async () => {
    await set('CREATE SCHEMA extensions; ALTER EXTENSION vector SET SCHEMA extensions')
    await expect(prepare()).rejects.toThrow('run: ALTER EXTENSION vector SET SCHEMA public;')
    await set('ALTER EXTENSION vector SET SCHEMA public')
    await prepare()
  })

  test('a database without pgvector says what a superuser has to run, and then it is opened', async () => {
    await set('DROP EXTENSION vector')
    await expect(prepare()).rejects.toThrow('CREATE EXTENSION vector;')
    await set('CREATE EXTENSION vector')
    await prepare()
  })

  test("somebody else's database is told to be given to the user", async () => {
    const name = new URL(database.url).pathname.slice(1)
    await set(`ALTER DATABASE ${name} OWNER TO CURRENT_USER`)
    await expect(prepare()).rejects.toThrow(
      'ALTER DATABASE <database> OWNER TO <user of DATABASE_URL>;',
    )
    await set(`ALTER DATABASE ${name} OWNER TO ${new URL(database.url).username}`)
    await prepare()
  })

  test('a schema that the roles may not use is told before a request needs it', async () => {
    await prepare()
    await set('REVOKE ALL ON SCHEMA public FROM PUBLIC')
    await expect(prepare()).rejects.toThrow(
      'run: GRANT USAGE ON SCHEMA public TO mnemograph_service, mnemograph_maintenance;',
    )
    await set('GRANT USAGE ON SCHEMA public TO mnemograph_service, mnemograph_maintenance')
    await prepare()
  })

  test('a pooler that lends one session to two clients is told to keep a session for each', async () => {
    await withOwner(database.url, async (client) => {
      await withOwner(database.url, (other) => checkSessions(client, other))
      await expect(checkSessions(client, client)).rejects.toThrow('in session mode')
    })
  })

  test('writes at once wait for each other, whatever isolation the database has by default', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await set(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`)
    const store = await openStoreAt(database.url, 10)
    const { id } = await insertedKey(store, newKey())
    const charge = { keyId: id, month: '2026-11', limit: undefined }
    await Promise.all(Array.from({ length: TOGETHER }, () => store.sharedLimits?.charge(charge)))
    expect(await store.usage.read(charge)).toBe(TOGETHER)
    await store.close()
  })

  test.each([
    // Shorter than a migration.
    "statement_timeout = '50ms'",
    "lock_timeout = '1ms'",
    "idle_in_transaction_session_timeout = '1ms'",
    "default_transaction_isolation = 'serializable'",
    'standard_conforming_strings = off',
    'row_security = off',
    'array_nulls = off',
    'extra_float_digits = -10',
  ])('a database with %s is made, used and exported as any other', async (setting) => {
    const options = { url: database.url, durability: 'required' } as const
    await set(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET ${setting}`)
    const store = await openStoreAt(options.url, 2)
    const { spaceId } = await insertedKey(store, newKey())
    const [{ number }] = await Promise.all([
      store.generations.adopt(MODEL),
      store.generations.adopt(MODEL),
    ])
    const { memories } = store.forSpace(spaceId)
    const pieces = [{ commonness: undefined }, { commonness: 0.123456789012 }]
    for (const fields of pieces) {
      const memory = memoryOf()
      await memories.insert(
        memory,
        [pieceOf(memory.content, [1, 0, 0, 0, 0], fields)],
        NO_RECEIPT,
        number,
      )
    }
    const everything = { limit: 10, threshold: 0 }
    const query = queryOf([1, 0, 0, 0, 0])
    expect(await memories.search(query, {}, everything, number)).toHaveLength(pieces.length)
    const source = await openPostgresArchiveSource(options)
    const exported: (number | null)[] = []
    for await (const record of source.records()) {
      if (record.kind === 'memory') exported.push(...record.pieces.map((each) => each.commonness))
    }
    await source.close()
    expect(exported).toEqual([null, 0.123456789012])
    await store.close()
  })

  test('no session has a time limit of the database, of those that its server knows', async () => {
    await prepare()
    await set(
      `DO $$ DECLARE limit_of record; BEGIN
         FOR limit_of IN SELECT name FROM pg_settings
           WHERE name ~ '^(idle_.*session|lock|statement|transaction)_timeout$' LOOP
           EXECUTE format('ALTER DATABASE %I SET %I = ''1h''', current_database(), limit_of.name);
         END LOOP;
       END $$`,
    )
    const service = new Database({
      url: database.url,
      role: 'mnemograph_service',
      connectionsMax: 1,
    })
    onTestFinished(() => service.close())
    const taken = prepared(
      "SELECT name FROM pg_settings WHERE name ~ '_timeout$' AND setting = '3600000'",
    )
    expect(await service.query(taken, [])).toEqual([])
  })

  test('a database that quotes all names has the indexes under those that they are looked for by', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await set(`ALTER DATABASE ${name} SET quote_all_identifiers = on`)
    await prepare()
    const service = new Database({
      url: database.url,
      role: 'mnemograph_service',
      connectionsMax: 1,
    })
    onTestFinished(() => service.close())
    expect(await arePiecesIndexed(service)).toBe(true)
  })

  test('no session compiles its statements, whatever the database says', async () => {
    await set(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET jit = on`)
    const service = new Database({
      url: database.url,
      role: 'mnemograph_service',
      connectionsMax: 1,
    })
    onTestFinished(() => service.close())
    const compiles = prepared<{ jit: string }>("SELECT current_setting('jit') AS jit")
    await prepare()
    expect(await service.query(compiles, [])).toEqual([{ jit: 'off' }])
  })
})
