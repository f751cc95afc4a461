// A store from before pieces had sentences and terms of their own: what it holds is found as before,
// beside what is written now, until it is embedded again.
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import {
  memoryOf,
  NO_RECEIPT,
  passageOf,
  pieceOf,
  queryOf,
  termOf,
  unit,
} from '../../conformance/records.ts'
import type { SpaceId } from '../../records.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { openSqliteReembedding } from '../reembedding/open-reembedding.ts'
import { canariesIn, canaryOf, expectNone } from '../testing/canaries.ts'
import { openEarlier } from '../testing/earlier-store.ts'
import { openIn } from '../testing/store-in-folder.ts'

const EVERYTHING = { limit: 10, threshold: 0, explains: true }
const NORTH = [1, 0, 0, 0, 0]
const EAST = [0, 1, 0, 0, 0]
const BETWEEN = [1, 1, 0, 0, 0]
// The only space of that store.
const SPACE = 1 as SpaceId
const CONTENT = 'Anna drinks tea. Ben has a bicycle.'
const SECOND = CONTENT.indexOf('Ben')

const bytesOf = (direction: number[]): Buffer => Buffer.from(unit(direction).buffer)

/** One memory of two pieces, embedded by one model, and the second of them also by the next. */
function oldStore(): string {
  const directory = newFolder()
  const db = openEarlier(directory, 2)
  db.exec(`INSERT INTO spaces VALUES (1, 0);
    INSERT INTO generations (state, pieces_table, model_id, dimension, pieces_version)
      VALUES ('current', 'pieces', 'test', 5, 1), ('growing', 'pieces_beside', 'other', 5, 1)`)
  db.prepare(
    `INSERT INTO memories VALUES (1, 1, 'mem_1', ?, 'u', 'a', '["t"]', '{}', 'anna drink tea ben has a bicycl ^ben', 7)`,
  ).run(CONTENT)
  const insert = (table: string) => db.prepare(`INSERT INTO ${table} VALUES (1, ?, ?, ?, ?)`)
  for (const table of ['pieces', 'pieces_beside']) {
    insert(table).run(0, 0, SECOND, bytesOf(NORTH))
    insert(table).run(1, SECOND, CONTENT.length, bytesOf(EAST))
  }
  db.close()
  return directory
}

test('its memories are found by vectors and terms, and nothing of them is lost', async () => {
  const store = await openIn(oldStore())
  const { memories } = store.forSpace(SPACE)
  const shown = {
    id: 'mem_1',
    content: CONTENT,
    userId: 'u',
    agentId: 'a',
    tags: ['t'],
    createdAt: 7,
  }
  expect(await memories.find('mem_1')).toEqual({ ...shown, metadata: '{}' })
  const search = async (asked: ReturnType<typeof queryOf>) =>
    (await memories.search(asked, {}, EVERYTHING, 1))[0]
  expect(await search(queryOf(NORTH))).toMatchObject({ ...shown, score: 1 })
  expect(await search(queryOf(EAST))).toMatchObject({
    score: 1,
    explanation: { sentence: { start: SECOND, end: CONTENT.length } },
  })
  // A piece had the terms of the whole memory then.
  const both = queryOf(BETWEEN, { terms: [termOf('tea'), termOf('bicycl')] })
  expect((await search(both))?.explanation?.terms).toMatchObject([
    { isMatched: true },
    { isMatched: true },
  ])
  const without = await search(queryOf(BETWEEN, { terms: [termOf('none')] }))
  expect((await search(both))?.score).toBeGreaterThan(without?.score ?? 1)
})

test('what is written now is found beside them, and each is deleted alone', async () => {
  const store = await openIn(oldStore())
  const { memories } = store.forSpace(SPACE)
  const memory = memoryOf({ content: CONTENT })
  const sentences = [passageOf(0, SECOND - 1, NORTH, 0.5), passageOf(SECOND, CONTENT.length, EAST)]
  await memories.insert(memory, [pieceOf(CONTENT, BETWEEN, { sentences })], NO_RECEIPT, 1)
  const found = async () =>
    (await memories.search(queryOf(NORTH), {}, EVERYTHING, 1)).map(({ id, explanation }) => [
      id,
      explanation?.sentence,
    ])
  const old = ['mem_1', { start: 0, end: SECOND }]
  const made = [memory.id, { start: 0, end: SECOND - 1 }]
  expect(await found()).toEqual([old, made])
  await memories.remove('mem_1', NO_RECEIPT)
  expect(await found()).toEqual([made])
})

test('a move that was under way goes on, and what is embedded again gets terms of its own', async () => {
  const directory = oldStore()
  const mover = openSqliteReembedding(directory)
  // Both of the pieces were there before.
  expect(await mover.progress()).toEqual({ memories: 1, embedded: 1 })
  await mover.discard()
  while (await mover.removeRetired());
  const { number } = await mover.begin({
    id: 'other',
    dimension: 5,
    piecesVersion: 2,
    source: undefined,
  })
  const missing = await mover.missing({ memoriesMax: 10, charactersMax: 1_000 })
  const pieces = [
    pieceOf('', NORTH, { start: 0, end: SECOND }),
    pieceOf('', EAST, { start: SECOND, end: CONTENT.length }),
  ]
  await mover.add(missing.map(({ ref }) => ({ ref, pieces })))
  expect(await mover.switchOver({ restMax: 0, waitMsMax: 0, embed: async () => [] })).toBe(true)
  await mover.close()
  const store = await openIn(directory)
  const both = queryOf(BETWEEN, { terms: [termOf('tea'), termOf('bicycl')] })
  const [found] = await store.forSpace(SPACE).memories.search(both, {}, EVERYTHING, number)
  expect(found?.explanation?.terms.filter(({ isMatched }) => isMatched)).toHaveLength(1)
})

test('of a memory deleted after the change nothing is left in the files', async () => {
  const directory = oldStore()
  const canaries = Array.from({ length: 40 }, (_, index) => canaryOf(index))
  const db = openDatabase(databaseFile(directory))
  const memory = db.prepare(`INSERT INTO memories VALUES (?, 1, ?, ?, 'u', NULL, '[]', NULL, ?, 7)`)
  const piece = db.prepare('INSERT INTO pieces VALUES (?, 0, 0, 1, ?)')
  for (const [index, canary] of canaries.entries()) {
    const terms = Array.from({ length: 20 * index }, () => canary).join(' ')
    memory.run(index + 2, canary, canary, terms)
    piece.run(index + 2, bytesOf(NORTH))
  }
  db.close()
  const store = await openIn(directory)
  expect(canariesIn(directory)).toContain(canaries[1])
  for (const canary of canaries) await store.forSpace(SPACE).memories.remove(canary, NO_RECEIPT)
  expectNone(new Set(canaries), canariesIn(directory))
})
