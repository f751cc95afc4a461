// Every bound of a body at, below and above its edge. Lengths are code points.
import { describe, expect, test } from 'vitest'
import { NewEntity } from '../../contract/entities.ts'
import { ApiError } from '../../contract/errors.ts'
import { MemorySearch, NewMemory } from '../../contract/memories.ts'
import { NewRelation } from '../../contract/relations.ts'
import { body } from './read-input.ts'

const ASTRAL = '\u{1f9e0}'
const COMBINED = 'e\u0301'
const WHITE_SPACE = [
  ...['\t', '\n', '\v', '\f', '\r', ' ', '\u00a0', '\u1680', '\u2028', '\u2029', '\u202f'],
  ...Array.from({ length: 11 }, (_, index) => String.fromCharCode(0x2000 + index)),
  ...['\u205f', '\u3000', '\ufeff'],
]
const UNSTORABLE = ['\0', 'a\0b', '\ud800', 'a\udfff', '\udc00\ud800']

const readMemory = body(NewMemory)
const readEntity = body(NewEntity)
const readRelation = body(NewRelation)
const readSearch = body(MemorySearch)

const memory = { content: 'c', userId: 'u' }
const entity = { name: 'n', type: 'PERSON' }
const relation = { sourceId: 's', targetId: 't', type: 'KNOWS' }
const search = { query: 'q' }

type Read = (request: { body: unknown }) => object
/** The code of the refusal, with the field where it has one; `ok` when there is none. */
function outcome(read: Read, value: unknown): string {
  try {
    read({ body: value })
    return 'ok'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { field } = error.fields
    return field === undefined ? error.code : `${error.code} ${field}`
  }
}

type TextField = { read: Read; valid: object; name: string; max: number; refused: string }
const texts: TextField[] = [
  {
    read: readMemory,
    valid: memory,
    name: 'content',
    max: 10_000,
    refused: 'VALIDATION_ERROR content',
  },
  { read: readMemory, valid: memory, name: 'userId', max: 256, refused: 'INVALID_USER_ID' },
  {
    read: readMemory,
    valid: memory,
    name: 'agentId',
    max: 256,
    refused: 'VALIDATION_ERROR agentId',
  },
  { read: readEntity, valid: entity, name: 'name', max: 256, refused: 'NAME_REQUIRED' },
  {
    read: readSearch,
    valid: search,
    name: 'query',
    max: 10_000,
    refused: 'VALIDATION_ERROR query',
  },
  { read: readSearch, valid: search, name: 'userId', max: 256, refused: 'VALIDATION_ERROR userId' },
  {
    read: readSearch,
    valid: search,
    name: 'agentId',
    max: 256,
    refused: 'VALIDATION_ERROR agentId',
  },
]

describe.each(texts)('$refused: $name up to $max', ({ read, valid, name, max, refused }) => {
  const given = (value: unknown) => outcome(read, { ...valid, [name]: value })
  const tooLong = name === 'content' ? 'CONTENT_TOO_LONG' : refused

  test('counts code points, whatever they take in UTF-16 or on the screen', () => {
    for (const character of ['a', ASTRAL]) {
      expect(given(character)).toBe('ok')
      expect(given(character.repeat(max - 1))).toBe('ok')
      expect(given(character.repeat(max))).toBe('ok')
      expect(given(character.repeat(max + 1))).toBe(tooLong)
    }
    expect(given(COMBINED.repeat(max / 2))).toBe('ok')
    expect(given(`${COMBINED.repeat(max / 2)}a`)).toBe(tooLong)
  })

  test('refuses a blank text, whichever white space it is made of', () => {
    expect(given('')).toBe(refused)
    for (const space of WHITE_SPACE) {
      expect(space.trim(), JSON.stringify(space)).toBe('')
      expect(given(space.repeat(3)), JSON.stringify(space)).toBe(refused)
      expect(given(`${space}a${space}`)).toBe('ok')
    }
    expect(given(WHITE_SPACE.join(''))).toBe(refused)
    expect(given('\u200b'), 'a zero-width space is not white space').toBe('ok')
  })

  test('refuses what cannot be stored exactly', () => {
    for (const text of UNSTORABLE) expect(given(text), JSON.stringify(text)).toBe(refused)
  })

  test('refuses every other type, and never coerces', () => {
    for (const value of [5, true, [], ['a'], {}, { a: 1 }]) expect(given(value)).toBe(refused)
  })
})

