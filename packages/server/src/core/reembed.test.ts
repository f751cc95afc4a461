// How a move to another model goes on, ends and begins again. The store is the real one; what the
// store promises of each step is in storage/conformance/reembedding.suite.ts.
import { expect, onTestFinished, test } from 'vitest'
import { EmbedderUnavailable } from '../embedding/embedder.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../storage/conformance/records.ts'
import { type FreshSpace, MODEL, subjectOf } from '../storage/conformance/subject.ts'
import type { ReembeddingStore } from '../storage/generation.ts'
import { openSqliteReembedding } from '../storage/sqlite/reembedding/open-reembedding.ts'
import { openIn } from '../storage/sqlite/testing/store-in-folder.ts'
import { fakeEmbedder } from '../testing/fake-embedder.ts'
import { newFolder } from '../testing/new-folder.ts'
import { NotEmbedded, type ReembedOptions, reembed } from './reembed.ts'

const MEMORIES = 70
const model = (id: string) => ({ ...MODEL, id })
const localIn = (folder: string) => ({ kind: 'local' as const, folder })

async function insert(space: FreshSpace): Promise<string> {
  const memory = memoryOf()
  await space.memories.insert(memory, [pieceOf('')], NO_RECEIPT)
  return memory.id
}

/** What another try does not mend. */
class Refusal extends Error {
  readonly isTransient = false
}

const options = (id: string, changes: Partial<ReembedOptions>): ReembedOptions => ({
  embedder: { ...fakeEmbedder(), embedMemory: async () => [pieceOf('')] },
  model: model(id),
  restart: false,
  stop: new AbortController().signal,
  onWait: () => undefined,
  onAway: () => undefined,
  onProgress: () => undefined,
  onSwitched: () => undefined,
  ...changes,
})

async function setUp(memories = MEMORIES) {
  const directory = newFolder()
  const store = await openIn(directory)
  const space = await subjectOf(store).newSpace()
  const ids = await Promise.all(Array.from({ length: memories }, () => insert(space)))
  const mover = openSqliteReembedding(directory)
  onTestFinished(() => mover.close())
  let embedded = 0
  const embedder = {
    ...fakeEmbedder(),
    embedMemory: async () => {
      embedded += 1
      return [pieceOf('')]
    },
  }
  const run = (id: string, changes: Partial<ReembedOptions> = {}) =>
    reembed(mover, options(id, { embedder, ...changes }))
  return { space, ids, mover, run, embedded: () => embedded }
}

/** Stops before anything is embedded, or after so many batches. */
function stopAfter(batches: number): Pick<ReembedOptions, 'stop' | 'onProgress'> {
  const wish = new AbortController()
  const onProgress = () => {
    if (batches-- === 0) wish.abort()
  }
  return { stop: wish.signal, onProgress }
}

const inUse = async (mover: ReembeddingStore) => (await mover.state()).current

test('a stopped move goes on where it was, and no text is embedded twice', async () => {
  const { mover, run, embedded } = await setUp()
  const progress: [number, number][] = []
  const onProgress = (done: number, all: number) => void progress.push([done, all])
  expect(await run('other', stopAfter(1))).toEqual({ kind: 'stopped' })
  expect(await inUse(mover)).toMatchObject({ id: MODEL.id })
  expect(await run('other', { onProgress })).toEqual({ kind: 'moved' })
  expect(embedded()).toBe(MEMORIES)
  expect(progress).toEqual([
    [32, MEMORIES],
    [64, MEMORIES],
    [MEMORIES, MEMORIES],
  ])
  expect(await mover.state()).toMatchObject({ current: model('other'), hasRetired: false })
})

test('a move that goes on with the model in another place leaves that place to the servers', async () => {
  const { mover, run } = await setUp()
  const lying = (folder: string) => ({ model: { ...model('other'), source: localIn(folder) } })
  await run('other', { ...lying('/former'), ...stopAfter(1) })
  expect(await run('other', lying('/latter'))).toEqual({ kind: 'moved' })
  expect(await inUse(mover)).toMatchObject({ id: 'other', source: localIn('/latter') })
})

test('one that waits for others to let it begin says so, and can be stopped', async () => {
  const { mover } = await setUp(1)
  const wish = new AbortController()
  const waiting: ReembeddingStore = {
    ...mover,
    async begin(_model, others) {
      others?.onWait()
      others?.stop.throwIfAborted()
      throw new Error('It was not stopped.')
    },
  }
  const changes = { stop: wish.signal, onWait: () => wish.abort() }
  expect(await reembed(waiting, options('other', changes))).toEqual({ kind: 'stopped' })
})

