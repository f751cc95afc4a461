// Whatever is accepted comes back exactly, by get, by list and by search.
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type Answer, apiClient } from '../../testing/api-client.ts'
import { withoutMetadata } from '../../testing/reference-tenant.ts'
import { runService } from '../../testing/running-service.ts'

const RUNS = { numRuns: 120 }
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const service = await runService()
const call = apiClient(service.address, (await service.newKey()).key)
afterAll(() => service[Symbol.asyncDispose]())

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
const text = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: 'binary', maxLength }),
      fc.string({ unit: 'grapheme', maxLength: maxLength / 2 }),
      fc.constantFrom(
        ' a ',
        'e\u0301',
        '\u00e9',
        '\r\n a',
        '"\\',
        "';--",
        '\u{1f469}\u200d\u{1f52c}',
        '\ufeffa',
      ),
    )
    .filter((value) => isStorable(value) && [...value].length <= maxLength)
const meaningful = (maxLength: number) => text(maxLength).filter((value) => value.trim() !== '')
const metadata = fc
  .dictionary(text(20), fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), { maxKeys: 6 })
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
  .filter((value) => isStorable(JSON.stringify(value).replaceAll('\\u0000', '\0')))
  .filter((value) => !/\\ud[89a-f]/i.test(JSON.stringify(value)))
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })

const withoutNulls = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
const firstItem = ({ body }: Answer) => Object(body).items[0]

test('a memory comes back exactly as it was accepted', async () => {
  const memory = fc.record({
    content: meaningful(200),
    userId: meaningful(60),
    agentId: optional(meaningful(60)),
    tags: optional(
      fc.array(
        text(20).filter((tag) => tag !== ''),
        { maxLength: 8 },
      ),
    ),
    metadata: optional(metadata),
  })
  await fc.assert(
    fc.asyncProperty(memory, async (input) => {
      const created = await call('POST', '/v1/memories', { json: input })
      expect(created.status, created.text).toBe(201)
      const tags = [...new Set(input.tags ?? [])]
      const expected = {
        id: created.id,
        ...withoutNulls({ ...input, tags }),
        createdAt: expect.stringMatching(TIME),
        updatedAt: Object(created.body).createdAt,
      }
      expect(created.body).toStrictEqual(expected)
      const got = await call('GET', `/v1/memories/${created.id}`)
      expect(got.text, 'byte for byte, order of keys included').toBe(created.text)
      const listed = await call(
        'GET',
        `/v1/memories?limit=1&userId=${encodeURIComponent(input.userId)}`,
      )
      expect(firstItem(listed)).toStrictEqual(withoutMetadata(Object(created.body)))
      const filter = { userId: input.userId, ...(input.tags ? { tags: input.tags } : {}) }
      const search = { query: input.content, ...filter, threshold: 0, limit: 100 }
      const found = await call('POST', '/v1/memories/search', { json: search })
      const result = Object(found.body).results.find(({ id }: { id: string }) => id === created.id)
      const { metadata: _metadata, updatedAt: _updatedAt, ...item } = Object(created.body)
      expect(result).toStrictEqual({ ...item, score: expect.any(Number) })
    }),
    RUNS,
  )
})

test('an entity comes back exactly as it was accepted', async () => {
  const types = ['PERSON', 'ORGANIZATION', 'LOCATION', 'PRODUCT', 'EVENT', 'CONCEPT', 'OTHER']
  const entity = fc.record({
    name: meaningful(60),
    type: fc.constantFrom(...types),
    description: optional(text(100)),
    metadata: optional(metadata),
  })
  await fc.assert(
    fc.asyncProperty(entity, async (input) => {
      const created = await call('POST', '/v1/entities', { json: input })
      expect(created.status, created.text).toBe(201)
      expect(created.body).toStrictEqual({
        id: created.id,
        ...withoutNulls(input),
        createdAt: expect.stringMatching(TIME),
        updatedAt: Object(created.body).createdAt,
      })
      expect((await call('GET', `/v1/entities/${created.id}`)).text).toBe(created.text)
      const query = `limit=1&type=${input.type}&search=${encodeURIComponent(input.name)}`
      const listed = await call('GET', `/v1/entities?${query}`)
      expect(firstItem(listed)).toStrictEqual(withoutMetadata(Object(created.body)))
    }),
    RUNS,
  )
})

test('a relation comes back exactly as it was accepted, with its ends', async () => {
  const letters = 'ABZabz'.split('')
  const type = fc
    .tuple(
      fc.constantFrom(...letters),
      fc.string({ unit: fc.constantFrom(...letters, '_', '7'), maxLength: 63 }),
    )
    .map((parts) => parts.join(''))
  const end = fc.record({ name: meaningful(40), type: fc.constant('OTHER') })
  const relation = fc.record({ source: end, target: end, type, metadata: optional(metadata) })
  await fc.assert(
    fc.asyncProperty(relation, async ({ source, target, ...input }) => {
      const { id: sourceId } = await call('POST', '/v1/entities', { json: source })
      const { id: targetId } = await call('POST', '/v1/entities', { json: target })
      const json = { sourceId, targetId, ...input }
      const created = await call('POST', '/v1/relations', { json })
      expect(created.body).toStrictEqual({
        id: created.id,
        ...withoutNulls(json),
        createdAt: expect.stringMatching(TIME),
      })
      const ends = { source: { id: sourceId, ...source }, target: { id: targetId, ...target } }
      const got = await call('GET', `/v1/relations/${created.id}`)
      expect(got.body).toStrictEqual({ ...Object(created.body), ...ends })
      const listed = await call('GET', `/v1/relations?sourceId=${sourceId}&type=${input.type}`)
      expect(firstItem(listed)).toStrictEqual(withoutMetadata(Object(got.body)))
    }),
    { numRuns: 60 },
  )
})

test('numbers of metadata come back as the doubles that they are, and keys in their order', async () => {
  const sent =
    '{"z":1,"a":1.0,"10":1e3,"2":-0.5,"big":9007199254740993,"__proto__":{"b":1},"constructor":[null]}'
  const bytes = `{"content":"c","userId":"u","metadata":${sent}}`
  const headers = { 'content-type': 'application/json' }
  const { id } = await call('POST', '/v1/memories', { bytes, headers })
  const { text: got } = await call('GET', `/v1/memories/${id}`)
  expect(got).toContain(`"metadata":${JSON.stringify(JSON.parse(sent))}`)
})

test('keys of metadata that are whole numbers come first, and of a key given twice the last value remains', async () => {
  const sent =
    '{"b":1,"4294967295":2,"4294967294":3,"10":4,"a":5,"9":6,"07":7,"-1":8,"1.5":9,"1e3":10,"b":11}'
  const kept =
    '{"9":6,"10":4,"4294967294":3,"b":11,"4294967295":2,"a":5,"07":7,"-1":8,"1.5":9,"1e3":10}'
  const bytes = `{"name":"n","type":"OTHER","metadata":${sent}}`
  const headers = { 'content-type': 'application/json' }
  const { id } = await call('POST', '/v1/entities', { bytes, headers })
  const { text: got } = await call('GET', `/v1/entities/${id}`)
  expect(got).toContain(`"metadata":${kept}`)
})
