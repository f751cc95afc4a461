/**
 * The bounds of every field of a request body, from both sides: the largest value that is taken
 * and the smallest that is not, with the code and the field that the refusal names. Lengths are
 * in code points, so the tables use characters outside the basic plane where it matters.
 */
import { describe, expect, test } from 'vitest'
import { type ErrorCode, expectError, expectInvalid } from './harness/errors.ts'
import { createEntity } from './harness/operations.ts'
import { anyClient } from './harness/service.ts'

const client = await anyClient()
const entity = await createEntity(client, 'Bounds')

type Fields = Record<string, unknown>
type Case = readonly [what: string, fields: Fields]

const json = { 'content-type': 'application/json' }
const face = '😀'
const nested = (depth: number): unknown => (depth <= 1 ? {} : { a: nested(depth - 1) })
/** An object whose compact JSON has exactly this many bytes in UTF-8. */
const sized = (bytes: number) => ({ a: `ü${'x'.repeat(bytes - 10)}` })

const bodies: Record<string, () => Fields> = {
  '/v1/memories': () => ({ content: 'Bounded.', userId: 'bounds' }),
  '/v1/memories/search': () => ({ query: 'bounded', userId: 'bounds' }),
  '/v1/entities': () => ({ name: 'Bounded', type: 'OTHER' }),
  '/v1/relations': () => ({ sourceId: entity.id, targetId: entity.id, type: 'SELF' }),
}
const send = (path: string, fields: Fields) => client.post(path, { ...bodies[path]?.(), ...fields })

const metadataTaken: Case[] = [
  ['metadata of 16 KiB', { metadata: sized(16 * 1024) }],
  ['metadata 32 deep', { metadata: nested(32) }],
  ['metadata with an empty key', { metadata: { '': 0 } }],
  ['metadata null', { metadata: null }],
]
const metadataRefused: Case[] = [
  ['metadata of a byte more than 16 KiB', { metadata: sized(16 * 1024 + 1) }],
  ['metadata 33 deep', { metadata: nested(33) }],
  ['metadata 33 deep in arrays', { metadata: { a: JSON.parse('['.repeat(32) + ']'.repeat(32)) } }],
  ['metadata as an array', { metadata: [] }],
  ['metadata as a text', { metadata: '{}' }],
  ['metadata as a number', { metadata: 7 }],
  ['metadata as a boolean', { metadata: true }],
]

const taken: Record<string, Case[]> = {
  '/v1/memories': [
    ['content of one character', { content: 'x' }],
    ['content of 10,000 characters', { content: 'x'.repeat(10_000) }],
    ['content of 10,000 code points', { content: face.repeat(10_000) }],
    ['userId of 256 code points', { userId: face.repeat(256) }],
    ['agentId of 256 characters', { agentId: 'a'.repeat(256) }],
    ['50 tags of 128 characters', { tags: Array.from({ length: 50 }, (_, i) => tag(i, 128)) }],
    ['a tag of 128 code points', { tags: [face.repeat(128)] }],
    ['no tags', { tags: [] }],
    ...metadataTaken,
  ],
  '/v1/memories/search': [
    ['query of 10,000 characters', { query: 'x'.repeat(10_000) }],
    ['limit 1', { limit: 1 }],
    ['limit 100', { limit: 100 }],
    ['threshold 0', { threshold: 0 }],
    ['threshold 1', { threshold: 1 }],
    ['50 tags', { tags: Array.from({ length: 50 }, (_, i) => tag(i, 128)) }],
    ['unknown fields', { offset: -1, page: 'x' }],
  ],
  '/v1/entities': [
    ['name of 256 code points', { name: face.repeat(256) }],
    ['description of 4,000 code points', { description: face.repeat(4_000) }],
    ['an empty description', { description: '' }],
    ...metadataTaken,
  ],
  '/v1/relations': [['type of 64 letters', { type: 'T'.repeat(64) }], ...metadataTaken],
}

const refusedWithField: Record<string, [field: string, cases: Case[]][]> = {
  '/v1/memories': [
    ['content', [['missing', { content: undefined }], ...texts('content')]],
    ['agentId', [...texts('agentId', { nullable: true }), long('agentId', 257)]],
    ['tags', tagCases()],
    ['metadata', metadataRefused],
  ],
  '/v1/memories/search': [
    [
      'query',
      [['missing', { query: undefined }], ...texts('query'), long('query', 10_001), blank('query')],
    ],
    ['userId', [...texts('userId'), long('userId', 257), blank('userId')]],
    ['agentId', [...texts('agentId'), long('agentId', 257), blank('agentId')]],
    ['tags', [...tagCases(), ['null', { tags: null }]]],
    ['limit', numbers('limit', [0, -1, 101, 1.5, 1e100])],
    ['threshold', numbers('threshold', [-0.01, 1.01, -1, 2])],
  ],
  '/v1/entities': [
    ['description', [['a number', { description: 5 }], long('description', 4_001)]],
    ['metadata', metadataRefused],
  ],
  '/v1/relations': [
    ['sourceId', [['missing', { sourceId: undefined }], ...types('sourceId')]],
    ['targetId', [['missing', { targetId: undefined }], ...types('targetId')]],
    ['metadata', metadataRefused],
  ],
}

