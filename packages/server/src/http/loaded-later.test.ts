import { expect, test } from 'vitest'
import { loadedLater } from './loaded-later.ts'

test('what was loaded is kept, and what could not be loaded is loaded when it is asked for again', async () => {
  let times = 0
  const ask = loadedLater(async () => {
    times += 1
    if (times === 1) throw new Error('EMFILE: too many open files')
    return { times }
  })
  const both = await Promise.allSettled([ask(), ask()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await ask()).toEqual({ times: 2 })
  expect(await ask()).toBe(await ask())
})
