/**
 * A text is stored exactly or not at all: NUL, lone surrogates and bytes that are no UTF-8 are
 * refused wherever a text can stand, with the code of the field.
 */
import { describe, expect, test } from 'vitest'
import { expectError, expectInvalid } from './harness/errors.ts'
import { anyClient } from './harness/service.ts'

const client = await anyClient()

const unstorable = [
  ['NUL', '\u0000'],
  ['a lone high surrogate', '\ud83d'],
  ['a lone low surrogate', '\ude00'],
  ['two surrogates the wrong way round', '\ude00\ud83d'],
] as const

describe.each(unstorable)('%s', (_what, bad) => {
  const text = `left ${bad} right`

  test('text that cannot be stored is refused in every field of a memory', async () => {
    const body = { content: 'x', userId: 'u' }
    const send = (fields: object) => client.post('/v1/memories', { ...body, ...fields })
    expectInvalid(await send({ content: text }), 'content')
    expectError(await send({ userId: text }), 'INVALID_USER_ID')
    expectInvalid(await send({ agentId: text }), 'agentId')
    expectInvalid(await send({ tags: ['ok', text] }), 'tags')
    expectInvalid(await send({ metadata: { a: [text] } }), 'metadata')
    expectInvalid(await send({ metadata: { a: { [text]: 1 } } }), 'metadata')
  })

  test('text that cannot be stored is refused in entities and relation types', async () => {
    const send = (fields: object) =>
      client.post('/v1/entities', { name: 'x', type: 'OTHER', ...fields })
    expectError(await send({ name: text }), 'NAME_REQUIRED')
    expectError(await send({ type: `OTHER${bad}` }), 'INVALID_ENTITY_TYPE')
    expectInvalid(await send({ description: text }), 'description')
    expectInvalid(await send({ metadata: { [text]: 1 } }), 'metadata')
    const relation = { sourceId: 'ent_a', targetId: 'ent_b', type: `KNOWS${bad}` }
    expectError(await client.post('/v1/relations', relation), 'INVALID_RELATION_TYPE')
  })

  test('text that cannot be stored is refused in every field of a search', async () => {
    const send = (fields: object) => client.post('/v1/memories/search', { query: 'x', ...fields })
    expectInvalid(await send({ query: text }), 'query')
    expectInvalid(await send({ userId: text }), 'userId')
    expectInvalid(await send({ agentId: text }), 'agentId')
    expectInvalid(await send({ tags: [text] }), 'tags')
  })
})

describe('in a query string and in bytes', () => {
  test('NUL in a filter is refused', async () => {
    expectInvalid(await client.get('/v1/memories?userId=a%00b'), 'userId')
    expectInvalid(await client.get('/v1/memories?agentId=%00'), 'agentId')
    expectInvalid(await client.get('/v1/memories?tags=a,%00'), 'tags')
    expectInvalid(await client.get('/v1/entities?search=%00'), 'search')
    expectInvalid(await client.get('/v1/relations?sourceId=ent_%00'), 'sourceId')
    expectError(await client.get('/v1/relations?type=A%00'), 'INVALID_RELATION_TYPE')
  })

  test('a body that is no UTF-8 is refused and not repaired', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const raw = Uint8Array.from([
        ...Buffer.from('{"content":"a'),
        ...bytes,
        ...Buffer.from('b","userId":"u"}'),
      ])
      const answer = await client.call('POST', '/v1/memories', { raw, headers })
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ error: { code: 'VALIDATION_ERROR' } })
    }
  })

  test('a pair of escaped surrogates is an ordinary character', async () => {
    const headers = { 'content-type': 'application/json' }
    const raw = '{"content":"face \\ud83d\\ude00","userId":"u"}'
    const answer = await client.call('POST', '/v1/memories', { raw, headers })
    expect(answer.body).toMatchObject({ content: 'face 😀' })
  })
})
