import { getEventListeners } from 'node:events'
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

test('a read whose caller has left while it waits is not made, and the others have its turn', async () => {
  const reads = new LongReads(ONE)
  const end = Promise.withResolvers<string>()
  const first = reads.run(LOUD, () => end.promise)
  const [leaving, staying] = [new AbortController(), new AbortController()]
  const made: string[] = []
  const read = (name: string, signal: AbortSignal) =>
    reads.run(LOUD, async () => made.push(name), signal)
  const gone = read('gone', leaving.signal)
  const others = [read('one', staying.signal), read('two', staying.signal)]
  const reason = new Error('left')
  leaving.abort(reason)
  await expect(gone).rejects.toBe(reason)
  await expect(read('left before', leaving.signal)).rejects.toBe(reason)
  end.resolve('first')
  await Promise.all([first, ...others])
  // Too late: nothing of it is left to be taken back.
  expect(getEventListeners(staying.signal, 'abort')).toEqual([])
  staying.abort(reason)
  expect(made).toEqual(['one', 'two'])
  expect(await reads.run(LOUD, async () => 'next')).toBe('next')
})

test('where more of one space wait than are in order, the oldest and the newest have turns', async () => {
  const reads = new LongReads(ONE)
  const end = Promise.withResolvers<string>()
  const first = reads.run(LOUD, () => end.promise)
  const begun: number[] = []
  const rest = Array.from({ length: 34 }, (_, no) => reads.run(LOUD, async () => begun.push(no)))
  end.resolve('first')
  await Promise.all([first, ...rest])
  expect(begun.slice(0, 4)).toEqual([0, 33, 1, 2])
  expect(begun).toHaveLength(34)
})
