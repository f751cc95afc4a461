// How fast this machine reads memory in one thread: two halves compared byte by byte by the C library,
// which is as fast as anything reads. Nothing that scans vectors can be faster than to read them.

const WORKING_BYTES = 256 * 2 ** 20
const RUNS = 9

/** Bytes a second. */
export function memoryBandwidth(bytes = WORKING_BYTES): number {
  const half = Buffer.alloc(Math.ceil(bytes / 2), 1)
  const other = Buffer.from(half)
  let best = 0
  for (let run = 0; run < RUNS; run += 1) {
    const startMs = performance.now()
    if (!half.equals(other)) throw new Error('A buffer does not equal its copy.')
    best = Math.max(best, bytes / ((performance.now() - startMs) / 1000))
  }
  return best
}
