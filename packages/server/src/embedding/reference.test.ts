// The committed reference of the bundled model is what the command makes of its words, and its bytes keep the
// directions of the vectors. A sample of the words is embedded anew.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { afterEach, describe, expect, test } from 'vitest'
import { referenceOf } from '../command-line/calibrate/model-reference.ts'
import { EmbedderRefusal, toUnitLength } from './embedder.ts'
import { openLocalEmbedder } from './local/local-embedder.ts'
import { readReference, referenceBytes, referenceIn, referenceWords } from './reference.ts'

const file = join(tmpdir(), `mnemograph-reference-${process.pid}.bin`)
afterEach(() => rmSync(file, { force: true }))

const rowsOf = ({ codes, scales, dimension }: ReturnType<typeof referenceIn>): number[][] =>
  Array.from(scales, (scale, row) =>
    Array.from(codes.subarray(row * dimension, (row + 1) * dimension), (code) => code * scale),
  )

describe('the words of the reference', () => {
  test('are two thousand, each once, the most common one first', () => {
    const words = referenceWords()
    expect(words).toHaveLength(2_000)
    expect(new Set(words).size).toBe(2_000)
    expect(words[0]).toBe('the')
    for (const word of words) expect(word).toMatch(/^[a-z]{3,}$/)
  })
})

describe('the file of a reference', () => {
  test('holds the directions of the vectors, whatever their length, up to its precision', () => {
    const vectors = [
      [3, 4, 0],
      [-0.001, 0.0005, 0.0001],
      [0, 0, -7],
    ]
    const bytes = referenceBytes(vectors.map((vector) => Float32Array.from(vector)))
    expect(bytes).toHaveLength(9)
    for (const [place, row] of rowsOf(referenceIn(bytes, 3)).entries()) {
      const exact = toUnitLength(Float32Array.from(vectors[place] ?? []))
      expect(row).toEqual([...exact].map((value) => expect.closeTo(value, 2)))
      expect(Math.hypot(...row)).toBeCloseTo(1, 6)
    }
  })

  test('gives the same rows when it is read', () => {
    const bytes = referenceBytes([Float32Array.of(1, 2), Float32Array.of(-2, 1)])
    writeFileSync(file, bytes)
    expect(readReference(file, 2)).toEqual(referenceIn(bytes, 2))
  })

  test.each([0, 3, 5])('of %i bytes is refused for vectors of two numbers', (length) => {
    writeFileSync(file, Buffer.alloc(length))
    expect(() => readReference(file, 2)).toThrow(EmbedderRefusal)
    expect(() => readReference(file, 2)).toThrow(file)
  })
})

describe('the reference of the bundled model', () => {
  test('is what `mnemograph calibrate` makes, byte for byte', async () => {
    const embedder = await openLocalEmbedder({ folder: modelFolder, workers: 1 })
    const committed = readFileSync(new URL('reference.bin', modelFolder))
    const { dimension } = embedder.model
    const words = referenceWords()
    expect(committed).toHaveLength(words.length * dimension)
    // All of them would take half a minute.
    const places = words.flatMap((_, place) => (place % 97 === 0 ? place : []))
    const made = await referenceOf(
      embedder,
      places.map((place) => words[place] ?? ''),
    )
    await embedder.close()
    const rows = places.map((place) =>
      committed.subarray(place * dimension, (place + 1) * dimension),
    )
    expect(Buffer.concat(rows).equals(made)).toBe(true)
  })
})
