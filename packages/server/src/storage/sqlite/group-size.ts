// How much goes into one commit: what has arrived, but not so much that its neighbours wait long or
// that the log grows beyond its bound with a single commit.
import type { Call } from './worker-calls.ts'

const CALLS_MAX = 512
/** Vectors and texts, roughly; what they take in the log is of the same size. */
const BYTES_MAX = 4 * 1024 * 1024

/** Takes the next group from the queue: at least one call. */
export function takeGroup(queue: Call[]): Call[] {
  let bytes = 0
  let count = 0
  while (count < queue.length && count < CALLS_MAX && bytes < BYTES_MAX) {
    bytes += bytesOf(queue[count]?.args)
    count += 1
  }
  return queue.splice(0, count)
}

/** Of the texts and vectors in a value, however deep. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (ArrayBuffer.isView(value)) return value.byteLength
  if (typeof value !== 'object' || value === null) return 0
  let bytes = 0
  for (const each of Object.values(value)) bytes += bytesOf(each)
  return bytes
}
