import { expect, test } from 'vitest'
import { sharedAnswer } from './shared-answer.ts'

test('whoever asks meanwhile gets the answer that is being made, later ones a new one', async () => {
  const making: ((value: number) => void)[] = []
  const ask = sharedAnswer(() => new Promise<number>((resolve) => making.push(resolve)))
  const [first, second] = [ask(), ask()]
  expect(making).toHaveLength(1)
  making[0]?.(1)
  expect(await Promise.all([first, second])).toEqual([1, 1])
  const later = ask()
  making[1]?.(2)
  expect(await later).toBe(2)
})

test('a failure is told to all of them, and the next one tries again', async () => {
  let tries = 0
  const ask = sharedAnswer(async () => {
    tries += 1
    if (tries === 1) throw new Error('not yet')
    return tries
  })
  const both = await Promise.allSettled([ask(), ask()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await ask()).toBe(2)
})
