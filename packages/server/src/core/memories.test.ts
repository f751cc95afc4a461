// When creates reach the store: at once, but for those that queue for the model and share a commit. And when
// it hears of a search.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Embedder } from '../embedding/embedder.ts'
import type { ExpectedQuestion } from '../retrieval/evidence.ts'
import type { Pace } from '../storage/store.ts'
import { fakeEmbedder } from '../testing/fake-embedder.ts'
import { setClock } from '../testing/set-clock.ts'
import { createIdentify } from './ids.ts'
import { Memories } from './memories.ts'
import { ModelInUse } from './model-in-use.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Options = { firstMs: number; pace?: Pace; oneIsLate?: boolean }

const LATE_MS = 5_000

const modelOf = (embedder: Partial<Embedder>): ModelInUse =>
  new ModelInUse(
    { generation: 1, embedder: { ...fakeEmbedder(), ...embedder } },
    {
      generations: { current: () => never, adopt: () => never },
      open: () => never,
      onFailure: () => undefined,
    },
  )

/**
 * Creates so many memories, of which one each millisecond comes from the model, and when told so one
 * more that comes late. Returns when each but that was inserted.
 */
async function insertedAtMs(
  count: number,
  { firstMs, pace, oneIsLate = false }: Options,
): Promise<number[]> {
  const startMs = performance.now()
  let embedded = 0
  const model = modelOf({
    embedMemory(): Promise<[]> {
      const ms = embedded < count ? firstMs + embedded : LATE_MS
      embedded += 1
      return new Promise((resolve) => setTimeout(() => resolve([]), ms))
    },
  })
  const memories = new Memories(model)
  const identify = createIdentify(setClock())
  const atMs: number[] = []
  const space = {
    spaceId: 1,
    memories: {
      async insert(): Promise<void> {
        atMs.push(performance.now() - startMs)
      },
    },
  }
  const creates = Array.from({ length: oneIsLate ? count + 1 : count }, () =>
    memories.create(
      space,
      { content: 'tea', userId: 'anna' },
      { identity: identify('mem'), receipt: {} },
      pace,
    ),
  )
  await vi.advanceTimersByTimeAsync(LATE_MS)
  await Promise.all(creates)
  await model.close()
  return atMs.slice(0, count)
}

const never = new Promise<never>(() => undefined)

test('few creates are stored as soon as they are embedded', async () => {
  expect(await insertedAtMs(4, { firstMs: 100 })).toEqual([100, 101, 102, 103])
})

test('creates by a model that takes less than 10 ms wait for nobody, however many they are', async () => {
  const atMs = await insertedAtMs(9, { firstMs: 1, oneIsLate: true })
  expect(atMs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('creates that queue for the model wait for each other a tenth of its time, and no longer', async () => {
  const atMs = await insertedAtMs(16, { firstMs: 30 })
  expect(atMs.filter((ms) => ms === 33)).toHaveLength(4)
  for (const [place, ms] of atMs.entries()) {
    const embeddedMs = 30 + place
    expect(ms).toBeGreaterThanOrEqual(embeddedMs)
    expect(ms).toBeLessThanOrEqual(embeddedMs * 1.1)
  }
})

test('the last of many wait for nobody', async () => {
  const atMs = await insertedAtMs(16, { firstMs: 30 })
  expect(atMs.slice(-4)).toEqual([42, 43, 44, 45])
})

test('however long the model takes, they wait 25 ms at most, and no longer than for 16', async () => {
  const many = await insertedAtMs(20, { firstMs: 900, oneIsLate: true })
  expect(many.filter((ms) => ms === 915)).toHaveLength(16)
  const few = await insertedAtMs(7, { firstMs: 900, oneIsLate: true })
  expect(new Set(few)).toEqual(new Set([925]))
})

test('a bulk waits until 64 share a commit, or for 100 ms', async () => {
  const atMs = await insertedAtMs(70, { firstMs: 10, pace: 'bulk', oneIsLate: true })
  expect(atMs.filter((ms) => ms === 73)).toHaveLength(64)
  expect(atMs.filter((ms) => ms === 174)).toHaveLength(6)
})

test('the last of a bulk do not wait for what does not come', async () => {
  const atMs = await insertedAtMs(70, { firstMs: 10, pace: 'bulk' })
  expect(atMs.filter((ms) => ms === 79)).toHaveLength(6)
})

test('the store hears of a search while its query is embedded', async () => {
  const heard: string[] = []
  const model = modelOf({
    async embedQuery(query) {
      await vi.advanceTimersByTimeAsync(5)
      heard.push(`vectors of ${query}`)
      return []
    },
  })
  const space = {
    spaceId: 1,
    memories: {
      expectSearch: ({ text }: ExpectedQuestion, generation: number) =>
        heard.push(`${text}, ${generation}`),
      async search(): Promise<[]> {
        heard.push('search')
        return []
      },
    },
  }
  await new Memories(model).search(space, { query: 'tea' })
  expect(heard).toEqual(['tea, 1', 'vectors of tea', 'search'])
  await model.close()
})
