// Answers travel together where several jobs are at hand, and none waits long for others. The worker's side
// runs in this thread with a clock that jobs move, so that they take as long as they are said to.
import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { type JobMessage, serveJobs } from './serve-jobs.ts'
import { newCells, Tickets } from './tickets.ts'

type Sent = { job: string; isOneOfMany?: boolean; isCalledBack?: boolean }

const ports: { close(): void }[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
  vi.restoreAllMocks()
})

/** What a worker says to jobs that all are at hand when it begins. Each takes so long by the clock. */
async function answersTo(sent: readonly Sent[], tookMs = 1): Promise<unknown[]> {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1, port2)
  const tickets = new Tickets(newCells(sent.length))
  const messages: unknown[] = []
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const all = sent.map(({ job, isOneOfMany = true, isCalledBack = false }) => {
    const ticket = tickets.issue()
    if (isCalledBack) tickets.callBack(ticket)
    return { job, ticket, isOneOfMany } satisfies JobMessage<string>
  })
  for (const message of all) port1.postMessage(message)
  port1.on('message', (message) => messages.push(message))
  // The loop turns before it works, as that of the model does, so that all have arrived.
  serveJobs(port2, tickets.cells, async (job: string) => {
    await new Promise((resolve) => setImmediate(resolve))
    nowMs += tookMs
    return { result: job }
  })
  const expected = sent.filter(({ isCalledBack }) => !isCalledBack).length
  const told = () => messages.slice(1).flat().length
  while (told() < expected) await once(port1, 'message')
  return messages
}

test('says that it is ready, and answers in the order in which jobs were sent', async () => {
  const jobs = ['a', 'b'].map((job) => ({ job, isOneOfMany: false }))
  expect(await answersTo(jobs)).toEqual(['ready', [{ result: 'a' }], [{ result: 'b' }]])
})

test('answers to some of many travel together', async () => {
  const answers = await answersTo(['a', 'b', 'c'].map((job) => ({ job })))
  expect(answers).toEqual(['ready', [{ result: 'a' }, { result: 'b' }, { result: 'c' }]])
})

test('an answer does not wait for a job that is none of many, nor one that is none itself', async () => {
  expect(await answersTo([{ job: 'a' }, { job: 'b', isOneOfMany: false }, { job: 'c' }])).toEqual([
    'ready',
    [{ result: 'a' }],
    [{ result: 'b' }],
    [{ result: 'c' }],
  ])
})

test('an answer waits no longer than a few jobs of a short text take', async () => {
  const answers = await answersTo(
    ['a', 'b', 'c', 'd'].map((job) => ({ job })),
    7,
  )
  expect(answers).toEqual([
    'ready',
    [{ result: 'a' }, { result: 'b' }],
    [{ result: 'c' }, { result: 'd' }],
  ])
})

test('an answer does not wait for jobs that were called back', async () => {
  const jobs = [{ job: 'a' }, { job: 'b', isCalledBack: true }, { job: 'c', isCalledBack: true }]
  expect(await answersTo(jobs)).toEqual(['ready', [{ result: 'a' }]])
})
