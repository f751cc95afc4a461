/**
 * Each key sees its own space and nothing else: another's record answers exactly like one that
 * never was, whatever the operation, and no filter, search or list reaches across.
 */
import { beforeAll, expect, test } from 'vitest'
import type { Answer } from './harness/answer.ts'
import type { Client } from './harness/client.ts'
import { expectError } from './harness/errors.ts'
import { createRecords, operations, pathOf, type Records, relate } from './harness/operations.ts'
import { entityPageOf, memoryPageOf, relationPageOf, searchResultsOf } from './harness/records.ts'
import { describeManaged, freshClient } from './harness/service.ts'

let owner: Client
let stranger: Client
let owned: Records
let strange: Records

/** What two refusals have to share to the last byte. */
const refusal = ({ status, text }: Answer) => ({ status, text })

describeManaged('two keys', () => {
  beforeAll(async () => {
    owner = await freshClient()
    stranger = await freshClient()
    owned = await createRecords(owner)
    strange = await createRecords(stranger)
  })

  const single = operations.filter((row) => row.missing !== undefined)
  test.each(single)("$id of another key's record answers as if there were none", async (row) => {
    const owners: Record<string, string> = {
      memories: owned.memory.id,
      entities: owned.source.id,
      relations: owned.relation.id,
    }
    const noun = row.path.split('/')[2] ?? ''
    const id = owners[noun] ?? ''
    const never = `${id.slice(0, 4)}${[...id.slice(4)].reverse().join('')}`
    const foreign = await stranger.call(row.method, pathOf(row, id))
    const nothing = await stranger.call(row.method, pathOf(row, never))
    if (row.missing !== undefined) expectError(foreign, row.missing)
    expect(refusal(foreign)).toEqual(refusal(nothing))
    expect((await owner.get(pathOf(row, id))).status).toBe(200)
  })

  test("another key's entity is no end of a relation", async () => {
    const attempt = (sourceId: string, targetId: string) =>
      stranger.post('/v1/relations', { sourceId, targetId, type: 'KNOWS' })
    const asSource = await attempt(owned.source.id, strange.target.id)
    expectError(asSource, 'SOURCE_ENTITY_NOT_FOUND')
    expectError(await attempt(strange.source.id, owned.target.id), 'TARGET_ENTITY_NOT_FOUND')
    const never = `ent_${'0'.repeat(26)}`
    const nothing = await attempt(never, strange.target.id)
    expect(refusal(asSource)).toEqual(refusal(nothing))
  })

  test('lists hold only records of their own key', async () => {
    const memories = memoryPageOf((await stranger.get('/v1/memories')).body)
    expect(memories.items.map((item) => item.id)).toEqual([strange.memory.id])
    const entities = entityPageOf((await stranger.get('/v1/entities')).body)
    expect(entities.items.map((item) => item.id).sort()).toEqual(
      [strange.source.id, strange.target.id].sort(),
    )
    const relations = relationPageOf((await stranger.get('/v1/relations')).body)
    expect(relations.items.map((item) => item.id)).toEqual([strange.relation.id])
  })

  test("filters by another key's values find nothing", async () => {
    const paths = [
      `/v1/memories?userId=${owned.memory.userId}`,
      `/v1/entities?search=${encodeURIComponent(owned.source.name)}`,
      `/v1/relations?sourceId=${owned.source.id}`,
      `/v1/relations?targetId=${owned.target.id}`,
    ]
    for (const path of paths) {
      const { body } = await stranger.get(path)
      expect(body).toMatchObject({ items: [], pagination: { total: 0, totalPages: 0 } })
    }
  })

  test('search reaches no other space, with and without the filter of a user', async () => {
    const query = { query: owned.memory.content, threshold: 0 }
    const found = async (client: Client, body: object) =>
      searchResultsOf((await client.post('/v1/memories/search', body)).body).map((r) => r.id)
    expect(await found(stranger, query)).toEqual([strange.memory.id])
    expect(await found(stranger, { ...query, userId: owned.memory.userId })).toEqual([])
    expect(await found(owner, query)).toEqual([owned.memory.id])
  })

  test('scores do not depend on what other spaces hold', async () => {
    const lone = await freshClient()
    const content = 'The harbour freezes in January.'
    const search = async () => {
      const body = { query: 'Is there ice in the harbour?', threshold: 0 }
      return searchResultsOf((await lone.post('/v1/memories/search', body)).body)
    }
    await lone.post('/v1/memories', { content, userId: 'u' })
    const before = await search()
    for (let index = 0; index < 10; index += 1) {
      await owner.post('/v1/memories', { content: `Harbour ice, winter ${index}.`, userId: 'u' })
    }
    expect(await search()).toEqual(before)
  })

  test("deleting an entity leaves another key's relations alone", async () => {
    const relation = await relate(owner, owned.target, 'KNOWS', owned.source)
    expectError(await stranger.delete(`/v1/entities/${owned.target.id}`), 'ENTITY_NOT_FOUND')
    expect((await owner.get(`/v1/relations/${relation.id}`)).status).toBe(200)
  })

  test('a new key opens an empty space', async () => {
    const fresh = await freshClient()
    for (const noun of ['memories', 'entities', 'relations']) {
      const { body } = await fresh.get(`/v1/${noun}`)
      expect(body).toMatchObject({ items: [], pagination: { total: 0 } })
    }
  })

  test('ids are unguessable: no two share a tail, and neighbours have little in common', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => createRecords(owner)))
    const ids = made.flatMap(({ memory, source, relation }) => [memory.id, source.id, relation.id])
    const tails = ids.map((id) => id.slice(4))
    expect(new Set(tails).size).toBe(tails.length)
    expect(new Set(tails.map((tail) => tail.slice(-8))).size).toBe(tails.length)
    for (const id of ids) expect(id).toMatch(/^(mem|ent|rel)_[A-Za-z0-9_-]{16,}$/)
  })
})
