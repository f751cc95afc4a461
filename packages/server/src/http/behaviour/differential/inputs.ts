// Bodies and queries, most of them valid. Few words, users and tags, so that terms, filters and
// scores meet; and every kind of input that is refused, each for one reason.
import type { Dice } from './dice.ts'

type Fields = Record<string, unknown>

const WORDS = [
  ...['coffee', 'tea', 'Anna', 'Zürich', 'zurich', 'ORD-48213', 'invoice', 'paid', 'March', 'the'],
  ...['liked', 'likes', 'not', 'dark', 'roast', '咖啡店', 'harbour', 'kite', '42', '3.5', 'what?'],
  ...['Ben', 'meeting', 'Monday', 'café', 'cafe\u0301', 'moved', 'works', 'Acme', 'since', '2026'],
] as const
const USERS = ['anna', 'ben', 'Émile', 'user with spaces'] as const
const AGENTS = ['planner', 'writer'] as const
const TAGS = ['work', 'home', 'Work', 'a,b', 'ä', ' outer '] as const
const NAMES = [
  'Anna',
  'ANNA Berg',
  'Ánna',
  'Acme',
  'Acme Coffee',
  'Zürich',
  '咖啡店',
  '100%_a',
] as const
const TYPES = ['PERSON', 'ORGANIZATION', 'LOCATION', 'OTHER'] as const
const RELATION_TYPES = ['WORKS_FOR', 'KNOWS', 'x1'] as const
const METADATA = [
  {},
  { a: 1, b: [true, null, 1.5e-7], '': 'x' },
  { z: 'Ω\n"', a: { deep: [{}] }, n: 9_007_199_254_740_992 },
] as const
/** Neither is a text that can be stored. */
const UNSTORABLE = ['nul\0', 'lone\ud800'] as const
const NO_TEXT = ['', ' \t', 7, null, ['a'], {}, ...UNSTORABLE] as const

function sentence(dice: Dice, wordsMax: number): string {
  return Array.from({ length: 1 + dice.below(wordsMax) }, () => dice.pick(WORDS)).join(' ')
}

const tagsOf = (dice: Dice) => Array.from({ length: dice.below(4) }, () => dice.pick(TAGS))
const maybe = (dice: Dice, name: string, value: () => unknown): Fields =>
  dice.happens(50) ? { [name]: value() } : {}
const absent = (dice: Dice, name: string): Fields => (dice.happens(10) ? { [name]: null } : {})

export const memoryBody = (dice: Dice): Fields => ({
  content: sentence(dice, 14),
  userId: dice.pick(USERS),
  ...maybe(dice, 'agentId', () => dice.pick(AGENTS)),
  ...maybe(dice, 'tags', () => tagsOf(dice)),
  ...maybe(dice, 'metadata', () => dice.pick(METADATA)),
  ...absent(dice, dice.pick(['agentId', 'tags', 'metadata'])),
})

export const searchBody = (dice: Dice): Fields => ({
  query: sentence(dice, 6),
  ...maybe(dice, 'threshold', () => dice.pick([0, 0, 0, 0.1, 0.3, 0.5, 1])),
  ...maybe(dice, 'limit', () => dice.pick([1, 3, 10, 100])),
  ...(dice.happens(25) ? { userId: dice.pick(USERS) } : {}),
  ...(dice.happens(15) ? { agentId: dice.pick(AGENTS) } : {}),
  ...(dice.happens(25) ? { tags: tagsOf(dice) } : {}),
})

export const entityBody = (dice: Dice): Fields => ({
  name: dice.happens(70) ? dice.pick(NAMES) : sentence(dice, 3),
  type: dice.pick(TYPES),
  ...maybe(dice, 'description', () => dice.pick(['', 'A café.', sentence(dice, 9)])),
  ...maybe(dice, 'metadata', () => dice.pick(METADATA)),
  ...absent(dice, 'description'),
})

