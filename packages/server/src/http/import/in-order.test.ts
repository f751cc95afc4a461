// Results come in the order of their tasks and as soon as they can, with a bound on what is under way, and
// nothing begins for whoever has left. Tasks take turns of the event loop, and no time.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inOrder, type Task } from './in-order.ts'

const AT_ONCE = 4
const pause = (turns: number): Promise<void> =>
  turns === 0
    ? Promise.resolve()
    : new Promise((resolve) => setImmediate(resolve)).then(() => pause(turns - 1))

test('whatever takes how long, results come in the order of the tasks and never too many are begun', async () => {
  const turns = fc.record({ before: fc.nat(2), work: fc.nat(5), reading: fc.nat(2) })
  await fc.assert(
    fc.asyncProperty(fc.array(turns, { maxLength: 30 }), async (each) => {
      let begun = 0
      const taken: number[] = []
      async function* tasks(): AsyncGenerator<Task<number>, void> {
        for (const [index, { before, work }] of each.entries()) {
          await pause(before)
          yield async () => {
            begun += 1
            expect(begun - taken.length).toBeLessThanOrEqual(AT_ONCE)
            await pause(work)
            return index
          }
        }
      }
      for await (const results of inOrder(tasks(), AT_ONCE)) {
        expect(results.length).toBeGreaterThan(0)
        taken.push(...results)
        await pause(each[taken.length]?.reading ?? 0)
      }
      expect(taken).toEqual(each.map((_, index) => index))
    }),
  )
})

test('what is finished is handed out while the next task is still waited for', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  async function* asker(): AsyncGenerator<Task<string>, void> {
    yield async () => 'first'
    // A second question only when the first is answered.
    await answered
    yield async () => 'second'
  }
  const all: string[] = []
  for await (const results of inOrder(asker(), AT_ONCE)) {
    all.push(...results)
    answer()
  }
  expect(all).toEqual(['first', 'second'])
})

test('whoever leaves early waits for what was begun', async () => {
  let ended = 0
  async function* tasks(): AsyncGenerator<Task<number>, void> {
    for (let index = 0; index < 10; index += 1) {
      yield async () => {
        await pause(index)
        ended += 1
        return index
      }
    }
  }
  for await (const results of inOrder(tasks(), AT_ONCE)) {
    expect(results).toContain(0)
    break
  }
  const left = ended
  await pause(20)
  expect(ended).toBe(left)
})

test('whoever has left, and been told so, sees no task begin any more', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const events: string[] = []
  async function* tasks(): AsyncGenerator<Task<string>, void> {
    // Long enough for the second one to be asked for.
    yield async () => pause(3).then(() => 'first')
    await arrived
    yield async () => {
      events.push('second began')
      await pause(2)
      events.push('second ended')
      return 'second'
    }
  }
  const results = inOrder(tasks(), AT_ONCE)
  expect((await results.next()).value).toEqual(['first'])
  const left = results.return().then(() => events.push('left'))
  await pause(3)
  arrive()
  await left
  await pause(5)
  expect(events.at(-1)).toBe('left')
})
