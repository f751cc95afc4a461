// One worker of the pool, with the job that it does and the one that it has at hand. A job that was
// sent can be taken back until the worker begins it (tickets.ts).
import type { Worker } from 'node:worker_threads'
import type { EmbedderUnavailable } from '../embedder.ts'
import type { Urgency } from '../urgent-first.ts'
import type { JobMessage } from './serve-jobs.ts'
import type { Ticket, Tickets } from './tickets.ts'

export type Waiting<Job, Result> = {
  job: Job
  urgency: Urgency
  asker: number | undefined
  /** Of coming. */
  order: number
  resolve: (result: Result) => void
  reject: (error: EmbedderUnavailable) => void
}

type Sent<Job, Result> = { waiting: Waiting<Job, Result>; ticket: Ticket }

export type Slot<Job, Result> = {
  worker: Worker
  tickets: Tickets
  ready: boolean
  current: Sent<Job, Result> | undefined
  /** At the worker, behind the current one. */
  next: Sent<Job, Result> | undefined
  /** Of the start, then of each job. */
  deadline: NodeJS.Timeout | undefined
  rejectStart: (error: unknown) => void
}

export function send<Job, Result>(
  { worker, tickets, current }: Slot<Job, Result>,
  waiting: Waiting<Job, Result>,
): Sent<Job, Result> {
  const ticket = tickets.issue(current?.ticket)
  worker.postMessage({ job: waiting.job, ticket } satisfies JobMessage<Job>)
  return { waiting, ticket }
}

/** Undefined when there is none, or when the worker has begun it. */
export function takenBack<Job, Result>(
  slot: Slot<Job, Result>,
  place: 'current' | 'next',
): Waiting<Job, Result> | undefined {
  const sent = slot[place]
  if (sent === undefined || !slot.tickets.take(sent.ticket)) return undefined
  slot[place] = undefined
  return sent.waiting
}
