// The compiled loops do what plain-kernel.ts says, bit for bit, and touch nothing else: both run on the same
// arbitrary memory, and all of it is compared.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { float32Between, numberBetween } from '../../../../testing/arbitrary-number.ts'
import {
  BYTES_CHUNK_ROWS,
  BYTES_HEAD_BYTES,
  HEAD_BYTES,
  type Kernel,
  kernelOn,
  SIGN_BYTES_A_STEP,
} from './kernel.ts'
import { plainKernelOn } from './plain-kernel.ts'

const PAGE_BYTES = 65_536
const ROOM = 8

/** What the memory holds, repeated from some bytes so that all of it is arbitrary. */
const filling = fc.uint8Array({ minLength: 1, maxLength: 3_000 })

/** Runs the work on the compiled kernel and on its twin, each in a memory of the same content. */
function both(bytes: Uint8Array, work: (kernel: Kernel, memory: WebAssembly.Memory) => unknown) {
  const [one, other] = [kernelOn, plainKernelOn].map((open) => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
    const all = new Uint8Array(memory.buffer)
    for (let at = 0; at < all.length; at += bytes.length) {
      all.set(bytes.subarray(0, all.length - at), at)
    }
    return { result: work(open(memory), memory), bytes: Buffer.from(memory.buffer) }
  })
  expect(one?.result).toEqual(other?.result)
  expect(one?.bytes.equals(other?.bytes ?? Buffer.alloc(0)), 'the same in the whole memory').toBe(
    true,
  )
}

test.each(['multiplyBytes', 'multiplyHalves'] as const)(
  '%s gives the products of its plain twin, bit for bit, and writes nothing else',
  (name) => {
    const rows = fc.array(fc.nat(PAGE_BYTES - 20_000), { maxLength: 20 })
    const steps = fc.integer({ min: 1, max: 40 })
    fc.assert(
      fc.property(filling, steps, rows, (bytes, step, places) => {
        both(bytes, (kernel, memory) => {
          // A row may begin anywhere, and rows may overlap.
          const addresses = places.map((place) => 16_384 + place)
          new Uint32Array(memory.buffer, 8_192, places.length).set(addresses)
          kernel[name](8_192, places.length, step * 16, 0, 12_288)
        })
      }),
    )
  },
)

test('clear makes the bytes of its plain twin zero, and no others', () => {
  fc.assert(
    fc.property(filling, fc.nat(PAGE_BYTES), fc.nat(PAGE_BYTES), (bytes, one, other) => {
      const from = Math.min(one, other)
      both(bytes, (kernel) => kernel.clear(from, Math.max(one, other) - from))
    }),
  )
})

test('reach finds the owners that its plain twin finds, and writes nothing else', () => {
  const owner = fc.nat(400)
  const weight = numberBetween(-3, 3)
  const given = fc.record({
    chunks: fc.array(fc.nat(9), { maxLength: 3 }),
    steps: fc.integer({ min: 1, max: 20 }),
    owners: fc.array(owner, { minLength: BYTES_CHUNK_ROWS, maxLength: BYTES_CHUNK_ROWS }),
    scales: fc.array(float32Between(0, Math.fround(0.01)), {
      minLength: BYTES_CHUNK_ROWS,
      maxLength: BYTES_CHUNK_ROWS,
    }),
    scale: numberBetween(0, 1e-4),
    weights: fc.tuple(weight, weight, weight, weight, weight, weight, weight),
  })
  let found = 0
  fc.assert(
    fc.property(filling, given, (bytes, { chunks, steps, owners, ...rest }) => {
      const [query, points, list, room, cosines] = [0, 2_048, 4_224, 4_352, 5_120]
      both(bytes, (kernel, memory) => {
        const addresses = chunks.map((place) => 8_192 + place * 5_440)
        new Uint32Array(memory.buffer, list, chunks.length).set(addresses)
        for (const address of addresses) {
          new Float32Array(memory.buffer, address, BYTES_CHUNK_ROWS).set(rest.scales)
          const place = address + BYTES_CHUNK_ROWS * (BYTES_HEAD_BYTES - 4)
          new Uint32Array(memory.buffer, place, BYTES_CHUNK_ROWS).set(owners)
        }
        const end = kernel.reach(
          ...([list, chunks.length, steps * 16, query, points] as const),
          ...([rest.scale, ...rest.weights] as const),
          ...([cosines, room] as const),
        )
        found += end - room
        return end
      })
    }),
    { numRuns: 500 },
  )
  expect(found).toBeGreaterThan(0)
})

test('countDiffering and estimate find the rows of its plain twin with the same values', () => {
  const weight = fc.integer({ min: -5_000, max: 5_000 })
  const given = fc.record({
    count: fc.integer({ min: 1, max: ROOM }),
    parts: fc.integer({ min: 1, max: 3 }),
    weights: fc.tuple(weight, weight, weight, weight, weight, weight, weight),
    near: fc.integer({ min: -40_000, max: 40_000 }),
    least: fc.integer({ min: -40_000, max: 40_000 }),
  })
  let rows = 0
  fc.assert(
    fc.property(filling, given, (bytes, { count, parts, weights, near, least }) => {
      const [query, points, differing, chunk, found] = [0, 1_024, 2_048, 4_096, 8_192]
      const width = parts * SIGN_BYTES_A_STEP
      expect(chunk + ROOM * (HEAD_BYTES + width)).toBeLessThan(found)
      both(bytes, (kernel, memory) => {
        const signs = chunk + ROOM * HEAD_BYTES
        new Uint16Array(memory.buffer, differing, ROOM).fill(0)
        for (let part = 0; part < width; part += SIGN_BYTES_A_STEP) {
          kernel.countDiffering(signs + part, count, width, query + part, differing)
        }
        const end = kernel.estimate(
          ...([chunk, ROOM, count, 1_000, width, query, points, differing] as const),
          ...weights,
          ...([near, least, found] as const),
        )
        rows += end - found
        // Both are used up.
        new Uint8Array(memory.buffer, differing, ROOM * 2).fill(0)
        new Uint8Array(memory.buffer, end, found + count * 8 - end).fill(0)
        return end
      })
    }),
    { numRuns: 500 },
  )
  expect(rows).toBeGreaterThan(0)
})

test('points are added, left out and spread as by the plain twins', () => {
  const given = fc.record({
    count: fc.integer({ min: 0, max: 40 }),
    weight: fc.integer({ min: -32_768, max: 32_767 }),
    owners: fc.array(fc.nat(300), { maxLength: 60 }),
    first: fc.nat(300),
  })
  fc.assert(
    fc.property(filling, given, (bytes, { count, weight, owners, first }) => {
      const [bits, points, places] = [0, 4_096, 16_384]
      both(bytes, (kernel) => kernel.addPoints(bits, count, weight, points))
      both(bytes, (kernel) => kernel.leaveOut(bits, count, points))
      both(bytes, (kernel, memory) => {
        new Uint32Array(memory.buffer, places, owners.length).set(owners)
        kernel.spreadPoints(places, owners.length, first, points)
      })
    }),
  )
})
