import { expect, test } from 'vitest'
import { inRounds, latencyOf, medianTiming } from './rounds.ts'

test('contenders take turns, and the first round is not counted', async () => {
  const calls: string[] = []
  const note = (name: string) => (input: number) => calls.push(`${name}${input}`)
  await inRounds([1, 2], { a: note('a'), b: note('b') }, { rounds: 2, budgetMs: 60_000 })
  const round = ['a1', 'a2', 'b1', 'b2']
  expect(calls).toEqual([...round, ...round, ...round])
})

test('a contender whose time is up still gets a few inputs', async () => {
  let calls = 0
  const inputs = Array.from({ length: 100 }, (_, input) => input)
  await inRounds(inputs, { slow: () => (calls += 1) }, { rounds: 1, budgetMs: -1 })
  expect(calls).toBe(6)
})

test('one disturbed round does not change a figure', () => {
  const quiet = { ...latencyOf([1, 1, 1, 2]), cpuMs: 1 }
  expect(medianTiming([quiet, { p50: 90, p99: 900, cpuMs: 9 }, quiet])).toEqual({
    p50: 1,
    p99: 2,
    cpuMs: 1,
  })
})
