// The pages of a list are the list, cut into pieces: nothing twice, nothing missing, in order.
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { apiClient, type Call } from '../../testing/api-client.ts'
import { runService } from '../../testing/running-service.ts'

const service = await runService()
afterAll(() => service[Symbol.asyncDispose]())

type Item = { id: string; createdAt: string }
type List = { items: Item[]; pagination: Record<string, number> }
const listOf = async (call: Call, path: string): Promise<List> => {
  const { status, body } = await call('GET', path)
  expect(status).toBe(200)
  return Object(body)
}

/** Newest first, ids descending within one millisecond. */
const inOrder = (items: Item[]) =>
  items.toSorted((a, b) => {
    if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
    return a.id < b.id ? 1 : -1
  })

/** Reads all pages and compares them with the expected list. */
async function expectPages(call: Call, path: string, limit: number, expected: Item[]) {
  const total = expected.length
  const totalPages = Math.ceil(total / limit)
  const seen: Item[] = []
  for (let page = 1; page <= totalPages; page += 1) {
    const { items, pagination } = await listOf(call, `${path}limit=${limit}&page=${page}`)
    expect(pagination).toEqual({ page, limit, total, totalPages })
    expect(items.length).toBe(page < totalPages ? limit : total - limit * (totalPages - 1))
    seen.push(...items)
  }
  expect(seen.map(({ id }) => id)).toEqual(inOrder(expected).map(({ id }) => id))
  for (const page of [totalPages + 1, totalPages + 7, 1_000_000]) {
    expect(await listOf(call, `${path}limit=${limit}&page=${page}`)).toEqual({
      items: [],
      pagination: { page, limit, total, totalPages },
    })
  }
}

const created = async (call: Call, path: string, json: object): Promise<Item> =>
  Object((await call('POST', path, { json })).body)

test('the pages of the memories partition them, whatever the filter and the size of a page', async () => {
  const user = fc.constantFrom('anna', 'ben')
  const agent = fc.constantFrom('a1', 'a2', undefined)
  const tags = fc.subarray(['x', 'y', 'z'])
  const memories = fc.array(fc.record({ userId: user, agentId: agent, tags }), { maxLength: 25 })
  const filter = fc.record({
    userId: fc.option(user),
    agentId: fc.option(agent),
    tags: fc.option(tags),
  })
  const limit = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constantFrom(24, 25, 100))
  await fc.assert(
    fc.asyncProperty(memories, filter, limit, async (inputs, wanted, size) => {
      const call = apiClient(service.address, (await service.newKey()).key)
      const items = await Promise.all(
        inputs.map(async (input) => ({
          ...(await created(call, '/v1/memories', { content: 'c', ...input })),
          ...input,
        })),
      )
      const expected = items.filter(
        ({ userId, agentId, tags: has }) =>
          (!wanted.userId || userId === wanted.userId) &&
          (!wanted.agentId || agentId === wanted.agentId) &&
          (wanted.tags ?? []).every((tag) => has.includes(tag)),
      )
      const query = new URLSearchParams({
        ...(wanted.userId ? { userId: wanted.userId } : {}),
        ...(wanted.agentId ? { agentId: wanted.agentId } : {}),
        ...(wanted.tags?.length ? { tags: wanted.tags.join() } : {}),
      })
      await expectPages(call, `/v1/memories?${query}&`, size, expected)
    }),
    { numRuns: 25 },
  )
})

test('the pages of entities and relations partition them as well', async () => {
  const entities = fc.array(fc.constantFrom('PERSON', 'EVENT'), { minLength: 1, maxLength: 12 })
  const relations = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('KNOWS', 'PART_OF')), {
    maxLength: 15,
  })
  const limit = fc.integer({ min: 1, max: 7 })
  await fc.assert(
    fc.asyncProperty(entities, relations, limit, async (types, links, size) => {
      const call = apiClient(service.address, (await service.newKey()).key)
      const nodes = await Promise.all(
        types.map(async (type) => ({
          ...(await created(call, '/v1/entities', { name: 'n', type })),
          type,
        })),
      )
      const at = (index: number) => nodes[index % nodes.length]?.id
      const edges = await Promise.all(
        links.map(async ([from, to, type]) => {
          const ends = { sourceId: at(from), targetId: at(to), type }
          return { ...(await created(call, '/v1/relations', ends)), ...ends }
        }),
      )
      await expectPages(call, '/v1/entities?', size, nodes)
      await expectPages(
        call,
        '/v1/entities?type=EVENT&',
        size,
        nodes.filter(({ type }) => type === 'EVENT'),
      )
      await expectPages(call, '/v1/relations?', size, edges)
      const source = at(0)
      const outgoing = edges.filter(({ sourceId, type }) => sourceId === source && type === 'KNOWS')
      await expectPages(call, `/v1/relations?sourceId=${source}&type=KNOWS&`, size, outgoing)
    }),
    { numRuns: 12 },
  )
})
