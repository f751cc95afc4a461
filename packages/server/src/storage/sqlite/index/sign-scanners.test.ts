// Helping threads change how long a scan takes, and nothing of what it finds. They are real threads that join
// when they get to it, so cases scan until a helper has found something.
import { afterEach, expect, test, vi } from 'vitest'
import type { Best } from './best.ts'
import { CHUNK_ROWS, CodeMemory } from './scan/code-memory.ts'
import { HEAD_BYTES, SIGN_BYTES_A_STEP } from './scan/kernel.ts'
import { ACTIVE, FOUND, type SignScan } from './sign-scan.ts'
import { SignScanners } from './sign-scanners.ts'

const CHUNKS = 80
const COUNT = 300
/** A thread takes a while to begin. */
const PATIENT = { timeout: 20_000 }

const open: SignScanners[] = []
afterEach(() => {
  for (const scanners of open.splice(0)) scanners.close()
})

/** Chunks whose bytes are made by `byteOf`, and a scan of them in which every estimate is a last one. */
function newScan(byteOf: (place: number) => number) {
  const memory = new CodeMemory()
  const { room } = memory
  const bytes = CHUNK_ROWS * (HEAD_BYTES + SIGN_BYTES_A_STEP)
  const chunks = Array.from({ length: CHUNKS }, () => memory.take(bytes))
  const points = memory.zeroPoints(CHUNKS * CHUNK_ROWS)
  for (const [place, chunk] of chunks.entries()) {
    const filled = new Uint8Array(memory.buffer, chunk, bytes)
    for (let at = 0; at < bytes; at += 1) filled[at] = byteOf(place * bytes + at)
    new Int16Array(memory.buffer, chunk, CHUNK_ROWS).fill(512)
    new Uint8Array(memory.buffer, chunk + 2 * CHUNK_ROWS, CHUNK_ROWS * 8).fill(0)
  }
  new Uint32Array(memory.buffer, room.chunks, CHUNKS).set(chunks)
  new Uint8Array(memory.buffer, room.signs, 2 * SIGN_BYTES_A_STEP).fill(0b10110010)
  const scan: SignScan = {
    chunks: CHUNKS,
    addresses: room.chunks,
    width: SIGN_BYTES_A_STEP,
    signs: room.signs,
    points,
    whole: 192 * 64,
    each: 64,
    more: 0,
    wholeCoarse: 192 * 64,
    coarse: 64,
    straight: 0,
    typical: 0,
    slack: 0,
    count: COUNT,
    floor: -(2 ** 30),
    isEven: 1,
  }
  const words = new Int32Array(memory.buffer, room.scan)
  const scannersOf = (helpers: number): SignScanners => {
    const scanners = new SignScanners(memory, helpers)
    open.push(scanners)
    return scanners
  }
  return { scan, words, memory, scannersOf }
}

/** The same bytes with each run of the tests, and no order in them. */
const mixed = (place: number): number =>
  (Math.imul(place ^ (place >>> 7), 2_654_435_761) >>> 13) & 255
const placesOf = (best: Best): number[] =>
  [...best.batches(16)].flatMap(({ places }) => [...places])
const ascending = (places: Iterable<number>): number[] =>
  [...places].sort((one, other) => one - other)

test('several threads find what one finds', async () => {
  const { scan, words, scannersOf } = newScan(mixed)
  const alone = ascending(placesOf(scannersOf(0).run(scan)))
  expect(alone.length).toBeGreaterThanOrEqual(COUNT)
  const scanners = scannersOf(2)
  await vi.waitFor(() => {
    expect(ascending(placesOf(scanners.run(scan)))).toEqual(alone)
    expect(words[FOUND], 'the first helper has found some').toBeGreaterThan(0)
    expect(words[FOUND + 1], 'so has the second one').toBeGreaterThan(0)
  }, PATIENT)
  for (let again = 0; again < 100; again += 1) {
    // What another search takes for too little says nothing to the next one.
    expect(placesOf(scanners.run({ ...scan, floor: 2 ** 30 }))).toEqual([])
    expect(ascending(placesOf(scanners.run(scan)))).toEqual(alone)
  }
})

test('a helper reads what was stored after it began', async () => {
  const { scan, words, memory, scannersOf } = newScan(mixed)
  const scanners = scannersOf(1)
  await vi.waitFor(() => {
    scanners.run(scan)
    expect(words[FOUND]).toBeGreaterThan(0)
  }, PATIENT)
  const chunks = new Uint32Array(memory.buffer, scan.addresses, CHUNKS)
  const bytes = CHUNK_ROWS * (HEAD_BYTES + SIGN_BYTES_A_STEP)
  for (const [place, chunk] of chunks.entries()) {
    const moved = memory.take(bytes)
    const all = new Uint8Array(memory.buffer)
    all.copyWithin(moved, chunk, chunk + bytes)
    all.fill(0, chunk, chunk + bytes)
    chunks[place] = moved
  }
  const alone = ascending(placesOf(scannersOf(0).run(scan)))
  await vi.waitFor(() => {
    expect(ascending(placesOf(scanners.run(scan)))).toEqual(alone)
    expect(words[FOUND]).toBeGreaterThan(0)
  }, PATIENT)
})

test('a helper that finds more than it has room for costs a second scan, and no row', async () => {
  const { scan, words, scannersOf } = newScan(() => 0b10110010)
  const scanners = scannersOf(1)
  await vi.waitFor(() => {
    expect(placesOf(scanners.run(scan))).toHaveLength(CHUNKS * CHUNK_ROWS)
    expect(words[FOUND]).toBe(-1)
  }, PATIENT)
})

test('a helper that has joined and is heard of no more is done without', () => {
  const { scan, words, scannersOf } = newScan(mixed)
  const alone = ascending(placesOf(scannersOf(0).run(scan)))
  const scanners = scannersOf(1)
  Atomics.add(words, ACTIVE, 1)
  expect(ascending(placesOf(scanners.run(scan)))).toEqual(alone)
  expect(ascending(placesOf(scanners.run(scan)))).toEqual(alone)
})
