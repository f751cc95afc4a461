// Indexes in memory take no more room than they may, counted as they are and not as they were when they were
// put in; the least recently used go first, and leave their memory to others.
import { expect, test } from 'vitest'
import { collectGarbage } from '../../../testing/collect-garbage.ts'
import { unit } from '../../conformance/records.ts'
import type { SpaceId } from '../../records.ts'
import { rowsOf } from '../testing/search-at-once.ts'
import { IndexCache } from './index-cache.ts'
import { SearchIndex } from './search-index.ts'
import { Workspace } from './tables/workspace.ts'

const space = (number: number): SpaceId => number as SpaceId

function setUp(bytesMax: number) {
  const workspace = new Workspace()
  const loads: number[] = []
  const cache = new IndexCache(bytesMax, (_, index) => index.release())
  const memoryOf = (no: number) => ({
    no,
    userId: '',
    agentId: undefined,
    tags: [],
    createdAt: 0,
  })
  const piece = {
    terms: ['tea'],
    embeddings: [{ vector: unit([1, 0, 0, 0, 0]), commonness: 0.5 }],
  }
  const load = (of: SpaceId): SearchIndex => {
    loads.push(of)
    const index = new SearchIndex(
      rowsOf(() => []),
      workspace,
    )
    for (let no = 0; no < 1_000; no += 1) index.add(memoryOf(no), [piece])
    return index
  }
  function use(of: number): SearchIndex {
    const known = cache.use(space(of))
    const index = known ?? load(space(of))
    if (known === undefined) cache.put(space(of), index)
    return index
  }
  return { cache, loads, workspace, use, memoryOf, piece }
}

test('what is in memory is not loaded again, and the least recently used one goes first', () => {
  const bytes = setUp(1).use(1).bytes
  const { use, loads } = setUp(2.5 * bytes)
  for (const of of [1, 2, 1, 3, 1, 2]) use(of)
  expect(loads).toEqual([1, 2, 3, 2])
})

test('an index that grows makes others go', () => {
  const bytes = setUp(1).use(1).bytes
  const { cache, use, memoryOf, piece } = setUp(2.5 * bytes)
  for (const of of [1, 2]) use(of)
  cache.change(space(2), (index) => {
    for (let no = 1_000; no < 3_000; no += 1) index.add(memoryOf(no), [piece])
  })
  expect([...cache.all()].map(([of]) => of)).toEqual([2])
})

test('indexes that go leave the memory of their codes to those that come', () => {
  const { cache, use, workspace } = setUp(1)
  for (let of = 0; of < 3; of += 1) use(of)
  const bytes = workspace.memory.buffer.byteLength
  for (let of = 3; of < 200; of += 1) {
    use(of)
    if (of % 2 === 0) cache.clear()
  }
  expect(workspace.memory.buffer.byteLength).toBe(bytes)
})

test('lists that a search makes and a change drops do not make an index count for less than it is', () => {
  const bytes = setUp(1).use(1).bytes
  const { cache, use } = setUp(10.5 * bytes)
  const removed = { userId: '', agentId: undefined, tags: [], terms: ['tea'] }
  for (let no = 0; no < 500; no += 1) {
    // Lists all memories, as a search does.
    expect(use(1).lastNo).toBe(999)
    cache.change(space(1), (index) => index.remove({ ...removed, no }))
  }
  for (let of = 2; of < 30; of += 1) use(of)
  expect([...cache.all()].length).toBeLessThanOrEqual(10)
})

test('an index of few memories counts for what it takes, of which most are its objects', () => {
  const { workspace, memoryOf, piece } = setUp(1)
  const rows = rowsOf(() => [])
  const taken = (): number => {
    // Buffers go a while after what held them.
    for (let times = 0; times < 2; times += 1) collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers + workspace.memory.buffer.byteLength
  }
  const before = taken()
  const indexes = Array.from({ length: 2_000 }, () => {
    const index = new SearchIndex(rows, workspace)
    for (let no = 1; no <= 3; no += 1) index.add(memoryOf(no), [piece])
    return index
  })
  const bytes = taken() - before
  const counted = indexes.reduce((sum, index) => sum + index.bytes, 0)
  expect(counted / bytes).toBeGreaterThan(0.8)
})
