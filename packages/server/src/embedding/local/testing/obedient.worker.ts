// A worker for tests of the pool: it does what a job tells it to, good or bad.
import { spawnSync } from 'node:child_process'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import { type PoolWorkerData, serveJobs, type WorkerAnswer } from '../serve-jobs.ts'

export type ObedientJob =
  | 'echo'
  | 'fail'
  | 'crash'
  | 'exit'
  | 'hang'
  | { sleepMs: number }
  | { nativeMs: number }
  | { heldUntil: number }
export type ObedientResult = { threadId: number; order: number }
export type ObedientData = {
  /** Of starts, of jobs begun, and of releases (obedient-pool.ts), for all workers of a pool. */
  counters: Int32Array<SharedArrayBuffer>
  failFromStart: number
  /** Until the first release. */
  heldAtStart: boolean
}

if (parentPort === null) throw new Error('This file runs as a worker thread.')
const { own, cells }: PoolWorkerData<ObedientData> = workerData
const { counters, failFromStart, heldAtStart } = own

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function waitForRelease(count: number): void {
  for (let seen = 0; seen < count; seen = Atomics.load(counters, 2)) {
    Atomics.wait(counters, 2, seen)
  }
}

function obey(job: ObedientJob): WorkerAnswer<ObedientResult> {
  const order = Atomics.add(counters, 1, 1)
  if (job === 'crash') throw new Error('crashed as told')
  if (job === 'exit') process.exit(3)
  if (job === 'hang') block(Number.POSITIVE_INFINITY)
  if (job === 'fail') return { error: new Error('failed as told') }
  if (typeof job === 'object' && 'sleepMs' in job) block(job.sleepMs)
  // Out of a wait for another process no thread is brought, as out of the runtime of a model.
  if (typeof job === 'object' && 'nativeMs' in job) spawnSync('sleep', [`${job.nativeMs / 1_000}`])
  if (typeof job === 'object' && 'heldUntil' in job) waitForRelease(job.heldUntil)
  return { result: { threadId, order } }
}

if (Atomics.add(counters, 0, 1) >= failFromStart) throw new Error('failed to start as told')
if (heldAtStart) waitForRelease(1)
// The loop turns before each job, as in the runtime of the model.
serveJobs(parentPort, cells, async (job: ObedientJob) => {
  await turnOfLoop()
  return obey(job)
})
