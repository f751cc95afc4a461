// How long a move to another model waits for one that is away. Nobody sleeps here: the waits are added up.
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Embedder, EmbedderUnavailable } from '../embedding/embedder.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../storage/conformance/records.ts'
import { MODEL, subjectOf } from '../storage/conformance/subject.ts'
import { openSqliteReembedding } from '../storage/sqlite/reembedding/open-reembedding.ts'
import { openIn } from '../storage/sqlite/testing/store-in-folder.ts'
import { fakeEmbedder } from '../testing/fake-embedder.ts'
import { newFolder } from '../testing/new-folder.ts'
import { NotEmbedded, reembed } from './reembed.ts'

const slept = vi.hoisted(() => ({ ms: 0 }))
vi.mock(import('node:timers/promises'), async (original) => {
  const timers = await original()
  const setTimeout: typeof timers.setTimeout = (ms, value, options) => {
    slept.ms += ms ?? 0
    return timers.setTimeout(0, value, options)
  }
  return { ...timers, setTimeout }
})

/** Moves memories of these texts. */
async function move(contents: string[], embedMemory: Embedder['embedMemory']) {
  const directory = newFolder()
  const space = await subjectOf(await openIn(directory)).newSpace()
  for (const content of contents) {
    await space.memories.insert(memoryOf({ content }), [pieceOf('')], NO_RECEIPT)
  }
  const mover = openSqliteReembedding(directory)
  onTestFinished(() => mover.close())
  slept.ms = 0
  return reembed(mover, {
    embedder: { ...fakeEmbedder(), embedMemory },
    model: { ...MODEL, id: 'other' },
    restart: false,
    stop: new AbortController().signal,
    onWait: () => undefined,
    onAway: () => undefined,
    onProgress: () => undefined,
    onSwitched: () => undefined,
  })
}

/** Moves one memory to a model that answers once so much time has passed. */
const moveTo = ({ backAfterMs }: { backAfterMs: number }) =>
  move(['hello'], async () => {
    if (slept.ms < backAfterMs) throw new EmbedderUnavailable('away')
    return [pieceOf('')]
  })

test('a service that takes so much a minute is waited for until its next minute', async () => {
  expect(await moveTo({ backAfterMs: 60_000 })).toEqual({ kind: 'moved' })
})

test('one that stays away ends the move, which a later one goes on with', async () => {
  const moved = moveTo({ backAfterMs: Number.POSITIVE_INFINITY })
  await expect(moved).rejects.toBeInstanceOf(NotEmbedded)
  expect(slept.ms).toBeLessThan(3 * 60_000)
})

test('when another try would not help one text, no other text is waited for, and the reason is told', async () => {
  const refusal = Object.assign(new Error('It answered 401.'), { isTransient: false })
  const refused = new EmbedderUnavailable('The service failed.', refusal)
  // A service that failed for some texts counts as away for those behind them.
  const moved = move(['away', 'refused'], async (content) => {
    throw content === 'refused' ? refused : new EmbedderUnavailable('away')
  })
  await expect(moved).rejects.toMatchObject({ name: 'NotEmbedded', cause: refused })
  expect(slept.ms).toBeLessThan(10_000)
})
