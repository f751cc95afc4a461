// Worker threads that each do one job at a time. A worker that crashes or hangs is replaced and
// only its own job fails; urgent jobs go first. A worker has its next jobs at hand, unless something
// urgent waits, so that it need not wait for this thread in between; they are called back for whatever is
// more urgent, or for a worker that has nothing to do (worker-slot.ts). Jobs wait for a replacement, but
// not for one that fails to start as well: while nobody works, they are refused. How much may wait is
// bounded by whoever lets jobs in (backlog.ts). The first worker starts alone and the others a while
// later, so that the first answers do not wait until all of them have loaded the model.
// decisions/2026-11-21-own-embedding-pool.md says why this is not a general pool, why jobs are sent early and
// how many are.
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { EmbedderUnavailable } from '../embedder.ts'
import { isBefore, type Urgency, UrgentFirst } from '../urgent-first.ts'
import { endWorker } from './end-worker.ts'
import type { PoolWorkerData, WorkerAnswer } from './serve-jobs.ts'
import { newCells, Tickets } from './tickets.ts'
import { type Slot, send, takeBack, type Waiting } from './worker-slot.ts'

export type PoolOptions<Job> = {
  file: URL
  data: unknown
  resourceLimits?: ResourceLimits
  workers: number
  /** A worker that is not ready after this time is taken for a failure. */
  startTimeoutMs: number
  /** A job that takes longer, counted from its start, is taken for a hang. */
  jobTimeoutMs: number
  /** How long a worker that is to end may go on with what it is doing, and after that its thread. */
  endTimeoutMs: number
  /** How long after the first worker is ready the others are started. */
  othersDelayMs: number
  /** How long to wait before a worker that died is started again; twice as long each time it fails. */
  restartDelayMs: number
  costOf: (job: Job) => number
  /** Of all jobs that a worker has at hand; one it may have whatever it costs. */
  atHandCostMax: number
}

const RESTART_DELAY_DOUBLINGS_MAX = 6
const AT_HAND_MAX = 4
/** While so many jobs wait, nobody notices that answers travel together. */
const MANY_WAITING = 16

