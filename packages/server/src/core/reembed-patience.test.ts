// How long a move to another model waits for one that is away. Nobody sleeps here: the waits are added up.
import { expect, onTestFinished, test, vi } from 'vitest'
import { EmbedderUnavailable } from '../embedding/embedder.ts'
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

/** Moves one memory to a model that answers once so much time has passed. */
async function moveTo({ backAfterMs }: { backAfterMs: number }) {
  const directory = newFolder()
  const space = await subjectOf(await openIn(directory)).newSpace()
  await space.memories.insert(memoryOf(), [pieceOf('')], NO_RECEIPT)
  const mover = openSqliteReembedding(directory)
  onTestFinished(() => mover.close())
  slept.ms = 0
  const embedMemory = async () => {
    if (slept.ms < backAfterMs) throw new EmbedderUnavailable('away')
    return [pieceOf('')]
  }
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

test('a service that takes so much a minute is waited for until its next minute', async () => {
  expect(await moveTo({ backAfterMs: 60_000 })).toEqual({ kind: 'moved' })
})

test('one that stays away ends the move, which a later one goes on with', async () => {
  const moved = moveTo({ backAfterMs: Number.POSITIVE_INFINITY })
  await expect(moved).rejects.toBeInstanceOf(NotEmbedded)
  expect(slept.ms).toBeLessThan(3 * 60_000)
})