test('required fields cannot be absent or null', () => {
  for (const value of [{}, { content: null, userId: 'u' }]) {
    expect(outcome(readMemory, value)).toBe('VALIDATION_ERROR content')
  }
  for (const value of [{ content: 'c' }, { content: 'c', userId: null }]) {
    expect(outcome(readMemory, value)).toBe('INVALID_USER_ID')
  }
  for (const value of [{}, { name: null, type: 'PERSON' }]) {
    expect(outcome(readEntity, value)).toBe('NAME_REQUIRED')
  }
  for (const value of [{ name: 'n' }, { name: 'n', type: null }]) {
    expect(outcome(readEntity, value)).toBe('INVALID_ENTITY_TYPE')
  }
  expect(outcome(readRelation, {})).toBe('VALIDATION_ERROR sourceId')
  expect(outcome(readRelation, { sourceId: 's' })).toBe('VALIDATION_ERROR targetId')
  expect(outcome(readRelation, { ...relation, type: null })).toBe('INVALID_RELATION_TYPE')
  expect(outcome(readSearch, {})).toBe('VALIDATION_ERROR query')
})

test('the optional fields of a create may be null, which means absent', () => {
  const nulls = { agentId: null, tags: null, metadata: null }
  expect(readMemory({ body: { ...memory, ...nulls } })).toEqual(memory)
  const read = readEntity({ body: { ...entity, description: null, metadata: null } })
  expect(read).toEqual(entity)
  expect(readRelation({ body: { ...relation, metadata: null } })).toEqual(relation)
})

test('nothing in a search may be null', () => {
  for (const name of ['query', 'userId', 'agentId', 'tags', 'limit', 'threshold']) {
    expect(outcome(readSearch, { ...search, [name]: null })).toBe(`VALIDATION_ERROR ${name}`)
  }
})

test('a description may be empty and has at most 4,000 characters', () => {
  const given = (description: unknown) => outcome(readEntity, { ...entity, description })
  expect(readEntity({ body: { ...entity, description: '' } })).toMatchObject({ description: '' })
  expect(given(ASTRAL.repeat(4_000))).toBe('ok')
  expect(given(ASTRAL.repeat(4_001))).toBe('VALIDATION_ERROR description')
  for (const text of UNSTORABLE) expect(given(text)).toBe('VALIDATION_ERROR description')
})

test.each([
  ['create', readMemory, memory],
  ['search', readSearch, search],
] as const)(
  'tags of a %s: at most 50 of 1 to 128 characters, counted before duplicates',
  (_, read, valid) => {
    const given = (tags: unknown) => outcome(read, { ...valid, tags })
    const refused = 'VALIDATION_ERROR tags'
    expect(given([])).toBe('ok')
    expect(given(Array.from({ length: 50 }, () => 'a'))).toBe('ok')
    expect(given(Array.from({ length: 51 }, () => 'a'))).toBe(refused)
    expect(given([ASTRAL.repeat(128)])).toBe('ok')
    expect(given([ASTRAL.repeat(129)])).toBe(refused)
    expect(given([''])).toBe(refused)
    expect(given([' ', 'a,b', ' a '])).toBe('ok')
    expect(given(['a', null])).toBe(refused)
    expect(given(['a', 1])).toBe(refused)
    expect(given('a')).toBe(refused)
    expect(given({ 0: 'a', length: 1 })).toBe(refused)
    for (const text of UNSTORABLE) expect(given(['a', text])).toBe(refused)
  },
)

test('an entity type is one of the seven, exactly as written', () => {
  const given = (type: unknown) => outcome(readEntity, { ...entity, type })
  const types = ['PERSON', 'ORGANIZATION', 'LOCATION', 'PRODUCT', 'EVENT', 'CONCEPT', 'OTHER']
  for (const type of types) expect(given(type)).toBe('ok')
  for (const type of [
    'person',
    ' PERSON',
    'PERSON ',
    '',
    'PEOPLE',
    1,
    ['PERSON'],
    {},
    'constructor',
  ]) {
    expect(given(type)).toBe('INVALID_ENTITY_TYPE')
  }
})

test('a relation type is 1 to 64 letters, digits and underscores that begin with a letter', () => {
  const given = (type: unknown) => outcome(readRelation, { ...relation, type })
  for (const type of ['A', 'z9_', 'WORKS_FOR', 'a'.repeat(64)]) expect(given(type)).toBe('ok')
  const refused = ['', 'a'.repeat(65), '_A', '9A', 'A B', 'A-B', 'Ä', 'А', 'A\n', '\nA', 'A\0']
  for (const type of [...refused, 5, null, ['A'], {}]) {
    expect(given(type), JSON.stringify(type)).toBe('INVALID_RELATION_TYPE')
  }
})

