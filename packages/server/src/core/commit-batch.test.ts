// A batch goes when it is full, has waited long enough or has nobody to wait for: no member of
// it waits for what will not come.
import { expect, onTestFinished, test, vi } from 'vitest'
import { CommitBatch } from './commit-batch.ts'

function setUp(countMax: number) {
  const together = new CommitBatch(countMax)
  const gone: number[] = []
  const come = (name: number, waitMs = 20): Promise<void> =>
    together.run(async () => {
      await together.wait(waitMs)
      gone.push(name)
    })
  /** Is under way, and waits for nobody. */
  const goAhead = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const ended = together.run(() => promise)
    return () => {
      resolve()
      return ended
    }
  }
  return { together, gone, come, goAhead }
}

test('enough of them go on at once, fewer when the first has waited long enough', async () => {
  const { gone, come, goAhead } = setUp(3)
  const end = goAhead()
  const all = [1, 2].map((name) => come(name))
  await Promise.resolve()
  expect(gone).toEqual([])
  all.push(come(3), come(4))
  await Promise.all(all.slice(0, 3))
  expect(gone).toEqual([1, 2, 3])
  await all[3]
  expect(gone).toEqual([1, 2, 3, 4])
  await end()
})

test('the time of those who have gone is not that of the next ones', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { gone, come, goAhead } = setUp(2)
  const end = goAhead()
  await Promise.all([come(1, 20), come(2)])
  const next = come(3, 30)
  await vi.advanceTimersByTimeAsync(25)
  expect(gone).toEqual([1, 2])
  await vi.advanceTimersByTimeAsync(5)
  await next
  expect(gone).toEqual([1, 2, 3])
  await end()
})

test('whoever is alone waits for nobody', async () => {
  const { together, gone, come } = setUp(3)
  await come(1, 1_000_000)
  expect(gone).toEqual([1])
  expect(together.underWay).toBe(0)
})

test('they go on as soon as nobody else is under way, also when that one has failed', async () => {
  const { together, gone, come, goAhead } = setUp(3)
  const end = goAhead()
  const failing = Promise.withResolvers<void>()
  const failed = expect(together.run(() => failing.promise)).rejects.toThrow('no model')
  const waiting = come(1, 1_000_000)
  await end()
  expect(gone).toEqual([])
  failing.reject(new Error('no model'))
  await Promise.all([failed, waiting])
  expect(gone).toEqual([1])
})
