// The second lock on the data of a space. Whoever writes a statement for the service and forgets
// its space gets nothing foreign: the database itself holds the service to the space that its
// transaction names. These cases speak SQL as the role of the service, past the first lock.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { errorCodeOf } from '../../error-code.ts'
import { newDatabase, type TestDatabase } from '../../testing/postgres.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../conformance/records.ts'
import { type FreshSpace, subjectOf } from '../conformance/subject.ts'
import type { Store } from '../store.ts'
import { openStoreAt } from './testing/open-store-at.ts'

const server = inject('postgresUrl')
const NOT_ALLOWED = '42501'
const BROKEN_REFERENCE = '23503'
const TABLES_OF_SPACES = [
  'entities',
  'memories',
  'memory_tags',
  'piece_terms',
  'pieces',
  'relations',
  'row_changes',
  'row_counts',
  'term_counts',
  'uncounted',
]
/** Looked up by its hash, before anybody knows which space it is of. */
const BEFORE_A_SPACE_IS_KNOWN = ['keys']

describe.skipIf(server === undefined)('row-level security', () => {
  let database: TestDatabase
  let store: Store
  let own: FreshSpace
  let foreign: FreshSpace
  let owner: pg.Client
  let service: pg.Client

  beforeAll(async () => {
    database = await newDatabase(server ?? '')
    store = await openStoreAt(database.url, 4)
    owner = await connected('RESET ROLE')
    service = await connected('SET ROLE mnemograph_service')
    const { newSpace } = subjectOf(store)
    own = await newSpace()
    foreign = await newSpace()
    for (const space of [own, foreign]) await fill(space)
  })
  afterAll(async () => {
    await service?.end()
    await owner?.end()
    await store?.close()
    await database?.drop()
  })

  async function connected(setting: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`${setting}; SET search_path = mnemograph, public`)
    return client
  }

  /** At least one row in every table. */
  async function fill({ memories, entities, relations, spaceId }: FreshSpace): Promise<void> {
    const memory = memoryOf({ tags: ['coffee'] })
    await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
    const [anna, ben] = [entityOf(), entityOf()]
    await entities.insert(anna, NO_RECEIPT)
    await entities.insert(ben, NO_RECEIPT)
    await relations.insert(relationOf({ sourceId: anna.id, targetId: ben.id }), NO_RECEIPT)
    await owner.query(
      `INSERT INTO term_counts (space_no, generation, term, memories) VALUES (${spaceId}, 1, '', 1);
       INSERT INTO row_counts (space_no, counted, total) VALUES (${spaceId}, 'entities', 0)`,
    )
  }

  /** What the work of the service answered, all of which is undone. */
  async function asService<Result>(
    space: FreshSpace | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await service.query('BEGIN')
    try {
      if (space !== undefined) {
        await service.query(`SET LOCAL mnemograph.space_no = '${space.spaceId}'`)
      }
      return await work()
    } finally {
      await service.query('ROLLBACK')
    }
  }

  const spacesIn = async (table: string): Promise<Set<number>> => {
    const { rows } = await service.query<{ space_no: string }>(`SELECT * FROM ${table}`)
    return new Set(rows.map(({ space_no }) => Number(space_no)))
  }
  const codeOf = (client: pg.Client, sql: string): Promise<string> =>
    client.query(sql).then(() => 'done', errorCodeOf)
  const foreignRows = async (table: string): Promise<unknown[]> =>
    (await owner.query(`SELECT * FROM ${table} WHERE space_no = ${foreign.spaceId}`)).rows

  test.each(TABLES_OF_SPACES)('%s: a forgotten predicate shows nothing foreign', async (table) => {
    expect(await asService(own, () => spacesIn(table))).toEqual(new Set([own.spaceId]))
    expect(await asService(foreign, () => spacesIn(table))).toEqual(new Set([foreign.spaceId]))
  })

  test.each(TABLES_OF_SPACES)('%s: without a space there is nothing', async (table) => {
    expect(await asService(undefined, () => spacesIn(table))).toEqual(new Set())
    // Once a transaction has set it, the setting is empty and no longer unknown.
    await asService(own, () => spacesIn(table))
    expect(await asService(undefined, () => spacesIn(table))).toEqual(new Set())
  })

  test.each(TABLES_OF_SPACES)(
    '%s: a forgotten predicate changes and deletes nothing foreign',
    async (table) => {
      const before = await foreignRows(table)
      expect(before.length).toBeGreaterThan(0)
      const changed = async (sql: string): Promise<void> => {
        await service.query('BEGIN')
        await service.query(`SET LOCAL mnemograph.space_no = '${own.spaceId}'`)
        const { rowCount } = await service.query(sql)
        expect(rowCount).toBeGreaterThan(0)
        await service.query('COMMIT')
      }
      await changed(`UPDATE ${table} SET space_no = space_no`)
      expect(await foreignRows(table)).toEqual(before)
      await changed(`DELETE FROM ${table}`)
      expect(await foreignRows(table)).toEqual(before)
      // For the cases after this one.
      await owner.query(`DELETE FROM memories WHERE space_no = ${own.spaceId}`)
      for (const each of TABLES_OF_SPACES) {
        await owner.query(`DELETE FROM ${each} WHERE space_no = ${own.spaceId}`)
      }
      await fill(own)
    },
  )

  test.each(TABLES_OF_SPACES)('%s: a row of another space cannot be made', async (table) => {
    const move = `UPDATE ${table} SET space_no = ${foreign.spaceId}`
    expect(await asService(own, () => codeOf(service, move))).toBe(NOT_ALLOWED)
    const insert = `INSERT INTO ${table} SELECT (jsonb_populate_record(row, '{"space_no": ${foreign.spaceId}}')).* FROM ${table} AS row`
    expect(await asService(own, () => codeOf(service, insert))).toBe(NOT_ALLOWED)
  })

  test('every table of the schema that names a space is under a forced policy', async () => {
    const { rows } = await owner.query<{ name: string; is_forced: boolean; policies: number }>(`
      SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS is_forced,
        (SELECT count(*)::int FROM pg_policy WHERE polrelid = pg_class.oid) AS policies
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'space_no'
      WHERE relnamespace = 'mnemograph'::regnamespace AND relkind IN ('r', 'p')
        AND NOT relispartition
      ORDER BY relname`)
    const held = rows.filter(({ name }) => !BEFORE_A_SPACE_IS_KNOWN.includes(name))
    expect(held).toEqual(TABLES_OF_SPACES.map((name) => ({ name, is_forced: true, policies: 2 })))
  })

  test('the service owns nothing, and no right of its role passes by the policies', async () => {
    const { rows: roles } = await owner.query(`
      SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin
      FROM pg_roles WHERE rolname LIKE 'mnemograph\\_%' ORDER BY rolname`)
    const nothing = { rolsuper: false, rolbypassrls: false, rolcreaterole: false }
    expect(roles).toEqual(
      ['mnemograph_maintenance', 'mnemograph_service'].map((rolname) => ({
        rolname,
        ...nothing,
        rolcreatedb: false,
        rolcanlogin: false,
      })),
    )
    const { rows: owned } = await owner.query(
      "SELECT relname FROM pg_class WHERE pg_get_userbyid(relowner) LIKE 'mnemograph\\_%'",
    )
    expect(owned).toEqual([])
    const { rows: memberships } = await owner.query(
      "SELECT 1 FROM pg_auth_members WHERE pg_get_userbyid(member) LIKE 'mnemograph\\_%'",
    )
    expect(memberships).toEqual([])
    expect(await codeOf(service, 'CREATE TABLE mnemograph.own_table ()')).toBe(NOT_ALLOWED)
    expect(await codeOf(service, 'TRUNCATE memories')).toBe(NOT_ALLOWED)
  })

  test('partitions, which have no policies, cannot be reached past their table', async () => {
    const { rows } = await owner.query<{ name: string; is_reachable: boolean }>(`
      SELECT relname AS name,
        has_table_privilege('mnemograph_service', oid, 'SELECT, INSERT, UPDATE, DELETE')
          AS is_reachable
      FROM pg_class WHERE relnamespace = 'mnemograph'::regnamespace AND relispartition
        AND relkind = 'r'`)
    expect(rows.length).toBeGreaterThanOrEqual(6 * 16)
    expect(rows.filter(({ is_reachable }) => is_reachable)).toEqual([])
    expect(await asService(own, () => codeOf(service, 'SELECT * FROM memories_00'))).toBe(
      NOT_ALLOWED,
    )
  })

  test('a relation or a piece across spaces is impossible, even for the owner', async () => {
    const across = (table: string, column: string) =>
      codeOf(
        owner,
        `UPDATE ${table} SET ${column} = theirs.${column} FROM ${table} AS theirs
         WHERE ${table}.space_no = ${own.spaceId} AND theirs.space_no = ${foreign.spaceId}`,
      )
    expect(await across('relations', 'source_id')).toBe(BROKEN_REFERENCE)
    expect(await across('relations', 'target_id')).toBe(BROKEN_REFERENCE)
    expect(await across('pieces', 'memory_no')).toBe(BROKEN_REFERENCE)
    const moved = `UPDATE relations SET space_no = ${foreign.spaceId} WHERE space_no = ${own.spaceId}`
    expect(await codeOf(owner, moved)).toBe(BROKEN_REFERENCE)
  })
})
