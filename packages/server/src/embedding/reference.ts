// The reference that tells how common a text is (commonness/commonness.ts): the vectors of two
// thousand words by one model, kept beside it as signed bytes, a row for each word. Bytes are
// enough: what is needed of them is a mean of ten cosines.
import { readFileSync } from 'node:fs'
import type { Reference } from './commonness/commonness.ts'
import { EmbedderRefusal } from './embedder.ts'
import { readVocabulary } from './vocabulary.ts'

const WORDS = 2_000
/** So far apart, they reach from the commonest words to rare ones. */
const STEP = 8
const BYTE_MAX = 127

/** English words from common to rare, the same for every model. */
export function referenceWords(): string[] {
  const words = Object.entries(readVocabulary())
    .filter(([word]) => /^[a-z]{3,}$/.test(word))
    .toSorted(([, one], [, other]) => one - other)
    .map(([word]) => word)
  return words.filter((_, index) => index % STEP === 0).slice(0, WORDS)
}

/** What a reference file holds for these vectors. */
export function referenceBytes(vectors: readonly Float32Array[]): Buffer {
  const rows = vectors.map((vector) => {
    const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
    return Uint8Array.from(vector, (value) => Math.round((value / largest) * BYTE_MAX))
  })
  return Buffer.concat(rows)
}

/** Throws an EmbedderRefusal when the file does not hold whole rows. */
export function readReference(file: string, dimension: number): Reference {
  const bytes = readFileSync(file)
  if (bytes.length > 0 && bytes.length % dimension === 0) return referenceIn(bytes, dimension)
  throw new EmbedderRefusal(
    `${file} does not hold vectors of ${dimension} dimensions: run \`mnemograph calibrate\` again.`,
  )
}

/** From what its file holds. */
export function referenceIn(bytes: Buffer, dimension: number): Reference {
  const codes = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const scales = new Float64Array(bytes.length / dimension)
  for (let row = 0; row < scales.length; row += 1) {
    let squares = 0
    for (let at = row * dimension; at < (row + 1) * dimension; at += 1) {
      squares += (codes[at] ?? 0) ** 2
    }
    scales[row] = 1 / (Math.sqrt(squares) || 1)
  }
  // A copy, which holds nothing but the codes when it goes to a thread.
  return { codes: codes.slice(), scales, dimension }
}
