// Whatever count is wrong is found and made anew, wherever the steps of the check begin and end, and none that is
// right is taken for wrong while rows come and go between the steps. The cases count rows one by one.
import { expect, test } from 'vitest'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../../conformance/records.ts'
import { MODEL, newKey } from '../../conformance/subject.ts'
import type { SpaceId } from '../../records.ts'
import type { Connection } from '../opening/open-database.ts'
import { countsAreRight } from '../testing/counts-are-right.ts'
import { groupedWrites, type WriterCall } from '../testing/grouped-writes.ts'
import { findWrongCounts } from './check-counts.ts'
import { unlistedMemories } from './take-in.ts'

const SPACES = 7
/** In the midst of the small ones. */
const LARGE = 4
/** So many are counted in parts. */
const MEMORIES = 21_000
const RELATIONS = 3_500

/** Rows as an import leaves them, in spaces with few and one with many, and no counts. */
function fill(db: Connection): void {
  db.exec(`
    WITH RECURSIVE numbers (no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM numbers LIMIT ${MEMORIES})
    INSERT INTO memories (no, space_no, id, content, user_id, agent_id, tags, created_at, in_lists)
      SELECT no, iif(no % 1000, ${LARGE}, 1 + no / 1000 % ${SPACES}), 'mem_' || no, '',
        iif(no % 10, 'one of many', 'user ' || no), iif(no % 3, 'a' || (no % 7), NULL),
        iif(no % 2, '["a","b"]', json_array('t' || no)), no % 5000, no < 20000
      FROM numbers;
    INSERT INTO memory_tags SELECT space_no, value, created_at, memories.id, no
      FROM memories, json_each(tags) WHERE in_lists = 1;
    WITH RECURSIVE numbers (no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM numbers LIMIT ${RELATIONS})
    INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
      SELECT iif(no % 100, ${LARGE}, 1), 'ent_' || no, '', '', 'T' || (no % 5), no FROM numbers;
    INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
      SELECT space_no, 'rel_' || no, id, iif(space_no = 1 OR no % 2, id, 'ent_1'), 'R' || (no % 3), no
      FROM entities`)
}

function setUp() {
  const { db, commit } = groupedWrites()
  const keys = Array.from({ length: SPACES }, (): WriterCall => ['insertKey', newKey()])
  commit(['adoptModel', MODEL], ...keys)
  fill(db)
  mendAll(db)
  return { db, commit, large: spaceOf(db, LARGE) }
}

function spaceOf(db: Connection, no: number): SpaceId {
  const space = db.prepare<[number], SpaceId>('SELECT no FROM spaces WHERE no = ?').pluck().get(no)
  if (space === undefined) throw new Error('There is no such space.')
  return space
}

function mendAll(db: Connection): void {
  for (const wrong of findWrongCounts(db)) wrong?.mend()
}

type Count = { space: number; kind: string; value: string; count: number }
const keyOf = ({ space, kind, value }: Omit<Count, 'count'>) => JSON.stringify([space, kind, value])

const kept = (db: Connection): Count[] =>
  db
    .prepare<[], Count>('SELECT space_no AS space, kind, value, count FROM counts ORDER BY 1, 2, 3')
    .all()
const keptByKey = (db: Connection): Map<string, number> =>
  new Map(kept(db).map((each) => [keyOf(each), each.count]))

/** What the rows themselves say, without an index or a list. */
function counted(db: Connection): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (space: number, kind: string, value = ''): void => {
    const key = keyOf({ space, kind, value })
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  type Memory = { space: number; user: string; agent: string | null; tags: string }
  const memories = db.prepare<[], Memory>(
    'SELECT space_no AS space, user_id AS user, agent_id AS agent, tags FROM memories NOT INDEXED',
  )
  for (const { space, user, agent, tags } of memories.all()) {
    add(space, 'memories')
    add(space, 'memories of user', user)
    if (agent !== null) add(space, 'memories of agent', agent)
    const names: unknown = JSON.parse(tags)
    if (!Array.isArray(names)) throw new Error('Tags are a list.')
    for (const name of names) add(space, 'memories with tag', String(name))
  }
  type Entity = { space: number; type: string }
  const entities = db.prepare<[], Entity>(
    'SELECT space_no AS space, type FROM entities NOT INDEXED',
  )
  for (const { space, type } of entities.all()) {
    add(space, 'entities')
    add(space, 'entities of type', type)
  }
  type Relation = { space: number; type: string; source: string; target: string }
  const relations = db.prepare<[], Relation>(
    `SELECT space_no AS space, type, source_id AS source, target_id AS target
     FROM relations NOT INDEXED`,
  )
  for (const { space, type, source, target } of relations.all()) {
    add(space, 'relations')
    add(space, 'relations of type', type)
    add(space, 'relations from', source)
    add(space, 'relations to', target)
  }
  return counts
}

/** So many of them, evenly, and the first and the last one. */
const some = <Item>(items: Item[], count: number): Item[] =>
  Array.from(
    { length: count },
    (_, place) => items[Math.round((place * (items.length - 1)) / (count - 1))],
  ).flatMap((item) => (item === undefined ? [] : [item]))

test('counts that are made anew are those of the rows, in small spaces and in large ones', () => {
  const { db } = setUp()
  expect(keptByKey(db)).toEqual(counted(db))
  expect(countsAreRight(db)).toBe(true)
})

