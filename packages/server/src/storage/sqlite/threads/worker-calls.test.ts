// Each call gets its own result or failure, in its turn, also when the worker dies. The workers are real
// threads that die in the way they are told to.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StoreError, StoreOverloaded } from '../../store.ts'
import type { procedures } from '../testing/dying.worker.ts'
import { LateThread } from './late-thread.ts'
import { postReplies, type Reply, WorkerCalls } from './worker-calls.ts'

function start() {
  const deaths: unknown[] = []
  const calls = new WorkerCalls<typeof procedures>(
    new URL('../testing/dying.worker.ts', import.meta.url),
    { data: undefined, onDeath: (error) => deaths.push(error) },
  )
  onTestFinished(() => calls.terminate())
  return { calls, deaths }
}

const unavailable = { kind: 'unavailable' }

test('results and failures come back to their own calls', async () => {
  const { calls, deaths } = start()
  const [one, failure, two] = await Promise.allSettled([
    calls.call('echo', { text: '🙂', bytes: new Float32Array([1, 2]) }),
    calls.call('fail', 'no'),
    calls.call('echo', undefined),
  ])
  expect(one).toMatchObject({ value: { text: '🙂', bytes: new Float32Array([1, 2]) } })
  expect(failure).toMatchObject({ reason: { kind: 'fault', cause: { message: 'no' } } })
  expect(two).toMatchObject({ status: 'fulfilled', value: undefined })
  expect(deaths).toEqual([])
})

test('a refusal of a worker that has too much to do is known as one here', async () => {
  const { calls } = start()
  const refused = expect(calls.call('overload', 'all turns are taken')).rejects
  await refused.toThrow(new StoreOverloaded('all turns are taken'))
  await expect(calls.call('overload', '')).rejects.toBeInstanceOf(StoreOverloaded)
})

test("what a worker is told comes in its turn and without an answer, and its failure is nobody's", async () => {
  const { calls, deaths } = start()
  calls.tell('note', 1)
  calls.tell('fail', 'no')
  const before = calls.call('noted')
  calls.tell('note', 2)
  expect([await before, await calls.call('noted')]).toEqual([[1], [1, 2]])
  expect(deaths).toEqual([])
})

test('the calls of a long turn are begun before it ends, and come in their order', async () => {
  const { calls } = start()
  const cell = new Int32Array(new SharedArrayBuffer(4))
  calls.tell('wake', cell)
  for (let no = 1; no < 40; no += 1) calls.tell('note', no)
  // Nothing else happens in this thread meanwhile.
  expect(Atomics.wait(cell, 0, 0, 10_000)).not.toBe('timed-out')
  expect(await calls.call('noted')).toEqual(Array.from({ length: 39 }, (_, index) => index + 1))
})

test('an answer that is promised leaves before the next call begins', async () => {
  const { calls } = start()
  const cell = new Int32Array(new SharedArrayBuffer(4))
  const promised = calls.call('echoLater', 1)
  const held = calls.call('hold', cell)
  expect(await promised).toBe(1)
  Atomics.store(cell, 0, 1)
  Atomics.notify(cell, 0)
  expect(await held).not.toBe('timed-out')
})

test('those whom calls are for take turns, and each has its calls in their order', async () => {
  const { calls } = start()
  const cell = new Int32Array(new SharedArrayBuffer(4))
  calls.tell('hold', cell)
  for (let no = 1; no <= 20; no += 1) calls.tell('noteFor', 'loud', no)
  calls.tell('noteFor', 'quiet', 1)
  calls.tell('noteFor', 'quiet', 2)
  const last = calls.call('noteFor', 'loud', 21)
  await nextTurn()
  Atomics.store(cell, 0, 1)
  Atomics.notify(cell, 0)
  await last
  const all = await calls.call('noted')
  expect(all.slice(0, 5)).toEqual(['loud 1', 'quiet 1', 'loud 2', 'quiet 2', 'loud 3'])
  expect(all).toHaveLength(23)
  expect(all.at(-1)).toBe('loud 21')
})

