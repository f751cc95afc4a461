// Callers choose what a list looks at. One that looks at very many rows holds up no get, nor does one key's
// many such lists hold up another's.
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { FIRST_PAGE } from '../../conformance/records.ts'
import { insertedKey, newKey } from '../../conformance/subject.ts'
import type { SpaceStore, Store } from '../../store.ts'
import { memoryReads } from '../memories.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { openIn } from '../testing/store-in-folder.ts'

const ROWS = 5_000
const LISTS = 20
const TAGS = ['a', 'b', 'c', 'd']

/** A space with entities, and with memories that all have all tags. */
async function newSpace(store: Store, directory: string): Promise<SpaceStore> {
  const { spaceId } = await insertedKey(store, newKey())
  const db = openDatabase(databaseFile(directory))
  db.exec(`
    CREATE TEMP TABLE numbers AS WITH RECURSIVE numbers (no) AS (
      SELECT 1 UNION ALL SELECT no + 1 FROM numbers LIMIT ${ROWS}) SELECT no FROM numbers;
    INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
      SELECT ${spaceId}, 'ent_' || no, 'Anna ' || no, 'anna ' || no, 'PERSON', no FROM numbers;
    INSERT INTO memories (space_no, id, content, user_id, tags, created_at, in_lists)
      SELECT ${spaceId}, 'mem_' || no, 'Tea', 'u', '${JSON.stringify(TAGS)}', no, 1 FROM numbers;
    INSERT INTO memory_tags (space_no, tag, created_at, id, memory_no)
      SELECT space_no, value, created_at, memories.id, no FROM memories, json_each(tags)
      WHERE space_no = ${spaceId};
    INSERT INTO counts VALUES (${spaceId}, 'entities', '', ${ROWS}), (${spaceId}, 'memories', '', ${ROWS});
    INSERT INTO counts SELECT ${spaceId}, 'memories with tag', tag, COUNT(*) FROM memory_tags
      WHERE space_no = ${spaceId} GROUP BY tag`)
  db.close()
  return store.forSpace(spaceId)
}

let directory: string
let one: SpaceStore
let other: SpaceStore
beforeEach(async () => {
  directory = newFolder()
  const store = await openIn(directory)
  one = await newSpace(store, directory)
  other = await newSpace(store, directory)
})

const byName = (space: SpaceStore) => space.entities.page({ search: 'anna 4999' }, FIRST_PAGE)
const byTags = (space: SpaceStore) => space.memories.page({ tags: TAGS }, FIRST_PAGE)

test.each([
  ['a part of the name', byName, 1],
  ['many groups', byTags, ROWS],
])('a get waits for none of many lists by %s', async (_, list, total) => {
  let ended = 0
  const lists = Array.from({ length: LISTS }, async () => {
    const page = await list(one)
    ended += 1
    return page.total
  })
  await other.entities.find('ent_1')
  expect(ended).toBeLessThan(LISTS / 2)
  expect(await Promise.all(lists)).toEqual(lists.map(() => total))
})

test('a long list of one space waits for one of another, and not for all', async () => {
  let ended = 0
  const lists = Array.from({ length: LISTS }, () => byTags(one).then(() => (ended += 1)))
  expect(await byName(other)).toMatchObject({ total: 1, items: [{ name: 'Anna 4999' }] })
  expect(ended).toBeLessThan(LISTS / 2)
  await Promise.all(lists)
})

test('the pages of a long list are those of a short one', async () => {
  const page = (number: number) => one.memories.page({ tags: TAGS }, { page: number, limit: 100 })
  const all = (await Promise.all(Array.from({ length: 50 }, (_, at) => page(at + 1)))).flatMap(
    ({ items }) => items.map(({ id }) => id),
  )
  expect(all).toEqual(Array.from({ length: ROWS }, (_, at) => `mem_${ROWS - at}`))
})

test('a list that may look at many rows is left to another thread, and none by something rare', () => {
  const db = openDatabase(databaseFile(directory))
  onTestFinished(() => void db.close())
  const { spaceId } = one
  db.exec(`
    INSERT INTO memories (space_no, id, content, user_id, tags, created_at, in_lists)
      VALUES (${spaceId}, 'mem_rare', 'Tea', 'u', '["rare"]', 0, 1);
    INSERT INTO memory_tags (space_no, tag, created_at, id, memory_no)
      VALUES (${spaceId}, 'rare', 0, 'mem_rare', last_insert_rowid());
    INSERT INTO counts VALUES (${spaceId}, 'memories with tag', 'rare', 1)`)
  const { pageIfShort } = memoryReads(db)
  expect(pageIfShort(spaceId, { tags: TAGS }, FIRST_PAGE)).toBeUndefined()
  const rare = pageIfShort(spaceId, { tags: [...TAGS, 'rare'] }, FIRST_PAGE)
  expect(rare).toEqual({ total: 0, items: [] })
})
