// One worker of the pool, with the job that it does and those that it has at hand. A job that was
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
  /** What the worker was sent and has not answered, in this order: it does the first one. */
  sent: Sent<Job, Result>[]
  /** Of the start, then of each job. */
  deadline: NodeJS.Timeout | undefined
  rejectStart: (error: unknown) => void
}

export function send<Job, Result>(
  { worker, tickets, sent }: Slot<Job, Result>,
  waiting: Waiting<Job, Result>,
  isOneOfMany: boolean,
): void {
  const ticket = tickets.issue()
  worker.postMessage({ job: waiting.job, ticket, isOneOfMany } satisfies JobMessage<Job>)
  sent.push({ waiting, ticket })
}

/** Those that are called, but for what the worker has begun. `from`: how many of the first are left to it. */
export function takeBack<Job, Result>(
  slot: Slot<Job, Result>,
  isCalled: (waiting: Waiting<Job, Result>) => boolean,
  from: number,
): Waiting<Job, Result>[] {
  const { sent, tickets } = slot
  const back = sent
    .slice(from)
    .filter(({ waiting, ticket }) => isCalled(waiting) && tickets.callBack(ticket))
  slot.sent = sent.filter((each) => !back.includes(each))
  return back.map(({ waiting }) => waiting)
}
