// Filters and pages in query strings: a filter narrows or is refused, and never widens in silence.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EntityListQuery } from '../../contract/entities.ts'
import { ApiError } from '../../contract/errors.ts'
import { MemoryListQuery } from '../../contract/memories.ts'
import { RelationListQuery } from '../../contract/relations.ts'
import { parseQuery } from './query-parser.ts'
import { queryString } from './read-input.ts'

const readers = {
  memories: queryString(MemoryListQuery),
  entities: queryString(EntityListQuery),
  relations: queryString(RelationListQuery),
}

function outcome(list: keyof typeof readers, query: string): unknown {
  try {
    return readers[list]({ query: parseQuery(query) })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { field } = error.fields
    return field === undefined ? error.code : `${error.code} ${field}`
  }
}

const IDENTIFIER_FILTERS = [
  ['memories', 'userId'],
  ['memories', 'agentId'],
  ['relations', 'sourceId'],
  ['relations', 'targetId'],
] as const

test.each(IDENTIFIER_FILTERS)(
  '%s: %s is a text of 1 to 256 characters that is not blank',
  (list, name) => {
    const given = (value: string) => outcome(list, `${name}=${encodeURIComponent(value)}`)
    for (const value of ['a', ' a ', '\u{1f9e0}'.repeat(256), 'ent_nobody', '42', '1e3']) {
      expect(given(value)).toEqual({ [name]: value })
    }
    for (const value of ['', ' ', '\u00a0\u3000', '\u{1f9e0}'.repeat(257), '\0', 'a\0']) {
      expect(given(value), JSON.stringify(value)).toBe(`VALIDATION_ERROR ${name}`)
    }
  },
)

test('a value that is not UTF-8 is refused by every filter', () => {
  for (const [list, name] of [
    ...IDENTIFIER_FILTERS,
    ['memories', 'tags'],
    ['entities', 'search'],
  ] as const) {
    for (const broken of ['%ff', '%zz', 'a%', '%ed%a0%80']) {
      expect(outcome(list, `${name}=${broken}`)).toBe(`VALIDATION_ERROR ${name}`)
    }
  }
  expect(outcome('entities', 'type=%ff')).toBe('INVALID_ENTITY_TYPE')
  expect(outcome('relations', 'type=%ff')).toBe('INVALID_RELATION_TYPE')
})

test('a known parameter that is given twice is refused, also with equal values', () => {
  for (const query of [
    'userId=a&userId=a',
    'userId=a&%75serId=b',
    'page=1&page=1',
    'tags=a&tags=b',
  ]) {
    const [name] = query.split('=')
    expect(outcome('memories', query)).toBe(`VALIDATION_ERROR ${name}`)
  }
  expect(outcome('entities', 'type=PERSON&type=PERSON')).toBe('VALIDATION_ERROR type')
})

test('a known parameter in brackets is refused: passed over, it would ask for everything', () => {
  for (const query of ['tags[]=a', 'tags[]=a&tags[]=b', 'tags%5B0%5D=a', 'tags=a&tags[]=b']) {
    expect(outcome('memories', query), query).toBe('VALIDATION_ERROR tags')
  }
  expect(outcome('memories', 'userId[eq]=a')).toBe('VALIDATION_ERROR userId')
  expect(outcome('entities', 'type[]=PERSON')).toBe('VALIDATION_ERROR type')
  expect(outcome('memories', 'limit=0&userId[]=a')).toBe('VALIDATION_ERROR userId')
})

test('unknown parameters are ignored, also twice', () => {
  for (const query of [
    'x=1',
    'x=1&x=2',
    'x[]=1',
    'USERID=a',
    '__proto__=1',
    'constructor=2&limit=5',
  ]) {
    expect(outcome('memories', query)).toEqual(query.includes('limit') ? { limit: 5 } : {})
  }
})

test('page and limit are plain integers within their bounds', () => {
  const given = (name: string, value: string) => outcome('memories', `${name}=${value}`)
  for (const [name, max] of [
    ['page', 1_000_000],
    ['limit', 100],
  ] as const) {
    for (const value of [1, 2, max - 1, max]) {
      expect(given(name, String(value))).toEqual({ [name]: value })
    }
    const bad = [
      0,
      -1,
      max + 1,
      '01',
      '1.0',
      '1e1',
      '0x1',
      '',
      '%201',
      '1%20',
      '+1',
      '%2B1',
      'a',
      '%D9%A1',
    ]
    for (const value of [...bad, '9'.repeat(400), 'Infinity', 'NaN', 'null', '1,2']) {
      expect(given(name, String(value)), String(value)).toBe(`VALIDATION_ERROR ${name}`)
    }
  }
})