test('the ends of a relation are texts that are not empty, of any length', () => {
  for (const name of ['sourceId', 'targetId']) {
    const given = (id: unknown) => outcome(readRelation, { ...relation, [name]: id })
    for (const id of ['x', ' ', 'x'.repeat(100_000), '__proto__']) expect(given(id)).toBe('ok')
    for (const id of ['', 5, null, [], {}, ...UNSTORABLE]) {
      expect(given(id)).toBe(`VALIDATION_ERROR ${name}`)
    }
  }
})

test('the limit of a search is a whole number from 1 to 100, and its threshold lies from 0 to 1', () => {
  const limit = (value: unknown) => outcome(readSearch, { ...search, limit: value })
  for (const value of [1, 10, 100, 1e1]) expect(limit(value)).toBe('ok')
  for (const value of [0, -1, 101, 1.5, Number.POSITIVE_INFINITY, '10', true, [1]]) {
    expect(limit(value)).toBe('VALIDATION_ERROR limit')
  }
  const threshold = (value: unknown) => outcome(readSearch, { ...search, threshold: value })
  for (const value of [0, -0, 0.5, 1, Number.MIN_VALUE]) expect(threshold(value)).toBe('ok')
  for (const value of [-1e-9, 1.0000001, 2, Number.POSITIVE_INFINITY, '0.5', true, [0]]) {
    expect(threshold(value)).toBe('VALIDATION_ERROR threshold')
  }
})

test('the body must be an object', () => {
  for (const value of [undefined, null, [], ['a'], 'text', 5, true]) {
    expect(outcome(readMemory, value)).toBe('VALIDATION_ERROR')
  }
})

test('of several wrong fields the first in the order of the contract is reported', () => {
  const backwards = { metadata: 1, tags: 1, agentId: 1, userId: 1, content: 1 }
  const order = ['VALIDATION_ERROR content', 'INVALID_USER_ID', 'VALIDATION_ERROR agentId']
  const rest = ['VALIDATION_ERROR tags', 'VALIDATION_ERROR metadata']
  const valid = { content: 'c', userId: 'u', agentId: 'a', tags: [], metadata: {} }
  const names = Object.keys(valid)
  for (const [index, expected] of [...order, ...rest].entries()) {
    const repaired = Object.fromEntries(Object.entries(valid).slice(0, index))
    expect(outcome(readMemory, { ...backwards, ...repaired }), names[index]).toBe(expected)
  }
  expect(outcome(readEntity, { metadata: 1, description: 1, type: 1, name: 1 })).toBe(
    'NAME_REQUIRED',
  )
  expect(outcome(readRelation, { type: 1, targetId: 1 })).toBe('VALIDATION_ERROR sourceId')
  expect(outcome(readRelation, { ...relation, type: 1, metadata: 1 })).toBe('INVALID_RELATION_TYPE')
})

test('unknown fields are ignored, whatever they are called', () => {
  const odd = JSON.parse('{"__proto__":{"userId":"x"},"constructor":1,"toString":2,"extra":[1]}')
  expect(readMemory({ body: { ...memory, ...odd } })).toEqual(memory)
  const inherited = JSON.parse('{"content":"c","__proto__":{"userId":"u"}}')
  expect(outcome(readMemory, inherited)).toBe('INVALID_USER_ID')
})

test('a refusal says what would be right, and never repeats what was sent', () => {
  const secret = 'SECRET-CANARY'
  for (const field of ['content', 'userId', 'agentId', 'tags', 'metadata']) {
    try {
      readMemory({ body: { ...memory, [field]: { nested: [secret], [secret]: '\0' } } })
      expect.unreachable()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      expect(error.message).toContain(`${field} must be `)
      expect(JSON.stringify(error.body())).not.toContain(secret)
    }
  }
})

test('a text of the right length that cannot be stored is told what it must not hold', () => {
  const told = /\bNUL\b.*\blone surrogates?\b/
  for (const [read, valid, fields] of [
    [readMemory, memory, ['content', 'userId', 'agentId']],
    [readEntity, entity, ['name', 'description']],
    [readRelation, relation, ['sourceId', 'targetId']],
    [readSearch, search, ['query', 'userId', 'agentId']],
  ] as const) {
    for (const field of fields) {
      expect(() => read({ body: { ...valid, [field]: 'a\0' } }), field).toThrow(told)
    }
  }
})
