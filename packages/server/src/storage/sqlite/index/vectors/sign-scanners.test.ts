// Helping threads change how long a scan takes, but not what it finds. They are real threads that join when
// they can, so that cases scan until a helper has found something.
import { afterEach, expect, test, vi } from 'vitest'
import { CHUNK_ROWS, CodeMemory } from '../scan/code-memory.ts'
import { HEAD_BYTES, SIGN_BYTES_A_STEP } from '../scan/kernel.ts'
import type { Best } from './best.ts'
import { ACTIVE, FOUND, LEAST, NEXT, type SignScan } from './sign-scan.ts'
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
    firstAreTypical: 1,
  }
  const words = new Int32Array(memory.buffer, room.scan)
  const scannersOf = (helpers: number, restMs?: number): SignScanners => {
    const scanners = new SignScanners(memory, helpers, restMs)
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

test('a helper whose room lies behind gigabytes of codes helps as well', async () => {
  const { scan, words, memory, scannersOf } = newScan(mixed)
  const alone = ascending(placesOf(scannersOf(0).run(scan)))
  memory.take(2 ** 31)
  const scanners = scannersOf(1)
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

/** Scanners whose helpers have been at work, until one of them is not heard of any more. */
async function newGivenUp(
  { scan, words, memory, scannersOf }: ReturnType<typeof newScan>,
  restMs?: number,
) {
  const rooms = vi.spyOn(memory, 'takeScanRoom')
  const scanners = scannersOf(2, restMs)
  await vi.waitFor(() => {
    scanners.run(scan)
    expect(words[FOUND]).toBeGreaterThan(0)
    expect(words[FOUND + 1]).toBeGreaterThan(0)
  }, PATIENT)
  const taken = rooms.mock.results.map(({ value }) => value)
  Atomics.add(words, ACTIVE, 1)
  const found = ascending(placesOf(scanners.run(scan)))
  return { scanners, found, taken, rooms }
}

test('a helper that has joined and is heard of no more is done without', async () => {
  const space = newScan(mixed)
  const alone = ascending(placesOf(space.scannersOf(0).run(space.scan)))
  const { scanners, found } = await newGivenUp(space)
  expect(found).toEqual(alone)
  expect(ascending(placesOf(scanners.run(space.scan)))).toEqual(alone)
})

test('helpers come back, and none before the old ones have ended, whatever these still write', async () => {
  const space = newScan(mixed)
  const { scan, words } = space
  const alone = ascending(placesOf(space.scannersOf(0).run(scan)))
  const { scanners, taken, rooms } = await newGivenUp(space, 0)
  expect(taken).toHaveLength(2)
  // No event of a thread arrives meanwhile, so they may all be at work.
  for (let again = 0; again < 20; again += 1) {
    for (const place of [ACTIVE, NEXT, LEAST, FOUND, FOUND + 1]) Atomics.store(words, place, 7)
    expect(ascending(placesOf(scanners.run(scan)))).toEqual(alone)
  }
  expect(rooms).toHaveBeenCalledTimes(2)
  await vi.waitFor(() => {
    expect(ascending(placesOf(scanners.run(scan)))).toEqual(alone)
    expect(rooms).toHaveBeenCalledTimes(4)
    expect(words[FOUND]).toBeGreaterThan(0)
    expect(words[FOUND + 1]).toBeGreaterThan(0)
  }, PATIENT)
  expect(Atomics.load(words, ACTIVE)).toBe(0)
  const again = rooms.mock.results.slice(2).map(({ value }) => value)
  expect(again, 'the room of the old ones').toEqual(expect.arrayContaining(taken))
})

test('helpers that failed have rest for a while', async () => {
  const space = newScan(mixed)
  const { scanners, rooms } = await newGivenUp(space)
  const givenBack = vi.spyOn(space.memory, 'giveBackScanRoom')
  await vi.waitFor(() => expect(givenBack).toHaveBeenCalledTimes(2), PATIENT)
  scanners.run(space.scan)
  expect(rooms).toHaveBeenCalledTimes(2)
})

test('in the place of a helper that could not begin another one does', async () => {
  const { scan, words, memory, scannersOf } = newScan(mixed)
  const alone = ascending(placesOf(scannersOf(0).run(scan)))
  const scanners = scannersOf(1, 0)
  const tooSmall = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
  const shared = vi.spyOn(memory, 'shared', 'get').mockReturnValueOnce(tooSmall)
  await vi.waitFor(() => {
    expect(ascending(placesOf(scanners.run(scan)))).toEqual(alone)
    expect(words[FOUND]).toBeGreaterThan(0)
  }, PATIENT)
  expect(shared).toHaveBeenCalledTimes(2)
})

test('where no thread can begin a scan goes on without', () => {
  const { scan, memory, scannersOf } = newScan(mixed)
  const alone = ascending(placesOf(scannersOf(0).run(scan)))
  const scanners = scannersOf(2)
  vi.spyOn(memory, 'takeScanRoom').mockImplementationOnce(() => {
    throw new RangeError('There is no more room.')
  })
  expect(ascending(placesOf(scanners.run(scan)))).toEqual(alone)
})

test('helpers that were closed do not come back', async () => {
  const { scan, memory, scannersOf } = newScan(mixed)
  const rooms = vi.spyOn(memory, 'takeScanRoom')
  const givenBack = vi.spyOn(memory, 'giveBackScanRoom')
  const scanners = scannersOf(1, 0)
  scanners.run(scan)
  scanners.close()
  await vi.waitFor(() => expect(givenBack).toHaveBeenCalledTimes(1), PATIENT)
  scanners.run(scan)
  expect(rooms).toHaveBeenCalledTimes(1)
})