test('a number is either refused or read as the very digits that were sent', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.bigInt(), fc.double()), (number) => {
      const result = outcome('memories', `page=${encodeURIComponent(String(number))}`)
      if (typeof result === 'object') expect(result).toEqual({ page: Number(String(number)) })
      else expect(result).toBe('VALIDATION_ERROR page')
      expect(typeof result === 'object').toBe(
        /^[1-9][0-9]*$/.test(String(number)) && Number(number) <= 1_000_000,
      )
    }),
  )
})

test('tags: 1 to 50 of 1 to 128 characters are left after trimming and dropping empty ones', () => {
  const given = (value: string) => outcome('memories', `tags=${encodeURIComponent(value)}`)
  const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`).join()
  for (const value of ['a', 'a,b', ' a , b ', ',a,,', many(50), `${many(49)},t0`]) {
    expect(given(value)).toEqual({ tags: value })
  }
  expect(given('\u{1f9e0}'.repeat(128))).toEqual({ tags: '\u{1f9e0}'.repeat(128) })
  for (const value of ['', ',', ' , ', '\u3000', many(51), '\u{1f9e0}'.repeat(129), 'a,b\0']) {
    expect(given(value), value.slice(0, 20)).toBe('VALIDATION_ERROR tags')
  }
})

test('what is white space to a blank tag list is white space round a tag', () => {
  const given = (value: string) => outcome('memories', `tags=${encodeURIComponent(value)}`)
  for (const space of ['\u0085', '\u00a0', '\u3000', '\ufeff']) {
    expect(given(space)).toBe('VALIDATION_ERROR tags')
    const list = `${'a,'.repeat(50)}${space}`
    expect(given(list), encodeURIComponent(space)).toEqual({ tags: list })
  }
})

test('tags are counted before those given twice are dropped', () => {
  const given = (count: number) => outcome('memories', `tags=,${'a,'.repeat(count)}`)
  expect(given(50)).toEqual({ tags: `,${'a,'.repeat(50)}` })
  expect(given(51)).toBe('VALIDATION_ERROR tags')
})

test('search may be empty and has at most 256 characters', () => {
  const given = (value: string) => outcome('entities', `search=${encodeURIComponent(value)}`)
  for (const value of ['', ' ', 'a', '\u{1f9e0}'.repeat(256)]) {
    expect(given(value)).toEqual({ search: value })
  }
  for (const value of ['\u{1f9e0}'.repeat(257), '\0']) {
    expect(given(value)).toBe('VALIDATION_ERROR search')
  }
})

test('a type that no record can have is refused with its own code', () => {
  expect(outcome('entities', 'type=PERSON')).toEqual({ type: 'PERSON' })
  for (const type of ['', 'person', 'PERSON%20', 'PERSON,EVENT']) {
    expect(outcome('entities', `type=${type}`)).toBe('INVALID_ENTITY_TYPE')
  }
  expect(outcome('relations', 'type=KNOWS')).toEqual({ type: 'KNOWS' })
  for (const type of ['', '9', 'A-B', 'a'.repeat(65), 'A%0A', 'KNOWS%20']) {
    expect(outcome('relations', `type=${type}`)).toBe('INVALID_RELATION_TYPE')
  }
})

test('of several wrong parameters the first in the order of the contract is reported', () => {
  expect(outcome('memories', 'limit=0&page=0&tags=&agentId=&userId=')).toBe(
    'VALIDATION_ERROR userId',
  )
  expect(outcome('memories', 'limit=0&page=0&tags=&agentId=')).toBe('VALIDATION_ERROR agentId')
  expect(outcome('memories', 'limit=0&page=0&tags=')).toBe('VALIDATION_ERROR tags')
  expect(outcome('memories', 'limit=0&page=0')).toBe('VALIDATION_ERROR page')
  expect(outcome('entities', 'limit=0&search=%00&type=x')).toBe('INVALID_ENTITY_TYPE')
  expect(outcome('relations', 'page=0&type=-&targetId=&sourceId=')).toBe(
    'VALIDATION_ERROR sourceId',
  )
})

test('a text that no record could hold is told what it must not hold', () => {
  for (const [list, name] of [
    ...IDENTIFIER_FILTERS,
    ['memories', 'tags'],
    ['entities', 'search'],
  ] as const) {
    const given = () => readers[list]({ query: parseQuery(`${name}=a%00`) })
    expect(given, name).toThrow(/\bNUL\b.*\blone surrogates?\b/)
  }
})

test('a parameter that is given twice is told how it is given once', () => {
  const given = () => readers.memories({ query: parseQuery('tags=a&tags=b') })
  expect(given).toThrow(
    /^tags must be given only once, as one text: 1 to \d+ tags .*, separated by commas\.$/,
  )
})