const refusedWithCode: Record<string, [code: ErrorCode, cases: Case[]][]> = {
  '/v1/memories': [
    ['CONTENT_TOO_LONG', [long('content', 10_001), ['emoji', { content: face.repeat(10_001) }]]],
    [
      'INVALID_USER_ID',
      [
        ['missing', { userId: undefined }],
        ...texts('userId'),
        long('userId', 257),
        blank('userId'),
      ],
    ],
  ],
  '/v1/entities': [
    [
      'NAME_REQUIRED',
      [['missing', { name: undefined }], ...texts('name'), long('name', 257), blank('name')],
    ],
    [
      'INVALID_ENTITY_TYPE',
      [
        ['missing', { type: undefined }],
        ...types('type'),
        ...['person', 'PERSON ', '', 'Person', 'PEOPLE', 'toString'].map(typed),
      ],
    ],
  ],
  '/v1/relations': [
    [
      'INVALID_RELATION_TYPE',
      [
        ['missing', { type: undefined }],
        ...types('type'),
        ...['', ' ', '1ST', '_X', 'A B', 'A-B', 'ÄRGER', 'A\n', 'ｆull', 'T'.repeat(65)].map(typed),
      ],
    ],
  ],
}

describe.each(Object.entries(taken))('POST %s', (path, cases) => {
  test.each(cases)('a body with %s is taken', async (_what, fields) => {
    const answer = await send(path, fields)
    expect(answer.status, answer.text.slice(0, 300)).toBe(path.endsWith('search') ? 200 : 201)
    const returned: unknown = JSON.parse(answer.text)
    const { content, name, metadata, tags } = fields
    for (const [field, value] of Object.entries({ content, name, metadata, tags })) {
      if (path.endsWith('search') || value === undefined || value === null) continue
      expect(returned).toHaveProperty(field, value)
    }
  })
})

describe.each(Object.entries(refusedWithField))('POST %s refuses', (path, fields) => {
  test.each(flat(fields))('a body is refused for its field %s: %s', async (field, _what, sent) => {
    expectInvalid(await send(path, sent), field)
  })
})

describe.each(Object.entries(refusedWithCode))('POST %s refuses', (path, codes) => {
  test.each(flat(codes))('a body is refused with %s: %s', async (code, _what, sent) => {
    expectError(await send(path, sent), code)
  })
})

describe('numbers that JSON can write and a double cannot hold', () => {
  test('a number outside the double range in metadata is refused', async () => {
    for (const number of ['1e400', '-1e400', '[1,{"b":2e999}]']) {
      const raw = `{"content":"x","userId":"u","metadata":{"a":${number}}}`
      expectInvalid(await client.call('POST', '/v1/memories', { raw, headers: json }), 'metadata')
    }
  })

  test('brackets 5,000 deep are refused and not an error of the server', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000)
    const raw = `{"content":"x","userId":"u","metadata":{"a":${deep}}}`
    expectInvalid(await client.call('POST', '/v1/memories', { raw, headers: json }), 'metadata')
    const bare = await client.call('POST', '/v1/memories', { raw: deep, headers: json })
    expectError(bare, 'VALIDATION_ERROR')
  })
})

function tag(index: number, length: number): string {
  return `${index}-`.padEnd(length, 't')
}

function long(field: string, length: number): Case {
  return [`${length} characters`, { [field]: 'x'.repeat(length) }]
}

function blank(field: string): Case {
  return ['only white space', { [field]: ' \t\n\u00a0' }]
}

function typed(type: string): Case {
  return [JSON.stringify(type), { type }]
}

/** Values that are no text at all. */
function types(field: string): Case[] {
  return [5, true, ['x'], { x: 1 }, null].map((value) => [
    JSON.stringify(value),
    { [field]: value },
  ])
}

/** Values that no bounded text may have; null is allowed where a field may be left out. */
function texts(field: string, { nullable = false } = {}): Case[] {
  const cases = types(field).filter(([, fields]) => !(nullable && fields[field] === null))
  return [...cases, ['empty', { [field]: '' }]]
}

function numbers(field: string, outside: readonly number[]): Case[] {
  const wrong = [...outside, '1', '0.5', true, null, [1], {}]
  return wrong.map((value) => [JSON.stringify(value), { [field]: value }])
}

function tagCases(): Case[] {
  const wrong: [string, unknown][] = [
    ['51 tags', Array.from({ length: 51 }, (_, index) => `t${index}`)],
    ['51 equal tags', Array.from({ length: 51 }, () => 'same')],
    ['a tag of 129 characters', ['t'.repeat(129)]],
    ['an empty tag', ['ok', '']],
    ['a number as a tag', ['ok', 5]],
    ['null as a tag', [null]],
    ['a text instead of an array', 'a,b'],
    ['an object instead of an array', { 0: 'a' }],
  ]
  return wrong.map(([what, tags]) => [what, { tags }])
}

function flat<Key>(groups: [Key, Case[]][]): [Key, string, Fields][] {
  return groups.flatMap(([key, cases]) =>
    cases.map<[Key, string, Fields]>(([what, fields]) => [key, what, fields]),
  )
}
