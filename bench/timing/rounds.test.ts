import { expect, test } from 'vitest'
import { inRounds, latencyOf, medianTiming } from './rounds.ts'

test('everybody warms up, and then contenders take turns', async () => {
  const calls: string[] = []
  const note = (name: string) => (input: number) => calls.push(`${name}${input}`)
  const options = { rounds: 2, warmUpMs: 0, budgetMs: 60_000 }
  await inRounds([1, 2], { a: note('a'), b: note('b') }, options)
  const round = ['a1', 'a2', 'b1', 'b2']
  expect(calls.slice(-8)).toEqual([...round, ...round])
  expect(new Set(calls.slice(0, -8))).toEqual(new Set(round))
})

test('a contender whose time is up still gets a few inputs', async () => {
  let calls = 0
  const inputs = Array.from({ length: 100 }, (_, input) => input)
  const count = () => {
    calls += 1
  }
  await inRounds(inputs, { slow: count }, { rounds: 1, warmUpMs: -1, budgetMs: -1 })
  expect(calls).toBe(6)
})

test('without inputs nothing is measured, and nothing hangs', async () => {
  const options = { rounds: 1, warmUpMs: 10, budgetMs: 10 }
  const { none } = await inRounds([], { none: () => 0 }, options)
  expect(none.p50).toBeNaN()
})

test('one disturbed round does not change a figure', () => {
  const quiet = { ...latencyOf([1, 1, 1, 2]), firstMs: 2, cpuMs: 1 }
  expect(medianTiming([quiet, { p50: 90, p99: 900, firstMs: 90, cpuMs: 9 }, quiet])).toEqual({
    p50: 1,
    p99: 2,
    firstMs: 2,
    cpuMs: 1,
  })
})
