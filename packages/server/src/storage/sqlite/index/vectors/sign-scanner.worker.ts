// A thread that helps to scan large spaces: see sign-scanners.ts. It reads what others write and writes
// nothing but its own room.
import { workerData } from 'node:worker_threads'
import { FOUND_ROWS_MAX, type ScanRoom } from '../scan/code-memory.ts'
import { kernelOn } from '../scan/kernel.ts'
import { Best } from './best.ts'
import { ACTIVE, FOUND, OPEN, readScan, scanShare } from './sign-scan.ts'

export type ScannerData = {
  memory: WebAssembly.Memory
  /** Where the words of the scan stand. */
  scan: number
  /** Among the helpers. */
  place: number
  room: ScanRoom
}

const { memory, scan, place, room }: ScannerData = workerData
const kernel = kernelOn(memory)
const words = new Int32Array(memory.buffer, scan)
const best = new Best()

/** How many numbers stand in the own room now; less than none when there are too many. */
function scanOwnShare(): number {
  scanShare({ kernel, buffer: memory.buffer }, words, readScan(words), { room, best })
  const pairs = best.pairs()
  if (pairs.length > 2 * FOUND_ROWS_MAX) return -1
  new Int32Array(memory.buffer, room.found, pairs.length).set(pairs)
  return pairs.length
}

function tryToScan(): number {
  try {
    return scanOwnShare()
  } catch {
    return -1
  }
}

for (let seen = 0; ; ) {
  Atomics.wait(words, OPEN, seen)
  const open = Atomics.load(words, OPEN)
  if (open === seen) continue
  seen = open
  if (open === 0) continue
  Atomics.add(words, ACTIVE, 1)
  // Once it has joined, what is asked stays until it has left.
  if (Atomics.load(words, OPEN) === open) Atomics.store(words, FOUND + place, tryToScan())
  Atomics.sub(words, ACTIVE, 1)
  Atomics.notify(words, ACTIVE)
}