test('a model that the store has is nothing to do, unless it is asked to begin again', async () => {
  const { mover, run, embedded } = await setUp()
  expect(await run(MODEL.id)).toEqual({ kind: 'nothing-to-do' })
  const before = await inUse(mover)
  expect(await run(MODEL.id, { restart: true })).toEqual({ kind: 'moved' })
  expect(embedded()).toBe(MEMORIES)
  expect((await inUse(mover))?.number).toBeGreaterThan(before?.number ?? 0)
})

test('texts that are cut in a new way are reason enough', async () => {
  const { run, embedded } = await setUp()
  const cutAnew = { ...MODEL, piecesVersion: MODEL.piecesVersion + 1 }
  expect(await run(MODEL.id, { model: cutAnew })).toEqual({ kind: 'moved' })
  expect(embedded()).toBe(MEMORIES)
})

test('a model of the same name with vectors of another length is reason enough', async () => {
  const { mover, run } = await setUp(1)
  const embedder = { ...fakeEmbedder(), embedMemory: async () => [pieceOf('', [1, 0, 0])] }
  const shorter = { ...MODEL, dimension: 3 }
  expect(await run(MODEL.id, { model: shorter, embedder })).toEqual({ kind: 'moved' })
  expect(await inUse(mover)).toMatchObject(shorter)
})

test('a repetition with the same model that was stopped goes on without being asked again', async () => {
  const { run, embedded } = await setUp()
  await run(MODEL.id, { restart: true, ...stopAfter(1) })
  expect(await run(MODEL.id)).toEqual({ kind: 'moved' })
  expect(embedded()).toBe(MEMORIES)
})

test('another target is refused while a move is unfinished, and can take its place', async () => {
  const { mover, run } = await setUp()
  await run('other', stopAfter(2))
  expect(await run('third')).toMatchObject({ kind: 'other', growing: { id: 'other' } })
  expect(await run('third', { restart: true })).toEqual({ kind: 'moved' })
  expect(await inUse(mover)).toMatchObject({ id: 'third' })
})

test('what a discarded or replaced generation left is removed by the next run', async () => {
  const { mover, run } = await setUp()
  await run('other', stopAfter(2))
  await mover.discard()
  expect(await run(MODEL.id)).toEqual({ kind: 'nothing-to-do' })
  expect(await mover.state()).toMatchObject({ growing: undefined, hasRetired: false })
})

test('a move that is stopped while it removes the old vectors leaves the rest to the next run', async () => {
  const { mover, run } = await setUp()
  const wish = new AbortController()
  const onSwitched = () => wish.abort()
  expect(await run('other', { onSwitched, stop: wish.signal })).toEqual({ kind: 'stopped' })
  expect(await mover.state()).toMatchObject({ current: model('other'), hasRetired: true })
  expect(await run('other')).toEqual({ kind: 'nothing-to-do' })
  expect(await mover.state()).toMatchObject({ hasRetired: false })
})

test('memories that arrive meanwhile count among those that there are', async () => {
  const { space, run, mover } = await setUp(5)
  const progress: [number, number][] = []
  const switchOver: ReembeddingStore['switchOver'] = async (rest) => {
    if (progress.length < 3) await insert(space)
    return mover.switchOver(rest)
  }
  const onProgress = (done: number, all: number) => void progress.push([done, all])
  await reembed({ ...mover, switchOver }, options('other', { onProgress }))
  expect(progress).toEqual([
    [0, 5],
    [5, 5],
    [6, 6],
  ])
  expect(await run('other')).toEqual({ kind: 'nothing-to-do' })
})

test('the switch comes about although memories are created at every moment, which wait only in the end', async () => {
  const { space, mover } = await setUp(5)
  const rests: number[] = []
  // One more memory before each look at what is missing: without a rest there is always one.
  const switchOver: ReembeddingStore['switchOver'] = async (rest) => {
    rests.push(rest.restMax)
    await insert(space)
    return mover.switchOver(rest)
  }
  const outcome = await reembed({ ...mover, switchOver }, options('other', {}))
  expect(outcome).toEqual({ kind: 'moved' })
  expect(rests).toEqual([0, 0, 0, 0, 0, 8])
  expect(await inUse(mover)).toMatchObject({ id: 'other' })
})

