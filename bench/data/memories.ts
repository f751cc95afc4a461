// The memories of the benchmark, by number: a number always has the same text, vector, user and tags, so that
// the stores, the peers and the exact ranking hold the same without a list of a million. The first ones are
// real texts with the model's vectors; each of the others mixes the words and the vectors of two of those.
import type { Piece } from '../../packages/server/src/retrieval/evidence.ts'
import type { MemoryRecord } from '../../packages/server/src/storage/records.ts'
import type { MemoryFilter } from '../../packages/server/src/storage/store.ts'
import { mixedVector } from './clustered.ts'
import { hashOf } from './random.ts'
import type { Embedded, Sample } from './sample.ts'
import { joined } from './texts.ts'

/** `sentences`: two to a memory, with a vector each beside that of the whole: 2.7 vectors a memory. */
export type Kind = 'plain' | 'sentences'
export type Stored = { memory: MemoryRecord; pieces: Piece[] }

const SINGLE_PERCENT = 15
const TIME = 1_700_000_000_000
const ID_LENGTH = 25
const RARE_USER = 'rare'
const TENTH_USER = 'tenth'
const TAGS = ['work', 'travel'] as const

/** By the name that is printed. */
export const FILTERS: Readonly<Record<string, MemoryFilter>> = {
  'no filter': {},
  'user with 100': { userId: RARE_USER },
  'user with 10 %': { userId: TENTH_USER },
  'two tags, 6 %': { tags: [...TAGS] },
}

/** `size` is the number of memories in the space, on which it depends which user a memory belongs to. */
export function memoryAt({ texts }: Sample, number: number, size: number, kind: Kind): Stored {
  const whole = textAt(texts, number)
  const isLong = kind === 'sentences' && hashOf(number, 5) % 100 >= SINGLE_PERCENT
  const { content, piece } = isLong
    ? inSentences(whole, textAt(texts, number + 7_919))
    : { content: whole.text, piece: { ...spanOf(whole, 0), sentences: [] } }
  return { memory: { ...recordAt(number, size), content }, pieces: [piece] }
}

/** A memory without its content, which takes most of the time to make. */
export const recordAt = (number: number, size: number): Omit<MemoryRecord, 'content'> => ({
  id: idAt(number),
  userId: userAt(number, size),
  agentId: undefined,
  tags: tagsAt(number),
  metadata: undefined,
  createdAt: TIME + number,
})

const idAt = (number: number): string => `mem_${String(number).padStart(ID_LENGTH, '0')}`

/** A real text as long as there are any, then a mixture of two. */
export function textAt(texts: readonly Embedded[], number: number): Embedded {
  const [first, second] = [texts[number % texts.length], texts[hashOf(number, 1) % texts.length]]
  if (first === undefined || second === undefined) throw new Error('The sample is empty.')
  if (number < texts.length) return first
  const share = 0.2 + 0.3 * (hashOf(number, 2) / 2 ** 32)
  const commonness =
    first.commonness === undefined || second.commonness === undefined
      ? undefined
      : (1 - share) * first.commonness + share * second.commonness
  return {
    text: joined(first.text, second.text),
    vector: mixedVector(first.vector, second.vector, share, hashOf(number, 3)),
    commonness,
  }
}

function inSentences(first: Embedded, second: Embedded): { content: string; piece: Piece } {
  const content = `${first.text} ${second.text}`
  const sentences = [spanOf(first, 0), spanOf(second, first.text.length + 1)]
  const vector = mixedVector(first.vector, second.vector, 0.5, first.text.length)
  const piece = { start: 0, end: content.length, vector, commonness: first.commonness, sentences }
  return { content, piece }
}

const spanOf = ({ text, vector, commonness }: Embedded, start: number) => ({
  start,
  end: start + text.length,
  vector,
  commonness,
})

function userAt(number: number, size: number): string {
  if (number % 10 === 3) return TENTH_USER
  if (number % Math.max(1, Math.floor(size / 100)) === 0) return RARE_USER
  return `user-${hashOf(number, 4) % 50}`
}

function tagsAt(number: number): string[] {
  const dice = hashOf(number, 6)
  const [first, second] = TAGS
  return [
    ...(dice % 4 === 0 ? [first] : []),
    ...((dice >>> 4) % 4 === 0 ? [second] : []),
    `topic-${(dice >>> 8) % 30}`,
  ]
}
