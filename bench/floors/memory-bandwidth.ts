// How fast one thread of this machine reads memory: the C library compares two buffers, which is as fast as
// reading gets. No scan of vectors can be faster than reading them.

const WORKING_BYTES = 256 * 2 ** 20
const RUNS = 9

/** Bytes a second. */
export function memoryBandwidth(): number {
  const half = Buffer.alloc(WORKING_BYTES / 2, 1)
  const other = Buffer.from(half)
  let best = 0
  for (let run = 0; run < RUNS; run += 1) {
    const startMs = performance.now()
    if (!half.equals(other)) throw new Error('A buffer does not equal its copy.')
    best = Math.max(best, WORKING_BYTES / ((performance.now() - startMs) / 1000))
  }
  return best
}
