// The worker's side of the pool: one job at a time, in the order in which they were sent, but for those
// that were called back while they waited.
import type { MessagePort } from 'node:worker_threads'
import { type Ticket, type TicketCells, Tickets } from './tickets.ts'

export type JobMessage<Job> = { job: Job; ticket: Ticket }
export type WorkerAnswer<Result> = { result: Result } | { error: unknown }
/** `own` is what the pool was given for its workers. */
export type PoolWorkerData<Own> = { own: Own; cells: TicketCells }

/** Says that the worker is ready, and answers from then on. A job that rejects costs the worker. */
export function serveJobs<Job, Result>(
  port: MessagePort,
  cells: TicketCells,
  answer: (job: Job) => WorkerAnswer<Result> | Promise<WorkerAnswer<Result>>,
): void {
  const tickets = new Tickets(cells)
  let before = Promise.resolve()
  port.on('message', ({ job, ticket }: JobMessage<Job>) => {
    before = before.then(async () => {
      if (tickets.take(ticket)) port.postMessage(await answer(job))
    })
  })
  port.postMessage('ready')
}