/** Ids are filled in later. */
export const relationBody = (dice: Dice, ends: { sourceId: string; targetId: string }): Fields => ({
  ...ends,
  type: dice.pick(RELATION_TYPES),
  ...maybe(dice, 'metadata', () => dice.pick(METADATA)),
})

const BAD_FIELDS: readonly [Fields, ...Fields[]] = [
  { content: 'x'.repeat(10_001), query: 'x'.repeat(10_001), name: 'x'.repeat(257), type: 'a b' },
  ...['content', 'query', 'userId', 'name', 'type', 'sourceId', 'targetId'].flatMap((field) =>
    NO_TEXT.map((value) => ({ [field]: value })),
  ),
  { userId: 'é'.repeat(257), type: 'PERSON_', description: 'x'.repeat(4_001) },
  ...[['x', ''], 'work', [1], ['y'.repeat(129)], Array(51).fill('t')].map((tags) => ({
    tags,
    description: tags,
  })),
  ...[[], 'text', 3, { long: 'x'.repeat(17_000) }].map((metadata) => ({
    metadata,
    limit: metadata,
  })),
  ...[0, 101, 1.5, '3', null].map((limit) => ({ limit, metadata: [limit] })),
  ...[-0.1, 1.1, '1', null].map((threshold) => ({ threshold, agentId: threshold, type: 'é' })),
]

/** Of a body of any kind: what an operation does not know is no error. */
export const spoilt = (dice: Dice, body: Fields): Fields => ({ ...body, ...dice.pick(BAD_FIELDS) })

/** No JSON at all, or none that is an object. */
export const NO_OBJECT = [
  '',
  '{',
  '[]',
  'null',
  '"a"',
  '{"content":"\\ud800"}',
  '{"a":1e999}',
] as const

const asQuery = (fields: Record<string, string>): string => {
  const text = new URLSearchParams(fields).toString()
  return text === '' ? '' : `?${text}`
}

const pageOf = (dice: Dice): Record<string, string> => ({
  ...(dice.happens(60) ? { limit: dice.pick(['1', '2', '7', '100']) } : {}),
  ...(dice.happens(40) ? { page: dice.pick(['1', '2', '3', '1000000']) } : {}),
  ...(dice.happens(4) ? { page: dice.pick(['0', '-1', '1.0', '', '01', '1000001']) } : {}),
  ...(dice.happens(4) ? { limit: dice.pick(['0', '101', 'ten', '']) } : {}),
})

export const memoriesQuery = (dice: Dice): string =>
  asQuery({
    ...pageOf(dice),
    ...(dice.happens(30) ? { userId: dice.pick([...USERS, 'nobody']) } : {}),
    ...(dice.happens(20) ? { agentId: dice.pick(AGENTS) } : {}),
    ...(dice.happens(30) ? { tags: dice.pick(['work', 'work,home', ' ä ,', 'none', 'a,b']) } : {}),
    ...(dice.happens(3)
      ? { [dice.pick(['userId', 'agentId', 'tags'])]: dice.pick(['', ' ', ',']) }
      : {}),
  })

export const entitiesQuery = (dice: Dice): string =>
  asQuery({
    ...pageOf(dice),
    ...(dice.happens(40) ? { type: dice.pick([...TYPES, 'CONCEPT', 'person']) } : {}),
    ...(dice.happens(40)
      ? { search: dice.pick(['', 'ann', 'ÁN', 'cme c', '%', '_', '店', 'zz']) }
      : {}),
  })

export const relationsQuery = (
  dice: Dice,
  ends: { sourceId: string; targetId: string },
): string => {
  const { sourceId, targetId } = ends
  const filter = dice.pick<Record<string, string>>([{}, { sourceId }, { targetId }, ends])
  const type = dice.happens(30) ? { type: dice.pick([...RELATION_TYPES, 'NONE', 'a b']) } : {}
  return asQuery({ ...pageOf(dice), ...filter, ...type })
}