test('a call that is taken back before it has begun is not made, and the others are', async () => {
  const { calls } = start()
  const cell = new Int32Array(new SharedArrayBuffer(4))
  calls.tell('hold', cell)
  const [leaving, staying] = [new AbortController(), new AbortController()]
  const gone = calls.callUntil(leaving.signal, 'noteFor', 'loud', 1)
  const stays = calls.callUntil(staying.signal, 'noteFor', 'loud', 2)
  await nextTurn()
  const reason = new Error('left')
  leaving.abort(reason)
  await expect(gone).rejects.toBe(reason)
  await expect(calls.callUntil(leaving.signal, 'noteFor', 'loud', 3)).rejects.toBe(reason)
  await nextTurn()
  Atomics.store(cell, 0, 1)
  Atomics.notify(cell, 0)
  await stays
  // Too late: it was answered.
  staying.abort(reason)
  expect(await calls.call('noted')).toEqual(['loud 2'])
})

test('what goes on beside other calls hears when its caller has left, and answers nobody', async () => {
  const { calls, deaths } = start()
  const [leaving, staying] = [new AbortController(), new AbortController()]
  const gone = calls.callUntil(leaving.signal, 'noteWhenLeft', 'gone')
  const stays = calls.callUntil(staying.signal, 'noteWhenLeft', 'staying')
  expect(await calls.call('noted')).toEqual([])
  const reason = new Error('left')
  leaving.abort(reason)
  await expect(gone).rejects.toBe(reason)
  expect(await calls.call('noted')).toEqual(['gone left'])
  staying.abort(reason)
  await expect(stays).rejects.toBe(reason)
  expect(deaths).toEqual([])
})

test('the answers of a large commit come in their order, and the first without the last', () => {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const replies = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, result: undefined }))
  postReplies(port1, replies)
  const messages: Reply[][] = []
  for (let next = receiveMessageOnPort(port2); next; next = receiveMessageOnPort(port2)) {
    messages.push(next.message)
  }
  expect(messages.map(({ length }) => length)).toEqual([16, 16, 8])
  expect(messages.flat()).toEqual(replies)
})

test.each(['exit', 'failFatally'] as const)(
  'a worker that dies by %s is reported once, and every call fails',
  async (way) => {
    const { calls, deaths } = start()
    const waiting = [calls.call('echo', 1), calls.call(way, 3), calls.call('echo', 2)]
    const [, ...rest] = await Promise.allSettled(waiting)
    for (const each of rest) expect(each).toMatchObject({ reason: unavailable })
    await expect(calls.call('echo', 4)).rejects.toBeInstanceOf(StoreError)
    await calls.ended()
    expect(deaths).toHaveLength(1)
  },
)

test('a worker for which there is no thread is reported as one that could not begin, and every call fails', async () => {
  const failures: unknown[] = []
  const calls = new WorkerCalls<typeof procedures>(
    new URL('../testing/dying.worker.ts', import.meta.url),
    {
      // Node makes no thread for what cannot cross over to it, either.
      data: () => undefined,
      onDeath: () => expect.unreachable(),
      onFailedStart: (error) => failures.push(error),
    },
  )
  // Whoever begins it hears of that once they have it.
  expect(failures).toEqual([])
  await expect(calls.call('echo', 1)).rejects.toMatchObject(unavailable)
  await calls.ended()
  await calls.terminate()
  expect(failures).toHaveLength(1)
})

test('one that begins later and could not is begun again as much later, until it is forgotten', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { calls } = start()
  const failedStarts: (() => void)[] = []
  const late = new LateThread<typeof procedures>((onFailedStart) => {
    failedStarts.push(onFailedStart)
    return calls
  })
  late.getLater(100)
  vi.advanceTimersByTime(100)
  expect(late.begun).toBe(calls)
  failedStarts.at(-1)?.()
  expect(late.begun).toBeUndefined()
  vi.advanceTimersByTime(100)
  expect(failedStarts).toHaveLength(2)
  late.forget()
  failedStarts.at(-1)?.()
  vi.advanceTimersByTime(1_000)
  expect(failedStarts).toHaveLength(2)
})

test('a worker that ends as asked is no death, and later calls fail at once', async () => {
  const { calls, deaths } = start()
  await Promise.all([calls.call('echo', 1), calls.call('close')])
  await calls.ended()
  await expect(calls.call('echo', 2)).rejects.toMatchObject(unavailable)
  calls.tell('echo', 3)
  expect(deaths).toEqual([])
})

test('arguments that cannot cross over fail their own call only', async () => {
  const { calls, deaths } = start()
  const [before, refused, after] = await Promise.allSettled([
    calls.call('echo', 1),
    calls.call('echo', () => undefined),
    calls.call('echo', 2),
  ])
  expect([before, after]).toMatchObject([{ value: 1 }, { value: 2 }])
  expect(refused.status).toBe('rejected')
  expect(deaths).toEqual([])
})