test('a space is looked at in as many steps as it has thousands of rows, for each kind of count', () => {
  const { db } = setUp()
  const steps = (): number => [...findWrongCounts(db)].length
  const before = steps()
  const users = 50
  db.exec(`UPDATE memories SET user_id = 'another ' || (no % ${users})
    WHERE space_no = ${LARGE} AND in_lists = 1`)
  mendAll(db)
  // None has enough for a step of its own.
  expect(steps() - before).toBeGreaterThan(10)
  expect(keptByKey(db)).toEqual(counted(db))
})

test('a count that is wrong is found and made anew, wherever it stands', () => {
  const { db } = setUp()
  const before = keptByKey(db)
  const all = kept(db)
  const ofManyRows = all.filter(({ count }) => count > 500)
  expect(ofManyRows.length).toBeGreaterThan(5)
  const change = (sql: string, ...values: (string | number)[]): void => {
    expect(db.prepare(sql).run(...values).changes).toBe(1)
    const wrong = [...findWrongCounts(db)].filter((each) => each !== undefined)
    expect(wrong, `${sql} ${values}`).toHaveLength(1)
    wrong[0]?.mend()
    expect(keptByKey(db)).toEqual(before)
  }
  const at = 'WHERE space_no = ? AND kind = ? AND value = ?'
  for (const { space, kind, value } of [...some(all, 6), ...some(ofManyRows, 4)]) {
    change(`UPDATE counts SET count = count + 1 ${at}`, space, kind, value)
    change(`DELETE FROM counts ${at}`, space, kind, value)
    change('INSERT INTO counts VALUES (?, ?, ?, 1)', space, kind, `${value} `)
    change('INSERT INTO counts VALUES (?, ?, ?, 1)', space, `${kind} of nothing`, value)
  }
  for (const space of [-1, 0, LARGE, SPACES + 1]) {
    change('INSERT INTO counts VALUES (?, ?, ?, 1)', space, 'anything', '')
    change('INSERT INTO counts VALUES (?, ?, ?, 1)', space, 'zero', '\u{10ffff}')
  }
})

/** Memories and relations of the values with many rows come, go and are taken into their lists. */
function writesOf({ db, commit, large }: ReturnType<typeof setUp>) {
  const { takeIn } = unlistedMemories(db)
  const ids = (table: string) =>
    db
      .prepare<[], string>(`SELECT id FROM ${table} WHERE space_no = ${LARGE} ORDER BY no`)
      .pluck()
      .all()
  const [memories, relations, entities] = [ids('memories'), ids('relations'), ids('entities')]
  const takeOne = (from: string[], number: number): string =>
    from.splice((number * 7_919) % from.length, 1)[0] ?? ''
  let number = 0
  const come = (): void => {
    number += 1
    const createdAt = (number * 611) % 5_000
    const memory = memoryOf({ userId: 'one of many', agentId: 'a1', tags: ['a', 'b'], createdAt })
    const ends = { sourceId: entities[number % entities.length] ?? '', targetId: 'ent_1' }
    const relation = relationOf(ends, { type: 'R1', createdAt })
    memories.push(memory.id)
    relations.push(relation.id)
    commit(
      ['insertMemory', large, memory, [pieceOf('')], NO_RECEIPT, 1],
      ['insertRelation', large, relation, NO_RECEIPT],
      ['insertEntity', large, entityOf({ createdAt }), NO_RECEIPT],
    )
    if (number % 3 === 0) takeIn(50)
  }
  const go = (): void => {
    number += 1
    commit(
      ['removeMemory', large, takeOne(memories, number), NO_RECEIPT],
      ['removeRelation', large, takeOne(relations, number), NO_RECEIPT],
    )
  }
  const both = (): void => {
    go()
    come()
  }
  return { come, go, both }
}

test.each(['come', 'go', 'both'] as const)(
  'no right count is taken for wrong, and no wrong one for right: between the steps rows %s',
  (name) => {
    const store = setUp()
    const { db } = store
    const write = writesOf(store)[name]
    const find = () => {
      let wrong = 0
      for (const each of findWrongCounts(db)) {
        if (each !== undefined) wrong += 1
        write()
      }
      return wrong
    }
    expect(find()).toBe(0)
    const ofManyRows = kept(db).filter(({ count }) => count > 1_000)
    expect(keptByKey(db)).toEqual(counted(db))
    for (const { space, kind, value } of some(ofManyRows, 4)) {
      const change = db.prepare<[number, number, string, string]>(
        'UPDATE counts SET count = count + ? WHERE space_no = ? AND kind = ? AND value = ?',
      )
      for (const by of [1, -1]) {
        change.run(by, space, kind, value)
        expect(find(), `${kind} ${by}`).toBe(1)
        change.run(-by, space, kind, value)
      }
    }
  },
)

test('what is wrong is made anew from the rows that are there by then', () => {
  const store = setUp()
  const { db } = store
  const { both } = writesOf(store)
  db.exec("DELETE FROM counts WHERE value <> ''")
  for (const wrong of findWrongCounts(db)) {
    both()
    wrong?.mend()
  }
  expect(keptByKey(db)).toEqual(counted(db))
})
