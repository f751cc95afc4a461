// That points which were laid out ahead are those of the moment at which they are asked for, whatever
// happened in between, and that no query has the room of another one.
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { termOf, unit } from '../../../conformance/records.ts'
import { CHUNK_ROWS } from '../scan/code-memory.ts'
import { SpaceTables } from '../tables/space-tables.ts'
import { Workspace } from '../tables/workspace.ts'
import { WordPointsRoom } from './word-points.ts'

const WORDS = ['tea', 'milk', 'dusk']
const QUERIES = [
  ['tea', 'milk'],
  ['dusk', 'tea'],
].map((words) => ({
  terms: words.map((word) => termOf(word, { isName: word === 'dusk' })),
}))
const WORTHS = [
  { unit: 0.001, coverage: 0.25, names: 0.15 },
  { unit: 0.002, coverage: 0.25, names: 0.15 },
  { unit: 0.001, coverage: 0.2, names: 0.15 },
  { unit: 0.001, coverage: 0.25, names: 0.1 },
].map((worth) => () => worth)

function twoSpaces() {
  const workspace = new Workspace()
  return [0, 1].map(() => new SpaceTables(workspace, undefined))
}
type Spaces = ReturnType<typeof twoSpaces>

function add(tables: SpaceTables | undefined, no: number, words: string[]): void {
  const embeddings = [{ vector: unit([1, no]), commonness: undefined }]
  const memory = { no, userId: 'anna', agentId: undefined, tags: [], createdAt: 0 }
  tables?.add(memory, [{ terms: words, embeddings }])
}

const remove = (tables: SpaceTables | undefined, no: number): void =>
  tables?.remove({ no, userId: 'anna', agentId: undefined, tags: [], terms: WORDS })

/** All that is told of them, and the points themselves. */
function pointsOf(room: WordPointsRoom, spaces: Spaces, { space, query, worth }: Place) {
  const [tables, asked, worthFor] = [spaces[space], QUERIES[query], WORTHS[worth]]
  if (!tables || !asked || !worthFor) throw new Error('There is no such place.')
  const { points, ...rest } = room.of(tables, asked, worthFor)
  const all = new Int16Array(tables.memory.buffer, points.address, rest.pointRows)
  return { ...rest, unit: points.unit, points: [...all] }
}

type Place = { space: number; query: number; worth: number }
const place = fc.record({
  space: fc.nat(1),
  query: fc.nat(QUERIES.length - 1),
  worth: fc.nat(WORTHS.length - 1),
})
const step = fc.oneof(
  fc.record({ kind: fc.constant('expect' as const), place }),
  fc.record({ kind: fc.constant('ask' as const), place }),
  fc.record({ kind: fc.constant('add' as const), space: fc.nat(1), words: fc.subarray(WORDS) }),
  fc.record({ kind: fc.constant('remove' as const), space: fc.nat(1), no: fc.nat(9) }),
)

test('points are those of the moment, whether or not they were laid out ahead', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const [spaces, twins] = [twoSpaces(), twoSpaces()]
      const [room, plain] = [new WordPointsRoom(), new WordPointsRoom()]
      for (const [one, other] of [spaces, twins]) {
        add(one, 0, WORDS)
        add(other, 0, ['tea'])
      }
      let no = 1
      for (const each of steps) {
        if (each.kind === 'add') {
          for (const all of [spaces, twins]) add(all[each.space], no, each.words)
          no += 1
        } else if (each.kind === 'remove') {
          for (const all of [spaces, twins]) remove(all[each.space], each.no)
        } else if (each.kind === 'ask') {
          expect(pointsOf(room, spaces, each.place)).toEqual(pointsOf(plain, twins, each.place))
        } else {
          const { space, query, worth } = each.place
          const [tables, asked, worthFor] = [spaces[space], QUERIES[query], WORTHS[worth]]
          if (tables && asked && worthFor) room.expect(tables, asked, worthFor)
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('those of the query that is expected first are laid out once, those of others when they are asked', () => {
  const [tables, other] = twoSpaces()
  const [tea, both] = QUERIES
  const [worthFor] = WORTHS
  if (!tables || !other || !tea || !both || !worthFor) throw new Error('There is no such query.')
  const room = new WordPointsRoom()
  const layOut = vi.spyOn(tables.memory, 'zeroPoints')
  room.expect(tables, tea, worthFor)
  room.expect(tables, both, worthFor)
  room.expect(other, tea, worthFor)
  expect(layOut).toHaveBeenCalledTimes(1)
  room.of(tables, tea, worthFor)
  expect(layOut).toHaveBeenCalledTimes(1)
  room.of(tables, both, worthFor)
  expect(layOut).toHaveBeenCalledTimes(2)
  room.expect(tables, both, worthFor)
  expect(layOut).toHaveBeenCalledTimes(3)
})

test('those of a search during which others may come in between reach the rows that are new by then', () => {
  const [tables] = twoSpaces()
  const [tea] = QUERIES
  const [worthFor] = WORTHS
  if (!tables || !tea || !worthFor) throw new Error('There is no such query.')
  const { memory, rows } = tables
  add(tables, 0, WORDS)
  // What a query in a larger space has left there.
  const left = memory.zeroPoints(3 * CHUNK_ROWS)
  new Int16Array(memory.buffer, left, 3 * CHUNK_ROWS).fill(7)
  const room = new WordPointsRoom()
  const words = room.of(tables, tea, worthFor)
  const all = () => [...new Int16Array(memory.buffer, words.points.address, rows.end)]
  const [own] = all()
  const putBack = room.keep(tables, words)
  for (let no = 1; no <= CHUNK_ROWS; no += 1) add(tables, no, WORDS)
  putBack()
  expect(own).toBeGreaterThan(0)
  expect(all()).toEqual([own, ...Array.from({ length: CHUNK_ROWS }, () => 0)])
})
