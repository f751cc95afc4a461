// The threads that help to scan large spaces, one for each core that is left, begun by the first space
// that is worth it. A scan waits for those that have joined it and for no others: who wakes too late
// finds it closed. When one of them fails or finds more than it has room for, the scan is made again
// without any, so helping can cost time and nothing else.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Best } from './best.ts'
import { CHUNK_ROWS, type CodeMemory, type ScanRoom } from './scan/code-memory.ts'
import {
  ACTIVE,
  ASKED,
  FOUND,
  LEAST,
  NEXT,
  OPEN,
  type SignScan,
  scanShare,
  writeScan,
} from './sign-scan.ts'
import type { ScannerData } from './sign-scanner.worker.ts'

const HELPERS_MAX = 3
/** Of fewer a helper would see little: it takes as long to wake as 16 chunks take to scan. */
const CHUNKS_MIN = 48
/** Of one that has joined; it takes milliseconds. */
const PATIENCE_MS = 1_000
/** Before it sleeps: to be woken takes as long as the last step of a helper, which is some 50 µs. */
const LOOKS = 50_000
/** A worker's garbage here is a few lists of numbers. */
const NURSERY_MB = 2

export class SignScanners {
  readonly #memory: CodeMemory
  readonly #helpersMax: number
  readonly #best = new Best()
  #helpers: { worker: Worker; room: ScanRoom }[] | undefined
  #scans = 0

  constructor(memory: CodeMemory, helpersMax = Math.min(HELPERS_MAX, availableParallelism() - 1)) {
    this.#memory = memory
    this.#helpersMax = helpersMax
  }

  /** The best of all chunks. They hold until the next scan. */
  run(scan: SignScan): Best {
    const words = new Int32Array(this.#memory.buffer, this.#memory.room.scan)
    writeScan(words, scan)
    const isLarge = scan.chunks >= CHUNKS_MIN
    if (isLarge) this.#helpers ??= this.#start()
    const helpers = isLarge ? (this.#helpers ?? []) : []
    if (helpers.length === 0) return this.#scanAlone(scan)
    for (const place of helpers.keys()) words[FOUND + place] = 0
    Atomics.store(words, NEXT, 0)
    Atomics.store(words, LEAST, scan.floor)
    this.#scans = (this.#scans % 0x7fffffff) + 1
    Atomics.store(words, OPEN, this.#scans)
    Atomics.notify(words, OPEN)
    this.#scanShare(words, scan)
    Atomics.store(words, OPEN, 0)
    if (this.#haveLeft(words) && this.#collect(words, scan)) return this.#best
    return this.#scanAlone(scan)
  }

  close(): void {
    for (const { worker } of this.#helpers ?? []) void worker.terminate()
    this.#helpers = []
  }

  /** With words of its own, of which a helper that comes back too late can take no chunk. */
  #scanAlone(scan: SignScan): Best {
    const words = new Int32Array(ASKED)
    words[LEAST] = scan.floor
    this.#scanShare(words, scan)
    return this.#best
  }

  #scanShare(words: Int32Array, scan: SignScan): void {
    scanShare(this.#memory, words, scan, { room: this.#memory.room.share, best: this.#best })
  }

  /** Whether all that have joined are done. */
  #haveLeft(words: Int32Array): boolean {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      if (Atomics.load(words, ACTIVE) === 0) return true
    }
    const giveUpAtMs = performance.now() + PATIENCE_MS
    for (;;) {
      const active = Atomics.load(words, ACTIVE)
      if (active === 0) return true
      const leftMs = giveUpAtMs - performance.now()
      if (leftMs <= 0) break
      Atomics.wait(words, ACTIVE, active, leftMs)
    }
    // Whatever it still writes goes to its own room.
    this.close()
    Atomics.store(words, ACTIVE, 0)
    return false
  }

  /** False when a helper could not say all that it has found. */
  #collect(words: Int32Array, { chunks }: SignScan): boolean {
    for (const [place, { room }] of (this.#helpers ?? []).entries()) {
      const found = words[FOUND + place] ?? 0
      if (found < 0) return false
      // All were seen by now, by this thread or another one.
      this.#best.offer(new Int32Array(this.#memory.buffer, room.found, found), chunks * CHUNK_ROWS)
    }
    return true
  }

  #start() {
    return Array.from({ length: this.#helpersMax }, (_, place) => {
      const room = this.#memory.takeScanRoom()
      const { scan } = this.#memory.room
      const worker = new Worker(new URL('./sign-scanner.worker.ts', import.meta.url), {
        workerData: { memory: this.#memory.shared, scan, place, room } satisfies ScannerData,
        resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
      })
      // A scan goes on without it.
      worker.on('error', () => undefined)
      worker.unref()
      return { worker, room }
    })
  }
}
