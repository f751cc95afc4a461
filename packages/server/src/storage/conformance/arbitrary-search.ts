// Arbitrary memories, queries, filters and cuts. Few values, so that terms, tags and vectors are shared
// and scores are equal now and then.
import fc from 'fast-check'
import type { Calibration, Weights } from '../../retrieval/calibration.ts'
import type { Piece, SearchQuery } from '../../retrieval/evidence.ts'
import { identityOf } from '../../retrieval/identity.ts'
import { numberBetween } from '../../testing/arbitrary-number.ts'
import type { StoredMemory } from './oracle.ts'
import { CALIBRATION, memoryOf, passageOf, unit } from './records.ts'

const words = fc.constantFrom(
  'coffee',
  'tea',
  'ORD-48213',
  'Anna',
  'Zürich',
  'liked',
  'the',
  'C++',
  'AT & T',
  '9be4f1a2c3d4',
  '咖啡店',
  'what?',
)
const direction = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 5, maxLength: 5 })
// Numbers that 32 bits hold exactly.
const commonness = fc.constantFrom(undefined, 0.25, 0.5, 0.75)
const embedding = fc.record({ direction, commonness })
const tag = fc.constantFrom('a', 'b', 'a,b')
const person = fc.constantFrom('u1', 'u2')
const drawnPiece = fc.record({
  text: fc.array(words, { minLength: 1, maxLength: 3 }).map((list) => list.join(' ')),
  own: embedding,
  sentences: fc.array(embedding, { maxLength: 3 }),
})
export const stored: fc.Arbitrary<StoredMemory> = fc
  .record({
    drawn: fc.array(drawnPiece, { minLength: 1, maxLength: 3 }),
    userId: person,
    agentId: fc.option(person, { nil: undefined }),
    tags: fc.uniqueArray(tag),
    createdAt: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ drawn, ...fields }) => {
    const content = drawn.map(({ text }) => text).join(' ')
    return { memory: memoryOf({ ...fields, content }), pieces: placed(drawn) }
  })

type DrawnPiece = typeof drawnPiece extends fc.Arbitrary<infer Drawn> ? Drawn : never

/** One behind the other, with a space between them. */
function placed(drawn: DrawnPiece[]): Piece[] {
  let next = 0
  return drawn.map(({ text, own, sentences }) => {
    const [start, end] = [next, next + text.length]
    next = end + 1
    const at = (one: typeof own) => passageOf(start, end, one.direction, one.commonness)
    return { ...at(own), sentences: sentences.map(at) }
  })
}

const weight = numberBetween(0, 1)
const weights: fc.Arbitrary<Weights> = fc.record({
  coverage: weight,
  names: weight,
  askingMemory: weight,
  commonness: fc.record({ memory: weight, query: weight }),
  border: weight,
  sharpness: numberBetween(1, 20),
})
const calibration: fc.Arbitrary<Calibration> = fc.record({
  version: fc.constant(3),
  cosine: fc.record({ scale: numberBetween(0.1, 2), offset: weight }),
  sentence: fc.record({ share: weight, lead: weight }),
  commonnessTypical: weight,
  asking: weights,
  nameless: weights,
  stating: weights,
})
export const query: fc.Arbitrary<SearchQuery> = fc.record({
  asks: fc.boolean(),
  parts: fc.array(
    fc.record({ vector: direction.map(unit), commonness, hasUnknown: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 2,
    },
  ),
  terms: fc
    .uniqueArray(
      fc.record(
        {
          term: fc.constantFrom(
            ...['coffe', 'cofe', 'tea', '48213', 'anna', 'zurih', 'like', 'c++', 'at&t', 'none'],
          ),
          word: fc.constant('word'),
          alternatives: fc.subarray(['ord48213', 'tea', '9be4f1a#', 'nobody']),
          isName: fc.boolean(),
          isCode: fc.nat(7).map((one) => one === 0),
          rarity: numberBetween(0.1, 9),
          isKnown: fc.boolean(),
          day: fc.constantFrom('whole' as const, 'part' as const),
        },
        { requiredKeys: ['term', 'word', 'alternatives', 'isName', 'isCode', 'rarity', 'isKnown'] },
      ),
      { selector: ({ term }) => term, maxLength: 4 },
    )
    // A day comes with the words that it is written with.
    .filter((all) => all.length === 0 || all.some(({ day }) => day !== 'whole')),
  identity: fc.constantFrom('', ...['coffee', 'tea', 'Anna', 'the'].map(identityOf)),
  calibration: fc.oneof(fc.constant(CALIBRATION), calibration),
})
export const filter = fc.record(
  // A caller may ask for a tag twice.
  { userId: person, agentId: person, tags: fc.array(tag, { maxLength: 4 }) },
  { requiredKeys: [] },
)
export const cut = fc.record({
  limit: fc.integer({ min: 1, max: 8 }),
  threshold: fc.constantFrom(0, 0.01, 0.3, 0.5, 0.9, 1),
  explains: fc.boolean(),
})
