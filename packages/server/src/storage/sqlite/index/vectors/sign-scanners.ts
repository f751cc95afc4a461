// The threads that help to scan large spaces, one for each core that is left, begun by the first space
// that is worth it. A scan waits for those that have joined it and for no others: who wakes too late
// finds it closed. When one of them fails or finds more than it has room for, the scan is made again
// without any, so helping can cost time and nothing else. All that failed are ended, and others begin a
// while later, when none of the old ones can write any more.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { CHUNK_ROWS, type CodeMemory, type ScanRoom } from '../scan/code-memory.ts'
import { Best } from './best.ts'
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
/** After a failure: where helpers fail again and again, so often a search waits for them in vain. */
const REST_MS = 60_000
/** Before it sleeps: to be woken takes as long as the last step of a helper, which is some 50 µs. */
const LOOKS = 50_000
/** A worker's garbage here is a few lists of numbers. */
const NURSERY_MB = 2

type Helper = { worker: Worker; room: ScanRoom }

export class SignScanners {
  readonly #memory: CodeMemory
  readonly #helpersMax: number
  readonly #restMs: number
  readonly #best = new Best()
  #helpers: Helper[] = []
  /** Helpers that have not exited, those that were given up included. */
  #alive = 0
  #startsAtMs = 0
  #scans = 0

  constructor(
    memory: CodeMemory,
    helpersMax = Math.min(HELPERS_MAX, availableParallelism() - 1),
    restMs = REST_MS,
  ) {
    this.#memory = memory
    this.#helpersMax = helpersMax
    this.#restMs = restMs
  }

  /** The best of all chunks. They hold until the next scan. */
  run(scan: SignScan): Best {
    if (scan.chunks < CHUNKS_MIN || !this.#haveHelpers()) return this.#scanAlone(scan)
    const words = this.#words()
    writeScan(words, scan)
    for (const place of this.#helpers.keys()) words[FOUND + place] = 0
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
    this.#giveUp()
    this.#startsAtMs = Number.POSITIVE_INFINITY
  }

  #words(): Int32Array {
    return new Int32Array(this.#memory.buffer, this.#memory.room.scan)
  }

  /** An old one could write what a scan of new ones reads. */
  #haveHelpers(): boolean {
    if (this.#alive === 0 && performance.now() >= this.#startsAtMs) this.#start()
    return this.#helpers.length > 0
  }

  #giveUp(): void {
    for (const { worker } of this.#helpers) void worker.terminate()
    this.#helpers = []
    this.#startsAtMs = Math.max(this.#startsAtMs, performance.now() + this.#restMs)
  }

  /** Of a helper that was given up, or has failed by itself. */
  #exited({ room }: Helper): void {
    this.#alive -= 1
    this.#memory.giveBackScanRoom(room)
    this.#giveUp()
    // One that was ended in the midst of a scan has not left it.
    if (this.#alive === 0) Atomics.store(this.#words(), ACTIVE, 0)
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
    // What it still writes goes to its own room and to words that are not read before it has exited.
    this.#giveUp()
    return false
  }

  /** False when a helper could not say all that it has found. */
  #collect(words: Int32Array, { chunks }: SignScan): boolean {
    for (const [place, { room }] of this.#helpers.entries()) {
      const found = words[FOUND + place] ?? 0
      if (found < 0) return false
      // All were seen by now, by this thread or another one.
      this.#best.offer(new Int32Array(this.#memory.buffer, room.found, found), chunks * CHUNK_ROWS)
    }
    return true
  }

  /** Without room or threads for them a scan goes on without them. */
  #start(): void {
    try {
      for (let place = 0; place < this.#helpersMax; place += 1) this.#startOne(place)
    } catch {
      this.#giveUp()
    }
  }

  #startOne(place: number): void {
    const room = this.#memory.takeScanRoom()
    const worker = this.#startWorker({ place, room })
    const helper = { worker, room }
    this.#helpers.push(helper)
    this.#alive += 1
    // A scan goes on without it.
    worker.on('error', () => undefined)
    worker.on('exit', () => this.#exited(helper))
    worker.unref()
  }

  #startWorker(own: Pick<ScannerData, 'place' | 'room'>): Worker {
    const { shared, room } = this.#memory
    try {
      return new Worker(new URL('./sign-scanner.worker.ts', import.meta.url), {
        workerData: { ...own, memory: shared, scan: room.scan } satisfies ScannerData,
        resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
      })
    } catch (error) {
      this.#memory.giveBackScanRoom(own.room)
      throw error
    }
  }
}
