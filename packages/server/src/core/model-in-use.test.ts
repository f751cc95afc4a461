// Work is done with the model of the store, however that changes in between, and a model that cannot be
// opened keeps nobody waiting without end. The case changes the store, and sees which embedders are closed.
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Embedder, EmbedderUnavailable } from '../embedding/embedder.ts'
import type { Generation } from '../storage/generation.ts'
import { StoreError } from '../storage/store.ts'
import { fakeEmbedder } from '../testing/fake-embedder.ts'
import { ModelInUse, type ModelOptions } from './model-in-use.ts'

const NEVER_MS = 1_000_000

const generation = (number: number): Generation => ({
  number,
  id: `model-${number}`,
  dimension: 64,
  piecesVersion: 1,
  source: { kind: 'bundled' },
})

/** Knows whether it was closed, and of which generation it is. */
type Known = Embedder & { number: number; isClosed: boolean }
function embedderOf(number: number): Known {
  const embedder: Known = {
    ...fakeEmbedder(),
    number,
    isClosed: false,
    close: async () => {
      embedder.isClosed = true
    },
  }
  return embedder
}

const opened: ModelInUse[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((model) => model.close()))
})

/** A store whose generation the case changes. */
function setUp(options: Partial<ModelOptions> = {}, first: Known = embedderOf(1)) {
  const store = { number: 1 }
  const embedders: Known[] = [first]
  const failures: unknown[] = []
  const moved: number[] = []
  const model = new ModelInUse(
    { embedder: first, generation: 1 },
    {
      generations: {
        current: async () => generation(store.number),
        adopt: async () => generation(store.number),
      },
      open: async ({ number }) => {
        const embedder = embedderOf(number)
        embedders.push(embedder)
        return embedder
      },
      onFailure: (error) => failures.push(error),
      onMoved: ({ number }) => moved.push(number),
      checkIntervalMs: NEVER_MS,
      ...options,
    },
  )
  opened.push(model)
  /** What the store does with vectors of a generation. Returns the embedder that was used. */
  const work = async (embedder: Embedder, used: number): Promise<number | undefined> => {
    await Promise.resolve()
    if (used !== store.number) throw new StoreError('outdated', undefined)
    return embedders.find((each) => each === embedder)?.number
  }
  return { store, model, work, embedders, failures, moved, first }
}

test('work that met a new model is done again with it, and its caller sees only that', async () => {
  const { store, model, work, embedders } = setUp()
  expect(await model.run(work)).toBe(1)
  store.number = 2
  expect(await model.run(work)).toBe(2)
  store.number = 5
  expect(await model.run(work)).toBe(5)
  expect(embedders.map(({ isClosed }) => isClosed)).toEqual([true, true, false])
})

test('however many meet it at once, the new model is opened once, and that is told once', async () => {
  const { store, model, work, embedders, moved } = setUp()
  store.number = 2
  const results = await Promise.all(Array.from({ length: 20 }, () => model.run(work)))
  expect(new Set(results)).toEqual(new Set([2]))
  expect(embedders).toHaveLength(2)
  expect(moved).toEqual([2])
})

test('the old model is closed only when nobody uses it any more', async () => {
  const { store, model, work, first } = setUp()
  const { promise, resolve } = Promise.withResolvers<void>()
  const slow = model.run(async (embedder, used) => {
    if (used === 1) await promise
    return work(embedder, used)
  })
  store.number = 2
  expect(await model.run(work)).toBe(2)
  expect(first.isClosed).toBe(false)
  resolve()
  expect(await slow).toBe(2)
  expect(first.isClosed).toBe(true)
})

test('a model that does not end fails nobody who has used it, and the next one is in use', async () => {
  const stuck = { ...embedderOf(1), close: () => Promise.reject(new Error('It does not end.')) }
  const { store, model, work, failures, embedders } = setUp({}, stuck)
  const { promise, resolve } = Promise.withResolvers<void>()
  const stored = model.run(async () => {
    await promise
    return 'stored'
  })
  store.number = 2
  expect(await model.run(work)).toBe(2)
  resolve()
  expect(await stored).toBe('stored')
  expect(await model.run(work)).toBe(2)
  expect(model.isReady()).toBe(true)
  expect(embedders).toHaveLength(2)
  expect(failures).toEqual([new Error('It does not end.')])
})

test('closing waits for a model that was left as well', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { store, model, work } = setUp({}, { ...embedderOf(1), close: () => promise })
  store.number = 2
  expect(await model.run(work)).toBe(2)
  let isClosed = false
  const closing = model.close().then(() => {
    isClosed = true
  })
  await new Promise(setImmediate)
  expect(isClosed).toBe(false)
  resolve()
  await closing
})

test('the model is closed once, however often that is asked for', async () => {
  const close = vi.fn(async () => undefined)
  const { model } = setUp({}, { ...embedderOf(1), close })
  await Promise.all([model.close(), model.close()])
  await model.close()
  expect(close).toHaveBeenCalledOnce()
})

