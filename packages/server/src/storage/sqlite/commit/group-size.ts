// How much goes into one commit: what has arrived before it begins and until it ends, but not so much that
// its neighbours wait long or that the log grows beyond its bound with a single commit.
// decisions/2026-11-25-group-commit.md
import { PAGE_BYTES } from '../opening/open-database.ts'
import type { Call } from '../threads/worker-calls.ts'

const CALLS_MAX = 512
/** What the calls bring, roughly; what it takes in the log is of the same size. */
const BYTES_MAX = 4 * 1024 * 1024

/** How much of a commit is taken already. */
export type Taken = { calls: number; bytes: number }

export const nothingTaken = (): Taken => ({ calls: 0, bytes: 0 })

/**
 * Takes from the queue what has room in the commit: at least one call where nothing is taken yet. What ends
 * the thread is no part of a commit, and stays with all that is behind it.
 */
export function takeGroup(queue: Call[], taken: Taken): Call[] {
  let count = 0
  for (const { name, args } of queue) {
    if (name === 'close' || taken.calls === CALLS_MAX || taken.bytes >= BYTES_MAX) break
    taken.calls += 1
    for (const each of args) taken.bytes += bytesOf(each)
    count += 1
  }
  return queue.splice(0, count)
}

/** Of the texts, vectors and tags in a value, however deep. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (ArrayBuffer.isView(value)) return value.byteLength
  if (typeof value !== 'object' || value === null) return 0
  // The count of a tag lies on a page of its own.
  if (Array.isArray(value) && typeof value[0] === 'string') return value.length * PAGE_BYTES
  let bytes = 0
  for (const each of Object.values(value)) bytes += bytesOf(each)
  return bytes
}
