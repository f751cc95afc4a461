// The worker's side of the pool: one job at a time, in the order in which they were sent, but for those
// that were called back while they waited. Answers to jobs that are some of many travel together: each
// message wakes the pool's thread in the middle of what the model does.
// decisions/2026-11-21-own-embedding-pool.md
import type { MessagePort } from 'node:worker_threads'
import { type Ticket, type TicketCells, Tickets } from './tickets.ts'

export type JobMessage<Job> = {
  job: Job
  ticket: Ticket
  /** Its answer may wait for those of the next jobs at hand. */
  isOneOfMany: boolean
}
export type WorkerAnswer<Result> = { result: Result } | { error: unknown }
/** `own` is what the pool was given for its workers. */
export type PoolWorkerData<Own> = { own: Own; cells: TicketCells }

/** Since the first of the answers that wait was begun. */
const TOGETHER_MS = 12

/** Says that the worker is ready, and answers from then on. A job that rejects costs the worker. */
export function serveJobs<Job, Result>(
  port: MessagePort,
  cells: TicketCells,
  answer: (job: Job) => WorkerAnswer<Result> | Promise<WorkerAnswer<Result>>,
): void {
  const tickets = new Tickets(cells)
  const atHand: JobMessage<Job>[] = []
  let isAtWork = false

  async function work(): Promise<void> {
    isAtWork = true
    let answers: WorkerAnswer<Result>[] = []
    let sinceMs = 0
    for (let next = atHand.shift(); next !== undefined; next = atHand.shift()) {
      if (tickets.begin(next.ticket)) {
        if (answers.length === 0) sinceMs = performance.now()
        answers.push(await answer(next.job))
        tickets.end(next.ticket)
      }
      const isOneOfMany = next.isOneOfMany && atHand[0]?.isOneOfMany === true
      if (isOneOfMany && performance.now() - sinceMs < TOGETHER_MS) continue
      if (answers.length > 0) port.postMessage(answers)
      answers = []
    }
    isAtWork = false
  }

  port.on('message', (message: JobMessage<Job>) => {
    atHand.push(message)
    if (!isAtWork) void work()
  })
  port.postMessage('ready')
}