test('a store that calls every model outdated is not asked without end', async () => {
  const { model } = setUp()
  let runs = 0
  const work = async () => {
    runs += 1
    if (runs === 100) throw new Error('It is asked without end.')
    throw new StoreError('outdated', undefined)
  }
  await expect(model.run(work)).rejects.toMatchObject({ kind: 'outdated' })
  expect(runs).toBe(4)
})

test('any other failure is the caller’s at once', async () => {
  const { model } = setUp()
  const failure = new StoreError('full', undefined)
  let runs = 0
  const work = async () => {
    runs += 1
    throw failure
  }
  await expect(model.run(work)).rejects.toBe(failure)
  expect(runs).toBe(1)
})

test('a model that cannot be opened fails what needs it, is told once, and is tried again', async () => {
  let isThere = false
  let attempts = 0
  const { store, model, work, failures } = setUp({
    checkIntervalMs: 5,
    open: async ({ number }) => {
      attempts += 1
      if (!isThere) throw new Error('no such folder')
      return embedderOf(number)
    },
  })
  store.number = 2
  await expect(model.run(work)).rejects.toBeInstanceOf(EmbedderUnavailable)
  expect(model.isReady()).toBe(false)
  await expect(model.run(work)).rejects.toThrow('model-2')
  await expect.poll(() => attempts).toBeGreaterThan(2)
  expect(failures).toHaveLength(1)
  isThere = true
  await expect.poll(() => model.isReady()).toBe(true)
  await model.run(work)
})

test('a model that could not be opened serves requests from the first look that finds it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let isThere = false
  const { store, model, work } = setUp({
    checkIntervalMs: 1_000,
    open: async ({ number }) => {
      if (!isThere) throw new Error('no such folder')
      return embedderOf(number)
    },
  })
  store.number = 2
  await expect(model.run(work)).rejects.toBeInstanceOf(EmbedderUnavailable)
  isThere = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await model.run(async (_embedder, generation) => generation)).toBe(2)
})

test('each model that cannot be opened is told, and requests do not try to open it', async () => {
  let attempts = 0
  const { store, model, work, failures } = setUp({
    checkIntervalMs: 5,
    open: async () => {
      attempts += 1
      throw new Error('no such folder')
    },
  })
  store.number = 2
  await expect(model.run(work)).rejects.toBeInstanceOf(EmbedderUnavailable)
  const before = attempts
  // The check has no turn in between.
  const asked = Array.from({ length: 20 }, () => model.run(work).catch(() => 'unavailable'))
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['unavailable']))
  expect(attempts).toBe(before)
  store.number = 3
  await expect.poll(() => failures.length).toBe(2)
})

test('a model that cannot be opened is forgotten when the store comes back to the old one', async () => {
  const { store, model, work } = setUp({
    checkIntervalMs: 5,
    open: () => Promise.reject(new Error('no such folder')),
  })
  store.number = 2
  await expect(model.run(work)).rejects.toBeInstanceOf(EmbedderUnavailable)
  store.number = 1
  await expect.poll(() => model.isReady()).toBe(true)
  expect(await model.run(work)).toBe(1)
})

test('a model that is not ready makes nobody ready', () => {
  const { model, first } = setUp()
  expect(model.isReady()).toBe(true)
  first.isReady = () => false
  expect(model.isReady()).toBe(false)
})

test('closing closes the model that is in use, and leaves nothing that would go on', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { store, model, work, embedders } = setUp()
  store.number = 2
  await model.run(work)
  expect(embedders.map(({ isClosed }) => isClosed)).toEqual([true, false])
  await model.close()
  expect(embedders.map(({ isClosed }) => isClosed)).toEqual([true, true])
  expect(vi.getTimerCount()).toBe(0)
})

test('nobody waits without end for a model that is being opened', async () => {
  const { store, model, work } = setUp({
    waitMsMax: 20,
    open: () => new Promise<never>(() => undefined),
  })
  store.number = 2
  await expect(model.run(work)).rejects.toBeInstanceOf(EmbedderUnavailable)
  await expect(model.run(work)).rejects.toBeInstanceOf(EmbedderUnavailable)
})

test('nobody waits while the store is asked, now and then, which model it uses', async () => {
  let asked = 0
  const { model, work } = setUp({
    waitMsMax: 20,
    checkIntervalMs: 1,
    generations: {
      current: () => {
        asked += 1
        return new Promise<never>(() => undefined)
      },
      adopt: async () => generation(1),
    },
  })
  await expect.poll(() => asked).toBeGreaterThan(0)
  expect(await model.run(work)).toBe(1)
})

test('a model that was opened too late is closed at once', async () => {
  const { promise, resolve } = Promise.withResolvers<Embedder>()
  const { store, model, work } = setUp({ waitMsMax: 20, open: () => promise })
  store.number = 2
  await expect(model.run(work)).rejects.toBeInstanceOf(EmbedderUnavailable)
  await model.close()
  const late = embedderOf(2)
  resolve(late)
  await expect.poll(() => late.isClosed).toBe(true)
})

test('a service without requests follows too', async () => {
  const { store, embedders } = setUp({ checkIntervalMs: 5 })
  store.number = 2
  await expect.poll(() => embedders.length).toBe(2)
})