test('a model that is away for a moment is waited for, and any other failure ends the run', async () => {
  const { mover, run } = await setUp(1)
  const away = new EmbedderUnavailable('away')
  let failures = 1
  const embedder = {
    ...fakeEmbedder(),
    embedMemory: async () => {
      if (failures-- > 0) throw away
      return [pieceOf('')]
    },
  }
  expect(await run('other', { embedder })).toEqual({ kind: 'moved' })
  const broken = new Error('a bug')
  const failing = { ...embedder, embedMemory: () => Promise.reject(broken) }
  await expect(run('third', { embedder: failing })).rejects.toBe(broken)
  expect((await mover.state()).growing).toMatchObject({ id: 'third' })
})

test('a model that does not answer keeps nobody from stopping, and what it answered is kept', async () => {
  const { mover, run, embedded } = await setUp(5)
  const wish = new AbortController()
  let asked = 0
  const embedMemory = async () => {
    asked += 1
    if (asked === 5) setImmediate(() => wish.abort())
    if (asked === 1) throw new EmbedderUnavailable('away')
    return asked < 5 ? [pieceOf('')] : new Promise<never>(() => undefined)
  }
  const embedder = { ...fakeEmbedder(), embedMemory }
  expect(await run('other', { embedder, stop: wish.signal })).toEqual({ kind: 'stopped' })
  expect(await mover.progress()).toEqual({ memories: 5, embedded: 3 })
  expect(await run('other')).toEqual({ kind: 'moved' })
  expect(embedded()).toBe(2)
})

test('a stop does not wait until a model that is away would be asked again', async () => {
  const { run } = await setUp(1)
  const wish = new AbortController()
  let asked = 0
  let stoppedAtMs = 0
  const embedMemory = async () => {
    asked += 1
    // After the second time that is two seconds later.
    if (asked === 2) {
      setImmediate(() => {
        stoppedAtMs = performance.now()
        wish.abort()
      })
    }
    throw new EmbedderUnavailable('away')
  }
  const embedder = { ...fakeEmbedder(), embedMemory }
  expect(await run('other', { embedder, stop: wish.signal })).toEqual({ kind: 'stopped' })
  expect(performance.now() - stoppedAtMs).toBeLessThan(1_500)
})

test('a text that the model refuses is asked for once and named, and the others with it are kept', async () => {
  const { mover, run, ids } = await setUp(5)
  const refused = new EmbedderUnavailable('The service failed.', new Refusal('It answered 400.'))
  let asked = 0
  const embedMemory = async () => {
    asked += 1
    if (asked === 2) throw refused
    return [pieceOf('')]
  }
  const embedder = { ...fakeEmbedder(), embedMemory }
  const failure: unknown = await run('other', { embedder }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(NotEmbedded)
  expect(failure).toMatchObject({ memoryId: ids[1], cause: refused })
  expect(asked).toBe(5)
  // The one that was refused lies before those that were not.
  expect(
    (await mover.missing({ memoriesMax: 9, charactersMax: 1_000 })).map(({ id }) => id),
  ).toEqual([ids[1]])
})

test('a model that is away in the middle of a switch is waited for', async () => {
  const { space, mover } = await setUp(5)
  let isSwitching = false
  let failures = 0
  const embedMemory = async () => {
    if (isSwitching && failures === 0) {
      failures += 1
      throw new EmbedderUnavailable('away')
    }
    return [pieceOf('')]
  }
  const switchOver: ReembeddingStore['switchOver'] = async (rest) => {
    await insert(space)
    isSwitching = true
    return mover.switchOver(rest).finally(() => {
      isSwitching = false
    })
  }
  const embedder = { ...fakeEmbedder(), embedMemory }
  const outcome = await reembed({ ...mover, switchOver }, options('other', { embedder }))
  expect([outcome, failures]).toEqual([{ kind: 'moved' }, 1])
})

test('a switch that fails for another reason ends the run', async () => {
  const { mover } = await setUp(1)
  const broken = new Error('a bug')
  let failures = 1
  const switchOver: ReembeddingStore['switchOver'] = async (rest) => {
    if (failures-- > 0) throw broken
    return mover.switchOver(rest)
  }
  await expect(reembed({ ...mover, switchOver }, options('other', {}))).rejects.toBe(broken)
})

test('a store without vectors is left alone', async () => {
  const directory = newFolder()
  await openIn(directory)
  const mover = openSqliteReembedding(directory)
  onTestFinished(() => mover.close())
  expect(await reembed(mover, options('other', {}))).toEqual({ kind: 'empty' })
})
