// Who asks the same at the same time shares a question, and nobody is given an answer to one that was put
// before they came. Questions are answered when the case says so.
import { expect, test } from 'vitest'
import { Gathering } from './gathering.ts'

/** Questions that are answered when the test says so. */
function setUp() {
  const gathering = new Gathering<string>()
  const asked: { count: number; answer: (text: string) => void; fail: (error: unknown) => void }[] =
    []
  const join = (name = 'a') =>
    gathering.join(name, (count) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      asked.push({ count, answer: resolve, fail: reject })
      return promise
    })
  return { asked, join }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('those who come together ask once, and each has a place', async () => {
  const { asked, join } = setUp()
  const joined = [join(), join(), join()]
  await settle()
  expect(asked.map(({ count }) => count)).toEqual([3])
  asked[0]?.answer('yes')
  expect(await Promise.all(joined)).toEqual([0, 1, 2].map((place) => ({ answer: 'yes', place })))
})

test('who comes while a question is under way is not given its answer', async () => {
  const { asked, join } = setUp()
  const first = join()
  await settle()
  const late = [join(), join()]
  await settle()
  expect(asked).toHaveLength(1)
  asked[0]?.answer('old')
  expect(await first).toEqual({ answer: 'old', place: 0 })
  await settle()
  expect(asked.map(({ count }) => count)).toEqual([1, 2])
  const later = join()
  await settle()
  expect(asked).toHaveLength(2)
  asked[1]?.answer('new')
  expect((await Promise.all(late)).map(({ answer }) => answer)).toEqual(['new', 'new'])
  await settle()
  asked[2]?.answer('newer')
  expect((await later).answer).toBe('newer')
})

test('other names do not wait for each other', async () => {
  const { asked, join } = setUp()
  const joined = [join('a'), join('b')]
  await settle()
  expect(asked).toHaveLength(2)
  for (const { answer } of asked) answer('yes')
  expect((await Promise.all(joined)).map(({ place }) => place)).toEqual([0, 0])
})

test('a failure is also that of those who wait behind it, and of nobody later', async () => {
  const { asked, join } = setUp()
  const failing = [join(), join()].map((joined) => joined.catch(String))
  await settle()
  failing.push(join().catch(String))
  asked[0]?.fail('away')
  expect(await Promise.all(failing)).toEqual(['away', 'away', 'away'])
  const next = join()
  await settle()
  expect(asked).toHaveLength(2)
  asked[1]?.answer('yes')
  expect(await next).toEqual({ answer: 'yes', place: 0 })
})
