// A scan of the signs of a space by one or several threads. The scan that is asked for stands in the memory
// that they share (units: scan/kernel.ts). Each thread takes the next few chunks until none is left, so that
// one that is late, or on a busy core, holds up no other. Each keeps the best rows that it has seen, and tells
// the others the value below which no row counts any more (`least`). decisions/2026-11-21-search-at-scale.md

import { CHUNK_ROWS, FOUND_ROWS_MAX, type ScanRoom } from '../scan/code-memory.ts'
import { type EstimateWeights, HEAD_BYTES, type Kernel, SIGN_BYTES_A_STEP } from '../scan/kernel.ts'
import type { Best } from './best.ts'

/** No more than there is room for when all of their rows are found. */
const CHUNKS_A_STEP = Math.min(4, FOUND_ROWS_MAX / CHUNK_ROWS)
const CHUNKS_OF_END = 16
/**
 * Chunks are taken from all over the space, so that the first ones are like all of them: memories of one
 * time are often of one subject. A prime number beyond all counts of chunks, so each is taken once.
 */
const STRIDE = 999_983

/** Whole numbers, all of them; addresses are places in the memory. */
export type SignScan = EstimateWeights & {
  /** How many, and where their addresses stand. */
  chunks: number
  addresses: number
  /** Bytes of a row. */
  width: number
  /** Signs of the query, then its marks. */
  signs: number
  points: number
  /** How far the first estimate may lie below the second. */
  slack: number
  /** Of the greatest values, so many are looked for, and none that is less than the floor. */
  count: number
  floor: number
  /** 1 when the rows that are looked at first may tell what the others have to reach, else 0. */
  firstAreTypical: number
}

/** The words of a scan, before what is asked: see sign-scanners.ts. */
export const [OPEN, ACTIVE, NEXT, LEAST, ASKED] = [0, 1, 2, 3, 4]

const FIELDS = [
  'chunks',
  'addresses',
  'width',
  'signs',
  'points',
  'whole',
  'each',
  'more',
  'wholeCoarse',
  'coarse',
  'straight',
  'typical',
  'slack',
  'count',
  'floor',
  'firstAreTypical',
] as const
/** Behind what is asked: how much each of the helping threads has found. */
export const FOUND = ASKED + FIELDS.length

export function writeScan(words: Int32Array, scan: SignScan): void {
  for (const [place, field] of FIELDS.entries()) words[ASKED + place] = scan[field]
}

export function readScan(words: Int32Array): SignScan {
  const at = (field: keyof SignScan): number => words[ASKED + FIELDS.indexOf(field)] ?? 0
  return {
    chunks: at('chunks'),
    addresses: at('addresses'),
    width: at('width'),
    signs: at('signs'),
    points: at('points'),
    whole: at('whole'),
    each: at('each'),
    more: at('more'),
    wholeCoarse: at('wholeCoarse'),
    coarse: at('coarse'),
    straight: at('straight'),
    typical: at('typical'),
    slack: at('slack'),
    count: at('count'),
    floor: at('floor'),
    firstAreTypical: at('firstAreTypical'),
  }
}

/** Takes chunks until none is left. `best` begins anew, and has what was found in the end. */
export function scanShare(
  { kernel, buffer }: { kernel: Kernel; buffer: ArrayBufferLike },
  words: Int32Array,
  scan: SignScan,
  { room, best }: { room: ScanRoom; best: Best },
): void {
  const addresses = new Uint32Array(buffer, scan.addresses, scan.chunks)
  const total = scan.firstAreTypical === 1 ? scan.chunks * CHUNK_ROWS : 0
  best.begin({ count: scan.count, total, floor: Atomics.load(words, LEAST) })
  // Few at first: until enough is seen, nothing can be passed over. Few in the end: nobody waits long.
  for (let step = 1; ; step = Math.min(step * 2, CHUNKS_A_STEP)) {
    const left = scan.chunks - Atomics.load(words, NEXT)
    if (left < CHUNKS_OF_END) step = 1
    const from = Atomics.add(words, NEXT, step)
    if (from >= scan.chunks) return
    let end = room.found
    const to = Math.min(from + step, scan.chunks)
    for (let taken = from; taken < to; taken += 1) {
      const chunk = (taken * STRIDE) % scan.chunks
      const address = addresses[chunk] ?? 0
      const first = chunk * CHUNK_ROWS
      kernel.clear(room.differing, CHUNK_ROWS * Uint16Array.BYTES_PER_ELEMENT)
      for (let part = 0; part < scan.width; part += SIGN_BYTES_A_STEP) {
        kernel.countDiffering(
          address + CHUNK_ROWS * HEAD_BYTES + part,
          CHUNK_ROWS,
          scan.width,
          scan.signs + part,
          room.differing,
        )
      }
      const next = kernel.estimate(
        address,
        CHUNK_ROWS,
        CHUNK_ROWS,
        first,
        scan.width,
        scan.signs,
        scan.points + first * 2,
        room.differing,
        scan.whole,
        scan.each,
        scan.more,
        scan.wholeCoarse,
        scan.coarse,
        scan.straight,
        scan.typical,
        best.least - scan.slack,
        best.least,
        end,
      )
      // Behind two gigabytes the kernel's number is below zero.
      end = next >>> 0
    }
    best.offer(new Int32Array(buffer, room.found, (end - room.found) / 4), (to - from) * CHUNK_ROWS)
    best.raise(greatestLeast(words, best.least))
  }
}

/** What any of the threads knows to be too little, after this one has said what it knows. */
function greatestLeast(words: Int32Array, own: number): number {
  let known = Atomics.load(words, LEAST)
  while (known < own) {
    const before = Atomics.compareExchange(words, LEAST, known, own)
    if (before === known) return own
    known = before
  }
  return known
}
