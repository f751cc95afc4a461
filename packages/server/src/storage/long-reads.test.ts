import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LongReads } from './long-reads.ts'
import type { SpaceId } from './records.ts'
import { StoreOverloaded } from './store.ts'

const [LOUD, QUIET] = [1 as SpaceId, 2 as SpaceId]
const ONE = { atOnceMax: 1, waitMsMax: 60_000 }

test('spaces take turns, and each in its order', async () => {
  const reads = new LongReads(ONE)
  const begun: string[] = []
  const read = (space: SpaceId, name: string) =>
    reads.run(space, async () => {
      begun.push(name)
      await sleep(1)
    })
  const loud = ['a', 'b', 'c', 'd'].map((name) => read(LOUD, name))
  await Promise.all([...loud, read(QUIET, 'quiet'), read(QUIET, 'quiet too')])
  expect(begun).toEqual(['a', 'b', 'quiet', 'c', 'quiet too', 'd'])
})

test('a turn that does not come in time is refused, takes nobody else along, and is free later', async () => {
  const reads = new LongReads({ ...ONE, waitMsMax: 20 })
  const end = Promise.withResolvers<string>()
  const first = reads.run(LOUD, () => end.promise)
  const late = [LOUD, LOUD, QUIET].map((space) => reads.run(space, async () => 'read'))
  for (const each of late) await expect(each).rejects.toBeInstanceOf(StoreOverloaded)
  const next = reads.run(QUIET, async () => 'next')
  end.resolve('first')
  expect(await Promise.all([first, next])).toEqual(['first', 'next'])
  await expect(reads.run(LOUD, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await reads.run(LOUD, async () => 'again')).toBe('again')
})

test('nothing is left to be done for whoever got a turn', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const reads = new LongReads(ONE)
  const both = [LOUD, LOUD].map((space) => reads.run(space, async () => 'read'))
  expect(vi.getTimerCount()).toBe(1)
  expect(await Promise.all(both)).toEqual(['read', 'read'])
  expect(vi.getTimerCount()).toBe(0)
})
