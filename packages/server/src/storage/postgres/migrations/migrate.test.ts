// A schema is whole at every moment: whoever migrates, however many at once, and wherever they are
// stopped. And the version before serves on while its successor migrates, and after that.
// decisions/2026-11-21-postgres-migrations.md
import type { ClientBase } from 'pg'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { administer, newEmptyDatabase, type TestDatabase } from '../../../testing/postgres.ts'
import { entityOf, FIRST_PAGE, memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { caseSpace, insertedKey, MODEL, newKey, storedKey } from '../../conformance/subject.ts'
import { Questions } from '../../questions.ts'
import { StoreRefusal } from '../../store.ts'
import { Database } from '../connection/database.ts'
import { LOCKS } from '../connection/locks.ts'
import { asOwner, withOwner } from '../connection/owner.ts'
import { prepareRoles } from '../connection/roles.ts'
import { keyStore } from '../keys.ts'
import { MemoryNumbers } from '../memory-numbers.ts'
import { generationStore } from '../reembedding/generations.ts'
import { spaceStore } from '../space-store.ts'
import { openStoreAt } from '../testing/open-store-at.ts'
import { migrateUpTo, prepareWhole, rowsOf } from '../testing/schema.ts'
import { RowCounts } from '../upkeep/row-counts.ts'
import { Upkeep } from '../upkeep/upkeep.ts'
import { migrate, SCHEMA_VERSION } from './migrate.ts'

const server = inject('postgresUrl')

const ALL_VERSIONS = Array.from({ length: SCHEMA_VERSION }, (_, index) => ({ version: index + 1 }))
/** The first schema in which totals are kept: before, lists counted their rows. */
const COUNTED_SINCE = 10
class UncountedRows extends RowCounts {
  override total = () => Promise.resolve(undefined)
  override noteWritten = () => undefined
}
/** Of this database: whoever holds the lock. */
const KILL_MIGRATION = `
  SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

function fail(error: unknown): never {
  throw error
}

describe.skipIf(server === undefined)('migrations', () => {
  let database: TestDatabase

  beforeEach(async () => {
    database = await newEmptyDatabase(server ?? '')
  })
  afterEach(() => database.drop())

  const prepare = (): Promise<void> => prepareWhole(database.url)
  const migrateTo = (upTo: number): Promise<void> => migrateUpTo(database.url, upTo)
  const rows = (sql: string): Promise<unknown[]> => rowsOf(database.url, sql)

  /** Everything that a migration makes: columns, indexes, constraints, policies and rights. */
  const schema = (): Promise<unknown[]> =>
    rows(`
      SELECT relname, relkind, relrowsecurity, relforcerowsecurity, relacl::text,
        (SELECT array_agg(attname || ' ' || format_type(atttypid, atttypmod) ORDER BY attnum)
         FROM pg_attribute WHERE attrelid = c.oid) AS columns,
        (SELECT array_agg(pg_get_constraintdef(oid) ORDER BY conname) FROM pg_constraint
         WHERE conrelid = c.oid) AS constraints,
        (SELECT array_agg(polname ORDER BY polname) FROM pg_policy WHERE polrelid = c.oid)
      FROM pg_class AS c WHERE relnamespace = to_regnamespace('mnemograph') ORDER BY relname`)
  const versions = (): Promise<unknown[]> =>
    rows('SELECT version FROM mnemograph.schema_versions ORDER BY version')

  test('instances that start at once on an empty database make one schema', async () => {
    await Promise.all([prepare(), prepare(), prepare(), prepare()])
    expect(await versions()).toEqual(ALL_VERSIONS)
  })

  test.each(Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1))(
    'a process that is killed at any statement of migration %i leaves the schema before it, and the next start completes it',
    async (version) => {
      await migrateTo(version - 1)
      const before = await schema()
      await killAtStatement(0)
      await expect(migrateButFor(version, new Error('not yet'))).rejects.toThrow('not yet')
      const made = await statementsMade()
      expect(made).toBeGreaterThan(0)
      // The first and the last ones, and some of the many partitions in between.
      const moments = Array.from({ length: made }, (_, index) => index + 1).filter(
        (moment) => moment <= 4 || moment > made - 2 || moment % 59 === 0,
      )
      for (const moment of moments) {
        await killAtStatement(moment)
        const refusal = await prepare().catch((error: unknown) => error)
        expect(refusal).toBeInstanceOf(StoreRefusal)
        // What ended it, and not that nothing can be undone any more.
        expect(String(refusal)).toContain('terminating connection')
        expect(await statementsMade()).toBe(moment)
        expect(await schema()).toEqual(before)
      }
      await killAtStatement(0)
      const killed = migrateButFor(version, () =>
        administer(database.administratorUrl, KILL_MIGRATION),
      )
      await expect(killed).rejects.toThrow(/terminat|not queryable|ECONNRESET/)
      expect(await schema()).toEqual(before)
      await prepare()
      expect(await versions()).toEqual(ALL_VERSIONS)
    },
  )

  test('every table has a key, without which logical replication would refuse its deletions', async () => {
    await prepare()
    const keyless = await rows(
      `SELECT relname FROM pg_class AS c
       WHERE relnamespace = to_regnamespace('mnemograph') AND relkind IN ('r', 'p')
         AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)`,
    )
    expect(keyless).toEqual([])
  })

  test('an upgrade is told before its first step, and by whoever waits for it; a new database is none', async () => {
    const told: unknown[] = []
    const start = (name: string) =>
      withOwner(database.url, (owner) =>
        migrate(owner, {
          onUpgrade: (schema) => told.push([name, schema]),
          onWaitForUpgrade: () => told.push([name, 'waits']),
        }),
      )
    await migrateTo(1)
    expect(told).toEqual([])
    await withOwner(database.url, async (owner) => {
      await owner.query(`SELECT pg_advisory_lock(${LOCKS.migration})`)
      const waiting = start('second')
      await expect.poll(() => told).toEqual([['second', 'waits']])
      await owner.query(`SELECT pg_advisory_unlock(${LOCKS.migration})`)
      await waiting
    })
    const upgrade = ['second', { from: 1, to: SCHEMA_VERSION }]
    expect(told).toEqual([['second', 'waits'], upgrade])
    await start('third')
    expect(told).toHaveLength(2)
    expect(await versions()).toEqual(ALL_VERSIONS)
  })

  test('a newer schema is refused with what to do', async () => {
    await prepare()
    await administer(
      database.administratorUrl,
      'INSERT INTO mnemograph.schema_versions VALUES (9999)',
    )
    const refused = expect(prepare()).rejects
    await refused.toThrow(StoreRefusal)
    await refused.toThrow(
      `The database was written by a newer version (schema 9999; this one knows ${SCHEMA_VERSION}). ` +
        'Start that version, or use another DATABASE_URL.',
    )
  })

  test.each(Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1))(
    'who serves on schema %i reads and writes on while the next migration runs, and after it',
    async (version) => {
      await migrateTo(version)
      const serving = await serveWithoutMigrating(version)
      await serving.readAndWrite()
      await withOwner(database.url, async (owner) => {
        const moments = beforeCommits(owner, serving.readAndWrite)
        await migrate(owner, { upTo: version + 1 })
        expect(moments()).toBe(1)
      })
      await serving.readAndWrite()
      await prepare()
      await serving.readAndWrite()
      expect(await serving.close()).toBe(4)
    },
  )

  /** A user who may make no role; goes away with the test. The address is that of the database for it. */
  async function newUser(): Promise<{ name: string; url: string }> {
    const url = new URL(database.url)
    const name = `owner_of_${url.pathname.slice(1)}`
    await administer(
      database.administratorUrl,
      `CREATE ROLE ${name} LOGIN PASSWORD 'secret' NOSUPERUSER NOCREATEROLE;
       GRANT CREATE ON DATABASE ${url.pathname.slice(1)} TO ${name}`,
    )
    // Once the database is gone, and with it all that the user owns.
    onTestFinished(() => administer(server ?? '', `DROP ROLE ${name}`))
    url.username = name
    url.password = 'secret'
    return { name, url: url.href }
  }

  test('a user who got the roles from an administrator needs no right to make any', async () => {
    await withOwner(database.url, prepareRoles)
    const { name, url } = await newUser()
    const grant = `GRANT mnemograph_service, mnemograph_maintenance TO ${name}`
    await administer(database.administratorUrl, grant)
    const store = await openStoreAt(url, 2)
    const { spaceId } = await insertedKey(store, newKey())
    const { number } = await store.generations.adopt(MODEL)
    const { memories } = caseSpace(store, spaceId, number)
    const memory = memoryOf()
    await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
    expect(await memories.remove(memory.id, NO_RECEIPT)).toBe(true)
    await store.close()
  })

  test('on a server that has the roles already, what an administrator is told to run lets another user in', async () => {
    await withOwner(database.url, prepareRoles)
    const { name, url } = await newUser()
    const refused = await prepareWhole(url).catch(String)
    expect(refused).toContain('REVOKE CONNECT ON DATABASE <database> FROM PUBLIC')
    const [, statements = ''] = /Let an administrator run: (.*)/.exec(String(refused)) ?? []
    const ownName = statements.replace('<user of DATABASE_URL>', name)
    await administer(database.administratorUrl, ownName)
    await prepareWhole(url)
    expect(await versions()).toEqual(ALL_VERSIONS)
  })

  /** All of it but for the commit, before which something happens or goes wrong. */
  const migrateButFor = (upTo: number, before: Error | (() => Promise<void>)): Promise<void> =>
    withOwner(database.url, async (owner) => {
      beforeCommits(owner, before instanceof Error ? () => Promise.reject(before) : before)
      await migrate(owner, { upTo })
    })

  /** The connection that makes so many changes of a schema from now on ends with the last one. */
  const killAtStatement = (moment: number): Promise<void> =>
    administer(
      database.administratorUrl,
      `DROP EVENT TRIGGER IF EXISTS kill;
       CREATE SEQUENCE IF NOT EXISTS public.statements;
       GRANT ALL ON SEQUENCE public.statements TO PUBLIC;
       CREATE OR REPLACE FUNCTION public.kill() RETURNS event_trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF nextval('public.statements') = ${moment} THEN
           PERFORM pg_terminate_backend(pg_backend_pid());
         END IF;
       END $$;
       SELECT setval('public.statements', 1, false);
       CREATE EVENT TRIGGER kill ON ddl_command_end EXECUTE FUNCTION public.kill()`,
    )
  const statementsMade = async (): Promise<number> =>
    Number(Object((await rows('SELECT last_value FROM public.statements'))[0]).last_value)

  /** As an instance that has started before there was a later migration. */
  async function serveWithoutMigrating(version: number) {
    const running = new Database({
      url: database.url,
      role: 'mnemograph_service',
      connectionsMax: 2,
    })
    const upkeep = new Upkeep(running, fail)
    const rowCounts =
      version < COUNTED_SINCE ? new UncountedRows(running, fail) : new RowCounts(running, fail)
    const keys = keyStore(running)
    const key = newKey()
    await keys.insert(key)
    const { spaceId } = await storedKey(keys, key)
    const generations = generationStore(
      (work) => running.transaction(work),
      (work) => asOwner(database.url, work),
    )
    const { number } = await generations.adopt(MODEL)
    const { memories, entities } = spaceStore(
      running,
      { upkeep, rowCounts, numbers: new MemoryNumbers(running), questions: new Questions() },
      spaceId,
    )
    let rounds = 0
    return {
      async readAndWrite(): Promise<void> {
        rounds += 1
        const memory = memoryOf()
        await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, number)
        expect(await memories.find(memory.id)).toEqual(memory)
        const passing = entityOf()
        await entities.insert(passing, NO_RECEIPT)
        expect(await entities.remove(passing.id, NO_RECEIPT)).toBe(true)
        expect((await memories.page({}, FIRST_PAGE)).total).toBe(rounds)
      },
      async close(): Promise<number> {
        await Promise.all([upkeep.close(), rowCounts.close()])
        await running.close()
        return rounds
      },
    }
  }
})

/** Acts when the statements of a migration were made but not committed. Tells how often it did. */
function beforeCommits(owner: ClientBase, act: () => Promise<void>): () => number {
  const query = owner.query.bind(owner)
  let moments = 0
  vi.spyOn(owner, 'query').mockImplementation(async (...args: unknown[]) => {
    if (args[0] === 'COMMIT') {
      moments += 1
      await act()
    }
    return Reflect.apply(query, owner, args)
  })
  return () => moments
}