export class WorkerPool<Job, Result> {
  readonly #options: PoolOptions<Job>
  readonly #queue = new UrgentFirst<Waiting<Job, Result>>()
  readonly #slots = new Set<Slot<Job, Result>>()
  /** Those that were given up on and have not ended yet. */
  readonly #ending = new Set<Promise<void>>()
  readonly #restarts = new Set<NodeJS.Timeout>()
  readonly #started: Promise<void>
  #came = 0
  #failedStarts = 0
  #others: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: PoolOptions<Job>) {
    this.#options = options
    this.#started = this.#start()
    // A caller of `started` sees the failure; without one it is not an unhandled rejection.
    this.#started.catch(() => undefined)
  }

  /** Resolves when a worker is ready; the others follow. Rejects when it cannot be started. */
  started(): Promise<void> {
    return this.#started
  }

  isReady(): boolean {
    return [...this.#slots].some((slot) => slot.ready)
  }

  /**
   * Rejects with an EmbedderUnavailable when the job's worker fails or none can be started, and with the signal's
   * reason when that comes before a worker has the job.
   */
  run(job: Job, urgency: Urgency, asker?: number, signal?: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closed())
      if (signal?.aborted === true) return reject(signal.reason)
      this.#came += 1
      const waiting = { job, urgency, asker, order: this.#came, resolve, reject }
      this.#queue.add(waiting, urgency, asker)
      signal?.addEventListener('abort', () => {
        if (this.#queue.remove(waiting, urgency, asker)) reject(signal.reason)
      })
      this.#callBack((next) => isBefore(urgency, next.urgency))
      this.#assign()
    })
  }

  /** Rejects when a worker does not end. The process cannot end in order then: it would wait for the thread. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#others)
    for (const restart of this.#restarts) clearTimeout(restart)
    this.#callBack(() => true)
    this.#refuseWaiting(closed())
    const { startTimeoutMs } = this.#options
    const ends = [...this.#slots].map((slot) => this.#end(slot, startTimeoutMs))
    await Promise.all([...this.#ending, ...ends])
  }

  #refuseWaiting(error: EmbedderUnavailable): void {
    for (const { reject } of this.#queue.drain()) reject(error)
  }

  #startOthers(): void {
    if (this.#others !== undefined || this.#closed) return
    const { workers, othersDelayMs } = this.#options
    this.#others = setTimeout(() => {
      for (let count = 1; count < workers; count += 1) {
        // A failure is dealt with as that of any worker: it is started again later.
        this.#start().catch(() => undefined)
      }
    }, othersDelayMs)
  }

  /** Resolves when the worker is ready, rejects when it dies before that. */
  async #start(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const tickets = new Tickets(newCells(1 + AT_HAND_MAX))
    let worker: Worker
    try {
      const { file, data, resourceLimits } = this.#options
      const workerData: PoolWorkerData<unknown> = { own: data, cells: tickets.cells }
      worker = new Worker(file, { workerData, ...(resourceLimits && { resourceLimits }) })
    } catch (error) {
      // Without a thread to be had, there is no worker that could report it.
      this.#onFailedStart(error)
      throw error
    }
    const slot: Slot<Job, Result> = {
      worker,
      tickets,
      ready: false,
      sent: [],
      deadline: undefined,
      rejectStart: reject,
    }
    this.#slots.add(slot)
    this.#limit(slot, this.#options.startTimeoutMs)
    worker.on('message', (message: 'ready' | WorkerAnswer<Result>[]) => {
      // What a worker says after it was given up on comes too late.
      if (!this.#slots.has(slot)) {
        slot.sent = []
        return
      }
      clearTimeout(slot.deadline)
      if (message === 'ready') {
        slot.ready = true
        this.#failedStarts = 0
        this.#startOthers()
        resolve()
      } else {
        this.#finish(slot, message)
      }
      this.#assign()
    })
    let failure: unknown
    worker.on('error', (error) => {
      failure = error
    })
    // By then everything that it has said has arrived.
    worker.on('exit', (code) => {
      this.#remove(slot, failure ?? new Error(`An embedding worker exited with ${code}.`))
    })
    return promise
  }

  #assign(): void {
    const ready = [...this.#slots].filter((slot) => slot.ready)
    for (const slot of ready) {
      if (slot.sent.length > 0) continue
      const waiting = this.#queue.next() ?? this.#callBackFirst()
      if (waiting === undefined) return
      this.#send(slot, waiting)
      this.#limit(slot, this.#options.jobTimeoutMs)
    }
    // One each, then another one each: what waits is shared out.
    for (let count = 1; count <= AT_HAND_MAX; count += 1) {
      for (const slot of ready) {
        if (slot.sent.length > count) continue
        const first = this.#queue.firstPatient
        if (first === undefined) return
        if (this.#mayHaveAtHand(slot, first)) this.#send(slot, this.#queue.nextPatient() ?? first)
      }
    }
  }

  /** One in any case, and more of those that are done soon. */
  #mayHaveAtHand({ sent }: Slot<Job, Result>, { job }: Waiting<Job, Result>): boolean {
    const { costOf, atHandCostMax } = this.#options
    const atHand = sent.slice(1)
    const cost = atHand.reduce((sum, { waiting }) => sum + costOf(waiting.job), costOf(job))
    return atHand.length === 0 || cost <= atHandCostMax
  }

  #send(slot: Slot<Job, Result>, waiting: Waiting<Job, Result>): void {
    const { costOf, atHandCostMax } = this.#options
    const isOneOfMany =
      waiting.urgency !== 'urgent' &&
      this.#queue.length >= MANY_WAITING &&
      costOf(waiting.job) <= atHandCostMax
    send(slot, waiting, isOneOfMany)
  }

  /** What waits at a worker behind another job goes back to the queue, but for what was begun meanwhile. */
  #callBack(isCalled: (next: Waiting<Job, Result>) => boolean): void {
    this.#putBack([...this.#slots].flatMap((slot) => takeBack(slot, isCalled, 1)))
  }

  #callBackFirst(): Waiting<Job, Result> | undefined {
    this.#callBack(() => true)
    return this.#queue.next()
  }

  #putBack(back: Waiting<Job, Result>[]): void {
    const lastFirst = back.sort((one, other) => other.order - one.order)
    for (const waiting of lastFirst) {
      this.#queue.putBack(waiting, waiting.urgency, waiting.asker)
    }
  }

  #limit(slot: Slot<Job, Result>, timeoutMs: number): void {
    clearTimeout(slot.deadline)
    slot.deadline = setTimeout(() => {
      this.#remove(slot, new Error('An embedding worker took too long.'))
      const ending = this.#end(slot, 0)
      this.#ending.add(ending)
      // One that does not end is told of by close(), which is the first to need its end.
      ending.catch(() => undefined)
      slot.worker.once('exit', () => this.#ending.delete(ending))
    }, timeoutMs)
  }

  #end(slot: Slot<Job, Result>, loadTimeoutMs: number): Promise<void> {
    return endWorker(slot, { loadTimeoutMs, endTimeoutMs: this.#options.endTimeoutMs })
  }

  #finish(slot: Slot<Job, Result>, answers: WorkerAnswer<Result>[]): void {
    for (const answer of answers) {
      const done = slot.sent.shift()?.waiting
      if ('result' in answer) done?.resolve(answer.result)
      else done?.reject(failedOnText(answer.error))
    }
    if (slot.sent.length > 0) this.#limit(slot, this.#options.jobTimeoutMs)
  }

  /** A worker is gone or given up on: its job fails, and another worker takes its place. */
  #remove(slot: Slot<Job, Result>, error: unknown): void {
    if (!this.#slots.delete(slot)) return
    clearTimeout(slot.deadline)
    slot.rejectStart(error)
    const notBegun = takeBack(slot, () => true, 0)
    const isBegun = ({ ticket }: Slot<Job, Result>['sent'][number]) => slot.tickets.isBegun(ticket)
    // Jobs that it had done without telling are done again.
    const done = slot.sent.filter((sent) => !isBegun(sent))
    slot.sent = slot.sent.filter(isBegun)
    this.#putBack([...notBegun, ...done.map(({ waiting }) => waiting)])
    for (const { waiting } of slot.sent) {
      waiting.reject(new EmbedderUnavailable('The embedding worker failed.', error))
    }
    if (this.#closed) this.#refuseWaiting(closed())
    this.#assign()
    if (slot.ready) this.#restartLater()
    else this.#onFailedStart(error)
  }

  #onFailedStart(error: unknown): void {
    this.#failedStarts += 1
    if (!this.isReady()) {
      this.#refuseWaiting(new EmbedderUnavailable('No embedding worker can be started.', error))
    }
    this.#restartLater()
  }

  #restartLater(): void {
    if (this.#closed) return
    const doublings = Math.min(this.#failedStarts, RESTART_DELAY_DOUBLINGS_MAX)
    const restart = setTimeout(
      () => {
        this.#restarts.delete(restart)
        // A failure of this start has been dealt with when it arrives here.
        this.#start().catch(() => undefined)
      },
      this.#options.restartDelayMs * 2 ** doublings,
    )
    this.#restarts.add(restart)
  }
}

/** It is not tried again: the model is here, and does the same with the same text. */
const failedOnText = (error: unknown): EmbedderUnavailable =>
  new EmbedderUnavailable('The model failed on this text.', error, { isTransient: false })

const closed = (): EmbedderUnavailable => new EmbedderUnavailable('The embedder is closed.')
