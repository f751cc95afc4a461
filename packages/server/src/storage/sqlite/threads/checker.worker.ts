// The thread that looks through a large store once after its start. It ends when it is done. A
// finding ends the process as damage does wherever it is met: nothing can be trusted then. Counts are derived,
// and made anew where they do not fit the rows, once there is room on the disk and nobody else has the lock. It
// hears between two steps that it has to end.
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { mayPass } from '../failure.ts'
import { findWrongCounts, type WrongCounts } from '../lists/check-counts.ts'
import { findDamage } from '../opening/check-rows.ts'
import { damaged } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { HAS_BEGUN } from './worker-calls.ts'

/** Nobody waits for it: it leaves most of a core to others. */
const REST_MS_MIN = 1
/** A step that waited for a lock was no work. */
const REST_MS_MAX = 1_000
const RESTS = 3
const RETRY_MS = 1_000

if (parentPort === null) throw new Error('This file runs as a worker thread.')
const port = parentPort
const { file }: { file: string } = workerData

let isClosing = false
port.on('message', () => {
  isClosing = true
})

const db = openDatabase(file)
port.postMessage(HAS_BEGUN)
try {
  await lookThrough()
} finally {
  db.close()
  port.close()
}

async function lookThrough(): Promise<void> {
  for await (const finding of withRests(findDamage(db))) {
    if (finding !== undefined) throw damaged(file, finding)
  }
  for await (const wrong of withRests(findWrongCounts(db))) if (wrong) await mended(wrong)
}

async function mended({ mend }: WrongCounts): Promise<void> {
  while (!isClosing) {
    try {
      return mend()
    } catch (error) {
      if (!mayPass(error)) throw error
    }
    await sleep(RETRY_MS)
  }
}

/** Until the thread is told to end. */
async function* withRests<Finding>(steps: Generator<Finding>): AsyncGenerator<Finding> {
  let startMs = performance.now()
  for (const finding of steps) {
    if (isClosing) return
    yield finding
    const restMs = RESTS * (performance.now() - startMs)
    await sleep(Math.min(REST_MS_MAX, Math.max(REST_MS_MIN, restMs)))
    startMs = performance.now()
  }
}
