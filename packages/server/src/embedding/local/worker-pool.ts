// Worker threads that each do one job at a time. A worker that crashes or hangs is replaced and
// only its own job fails; urgent jobs go first; a full queue refuses at once instead of growing.
// decisions/2026-11-21-own-embedding-pool.md says why this is not a general pool.
import { Worker } from 'node:worker_threads'
import { EmbedderUnavailable } from '../embedder.ts'

export type WorkerAnswer<Result> = { result: Result } | { error: unknown }
export type Urgency = 'urgent' | 'patient'

export type PoolOptions = {
  file: URL
  data: unknown
  workers: number
  /** Jobs that may wait; one more is refused. */
  queueMax: number
  /** A job that takes longer, counted from its start, is taken for a hang. */
  jobTimeoutMs: number
  /** How long to wait before a worker that died is started again. */
  restartDelayMs: number
}

type Waiting<Job, Result> = {
  job: Job
  resolve: (result: Result) => void
  reject: (error: EmbedderUnavailable) => void
}

type Slot<Job, Result> = {
  worker: Worker
  ready: boolean
  current: Waiting<Job, Result> | undefined
  deadline: NodeJS.Timeout | undefined
}

export class WorkerPool<Job, Result> {
  readonly #options: PoolOptions
  readonly #queues: Record<Urgency, Waiting<Job, Result>[]> = { urgent: [], patient: [] }
  readonly #slots = new Set<Slot<Job, Result>>()
  readonly #restarts = new Set<NodeJS.Timeout>()
  readonly #started: Promise<void>
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    const starts = Array.from({ length: options.workers }, () => this.#start())
    this.#started = Promise.all(starts).then(() => undefined)
    // Whoever awaits `started` sees the failure; nobody has to.
    this.#started.catch(() => undefined)
  }

  /** Resolves when every worker is ready; rejects when one could not be started. */
  started(): Promise<void> {
    return this.#started
  }

  isReady(): boolean {
    return [...this.#slots].some((slot) => slot.ready) && !this.#isFull()
  }

  /** Rejects with an EmbedderUnavailable when the queue is full or the job's worker fails. */
  run(job: Job, urgency: Urgency): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new EmbedderUnavailable('The embedder is closed.'))
      if (this.#isFull()) return reject(new EmbedderUnavailable('The embedding queue is full.'))
      this.#queues[urgency].push({ job, resolve, reject })
      this.#assign()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const restart of this.#restarts) clearTimeout(restart)
    for (const queue of Object.values(this.#queues)) {
      for (const { reject } of queue.splice(0)) {
        reject(new EmbedderUnavailable('The embedder is closed.'))
      }
    }
    await Promise.all([...this.#slots].map((slot) => slot.worker.terminate()))
  }

  #isFull(): boolean {
    return this.#queues.urgent.length + this.#queues.patient.length >= this.#options.queueMax
  }

  /** Resolves when the worker is ready, rejects when it dies before that. */
  #start(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const worker = new Worker(this.#options.file, { workerData: this.#options.data })
    const slot: Slot<Job, Result> = {
      worker,
      ready: false,
      current: undefined,
      deadline: undefined,
    }
    this.#slots.add(slot)
    worker.on('message', (message: 'ready' | WorkerAnswer<Result>) => {
      if (message === 'ready') {
        slot.ready = true
        resolve()
      } else {
        this.#finish(slot, message)
      }
      this.#assign()
    })
    worker.on('error', (error) => {
      reject(error)
      this.#replace(slot, error)
    })
    worker.on('exit', (code) => {
      const error = new Error(`An embedding worker exited with ${code}.`)
      reject(error)
      this.#replace(slot, error)
    })
    return promise
  }

  #assign(): void {
    for (const slot of this.#slots) {
      if (!slot.ready || slot.current) continue
      const next = this.#queues.urgent.shift() ?? this.#queues.patient.shift()
      if (next === undefined) return
      slot.current = next
      slot.deadline = setTimeout(() => this.#giveUpOn(slot), this.#options.jobTimeoutMs)
      slot.worker.postMessage(next.job)
    }
  }

  #finish(slot: Slot<Job, Result>, answer: WorkerAnswer<Result>): void {
    const done = slot.current
    slot.current = undefined
    clearTimeout(slot.deadline)
    if ('result' in answer) done?.resolve(answer.result)
    else done?.reject(new EmbedderUnavailable('The model failed on this text.', answer.error))
  }

  #giveUpOn(slot: Slot<Job, Result>): void {
    this.#replace(slot, new Error('An embedding worker took too long.'))
    void slot.worker.terminate()
  }

  #replace(slot: Slot<Job, Result>, error: unknown): void {
    if (!this.#slots.delete(slot)) return
    clearTimeout(slot.deadline)
    slot.current?.reject(new EmbedderUnavailable('The embedding worker failed.', error))
    if (this.#closed) return
    const restart = setTimeout(() => {
      this.#restarts.delete(restart)
      // A failure of this start arrives here again, as the failure of its slot.
      this.#start().catch(() => undefined)
    }, this.#options.restartDelayMs)
    this.#restarts.add(restart)
  }
}
