import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StoreError } from '../../store.ts'
import { BulkWork } from './bulk-work.ts'

const AWAY = new StoreError('unavailable', new Error('silent'))
/** What finds a turn free begins in the next microtask. */
const hasBegun = Promise.resolve()

test('askers take turns, and no more are under way than may be', async () => {
  const bulk = new BulkWork(2)
  const begun: string[] = []
  let [underWay, most] = [0, 0]
  const work = (asker: string, name: string) =>
    bulk.run(asker, async () => {
      begun.push(name)
      underWay += 1
      most = Math.max(most, underWay)
      await sleep(1)
      underWay -= 1
    })
  const loud = ['a', 'b', 'c', 'd', 'e'].map((name) => work('loud', name))
  await Promise.all([...loud, work('quiet', 'quiet')])
  expect(begun).toEqual(['a', 'b', 'c', 'quiet', 'd', 'e'])
  expect(most).toBe(2)
})

test('when the database was silent for one, all that wait are told so at once, and later ones try', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const bulk = new BulkWork(1)
  const silent = Promise.withResolvers<string>()
  const first = bulk.run(1, () => silent.promise)
  const waiting = [1, 1, 2].map((asker) => bulk.run(asker, async () => 'done'))
  await hasBegun
  vi.advanceTimersByTime(2_500)
  silent.reject(AWAY)
  for (const each of await Promise.allSettled([first, ...waiting])) {
    expect(each).toEqual({ status: 'rejected', reason: AWAY })
  }
  expect(await bulk.run(1, async () => 'again')).toBe('again')
})

test.each([
  ['that fails at once', AWAY, 999],
  ['that is at fault itself', new StoreError('fault', undefined), 2_500],
])('work %s takes nobody else along', async (_, failure, afterMs) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const bulk = new BulkWork(1)
  const failing = Promise.withResolvers<string>()
  const first = bulk.run(1, () => failing.promise)
  const next = bulk.run(1, async () => 'done')
  await hasBegun
  vi.advanceTimersByTime(afterMs)
  failing.reject(failure)
  await expect(first).rejects.toBe(failure)
  expect(await next).toBe('done')
})

test('while any comes through, one that had to wait for too long takes nobody else along', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const bulk = new BulkWork(2)
  const [held, comes] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const both = [held, comes].map(({ promise }, asker) => bulk.run(asker, () => promise))
  const ended = Promise.withResolvers<string>()
  const next = bulk.run(1, () => ended.promise)
  const last = bulk.run(1, async () => 'last')
  await hasBegun
  vi.advanceTimersByTime(2_000)
  comes.resolve('came')
  await turn()
  vi.advanceTimersByTime(1_000)
  held.reject(AWAY)
  await expect(both[0]).rejects.toBe(AWAY)
  ended.resolve('next')
  expect(await Promise.all([both[1], next, last])).toEqual(['came', 'next', 'last'])
})
