// One stream reads lines in each round of the event loop, and accounts take turns, however many streams one
// of them has. Rounds are counted, and no time is measured but that of a rest.
import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ReadingTurns } from './reading-turns.ts'

/** Streams that always have another line; names them in the order of their turns. */
function endlessStreams(turns: ReadingTurns, askers: readonly string[]) {
  const order: string[] = []
  let isOver = false
  const reading = askers.map(async (asker) => {
    const turn = turns.of(asker)
    while (!isOver) {
      await turn.next()
      order.push(asker)
    }
  })
  const end = async (): Promise<void> => {
    isOver = true
    await Promise.all(reading)
  }
  return { order, end }
}

test('in each round one stream has its turn', async () => {
  const { order, end } = endlessStreams(new ReadingTurns(), ['a', 'b', 'c', 'd'])
  await nextRound()
  const before = order.length
  for (let round = 1; round <= 20; round += 1) {
    await nextRound()
    expect(order.length - before).toBe(round)
  }
  await end()
})

test('an account with one stream has as many turns as one with ten', async () => {
  const { order, end } = endlessStreams(new ReadingTurns(), [...Array(10).fill('many'), 'one'])
  for (let round = 0; round < 40; round += 1) await nextRound()
  await end()
  const ofOne = order.slice(0, 40).filter((asker) => asker === 'one')
  expect(ofOne.length).toBeGreaterThanOrEqual(19)
})

test('a turn lasts for many short lines, and ends with a long one, with its time, and with its round', async () => {
  let nowMs = 1_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  onTestFinished(() => clock.mockRestore())
  const turn = new ReadingTurns().of('a')
  expect(turn.lasts()).toBe(false)
  await turn.next()
  for (let line = 0; line < 100; line += 1) turn.spend(100)
  expect(turn.lasts()).toBe(true)
  turn.spend(1024 * 1024)
  expect(turn.lasts()).toBe(false)
  await turn.next()
  expect(turn.lasts()).toBe(true)
  nowMs += 4
  expect(turn.lasts()).toBe(true)
  nowMs += 1
  expect(turn.lasts()).toBe(false)
  await turn.next()
  await nextRound()
  await nextRound()
  expect(turn.lasts()).toBe(false)
})

test('after a long line all streams rest as long as it took', async () => {
  const turns = new ReadingTurns()
  const [turn, other] = [turns.of('a'), turns.of('b')]
  await turn.next()
  const startedMs = performance.now()
  while (performance.now() - startedMs < 30);
  turn.spend(1024 * 1024)
  const readMs = performance.now()
  await other.next()
  expect(performance.now() - readMs).toBeGreaterThan(28)
})

test('a stream that waits alone is let in at once', async () => {
  const turn = new ReadingTurns().of('a')
  let isIn = false
  void turn.next().then(() => {
    isIn = true
  })
  await Promise.resolve()
  expect(isIn).toBe(true)
})
