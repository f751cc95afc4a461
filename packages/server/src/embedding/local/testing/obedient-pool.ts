// A pool of workers that do as a job tells them, closed when the test is over.
import { onTestFinished } from 'vitest'
import { type PoolOptions, WorkerPool } from '../worker-pool.ts'
import type { ObedientData, ObedientJob, ObedientResult } from './obedient.worker.ts'

type Options = Partial<PoolOptions<ObedientJob>> & { failFromStart?: number; heldAtStart?: boolean }

export function newPool({ failFromStart = 1_000, heldAtStart = false, ...options }: Options = {}) {
  const counters = new Int32Array(new SharedArrayBuffer(12))
  const pool = new WorkerPool<ObedientJob, ObedientResult>({
    file: new URL('./obedient.worker.ts', import.meta.url),
    data: { counters, failFromStart, heldAtStart } satisfies ObedientData,
    workers: 1,
    startTimeoutMs: 20_000,
    jobTimeoutMs: 20_000,
    // A thread that is just starting takes a while to end where others have the cores.
    endTimeoutMs: 500,
    othersDelayMs: 1,
    restartDelayMs: 1,
    costOf: () => 1,
    atHandCostMax: 4,
    ...options,
  })
  /** Jobs that are held until so many releases go on, and workers that are held at their start. */
  const release = (): void => {
    Atomics.add(counters, 2, 1)
    Atomics.notify(counters, 2)
  }
  onTestFinished(() => {
    release()
    return pool.close()
  })
  return {
    pool,
    starts: () => Atomics.load(counters, 0),
    begun: () => Atomics.load(counters, 1),
    release,
  }
}

export async function startedPool(options: Options = {}) {
  const made = newPool(options)
  await made.pool.started()
  return made
}
