/** The life of one relation: what create, list and get carry of its two ends, and its filters. */
import { describe, expect, test } from 'vitest'
import { expectError } from './harness/errors.ts'
import { createEntity, createMemory, relate } from './harness/operations.ts'
import {
  createdRelationOf,
  deletionOf,
  type Entity,
  relationOf,
  relationPageOf,
} from './harness/records.ts'
import { anyClient } from './harness/service.ts'

const client = await anyClient()
const ada = await createEntity(client, 'Ada Lovelace', { type: 'PERSON', metadata: { born: 1815 } })
const engine = await createEntity(client, 'Analytical Engine', {
  type: 'PRODUCT',
  description: 'x',
})

const end = ({ id, name, type }: Entity) => ({ id, name, type })
const missing = `ent_${'0'.repeat(26)}`

describe('creating a relation', () => {
  test('a created relation answers 201 without source and target', async () => {
    const metadata = { since: 1843, sure: true }
    const sent = { sourceId: ada.id, targetId: engine.id, type: 'CREATED', metadata }
    const answer = await client.post('/v1/relations', sent)
    expect(answer.status).toBe(201)
    expect(createdRelationOf(answer.body)).toMatchObject(sent)
    expect(answer.body).not.toHaveProperty('source')
    expect(answer.body).not.toHaveProperty('target')
    expect(answer.body).not.toHaveProperty('updatedAt')
  })

  test('a relation without metadata, or with null, carries none', async () => {
    expect(await relate(client, ada, 'KNOWS', engine)).not.toHaveProperty('metadata')
    const body = { sourceId: ada.id, targetId: engine.id, type: 'KNOWS', metadata: null }
    const answer = await client.post('/v1/relations', body)
    expect(createdRelationOf(answer.body)).not.toHaveProperty('metadata')
  })

  test.each([
    ['WORKS_FOR'],
    ['KNOWS'],
    ['LOCATED_IN'],
    ['PART_OF'],
    ['CREATED'],
    ['RELATED_TO'],
    ['invented_By_2'],
    ['x'],
    ['A'.repeat(64)],
  ])('the relation type %s is accepted and kept as given', async (type) => {
    const { id } = await relate(client, ada, type, engine)
    expect(relationOf((await client.get(`/v1/relations/${id}`)).body).type).toBe(type)
  })

  test('a relation may join an entity to itself', async () => {
    const { id } = await relate(client, ada, 'KNOWS', ada)
    const relation = relationOf((await client.get(`/v1/relations/${id}`)).body)
    expect([relation.source, relation.target]).toEqual([end(ada), end(ada)])
  })

  test('equal relations may exist more than once', async () => {
    const one = await relate(client, ada, 'TWICE', engine)
    const two = await relate(client, ada, 'TWICE', engine)
    expect(one.id).not.toBe(two.id)
    const list = await client.get(`/v1/relations?sourceId=${ada.id}&type=TWICE`)
    expect(relationPageOf(list.body).pagination.total).toBe(2)
  })

  test('a missing source is reported before a missing target', async () => {
    const attempt = (sourceId: string, targetId: string) =>
      client.post('/v1/relations', { sourceId, targetId, type: 'KNOWS' })
    expectError(await attempt(missing, engine.id), 'SOURCE_ENTITY_NOT_FOUND')
    expectError(await attempt(ada.id, missing), 'TARGET_ENTITY_NOT_FOUND')
    expectError(await attempt(missing, missing), 'SOURCE_ENTITY_NOT_FOUND')
  })

  test('ids of other kinds and malformed ids are ends that do not exist', async () => {
    const memory = await createMemory(client, { content: 'Not an entity.', userId: 'ada' })
    for (const id of [memory.id, 'nonsense', 'ent_', 'ent_'.repeat(500), '../entities', '😀']) {
      const body = { sourceId: id, targetId: engine.id, type: 'KNOWS' }
      expectError(await client.post('/v1/relations', body), 'SOURCE_ENTITY_NOT_FOUND')
      const turned = { sourceId: engine.id, targetId: id, type: 'KNOWS' }
      expectError(await client.post('/v1/relations', turned), 'TARGET_ENTITY_NOT_FOUND')
    }
  })

  test('a deleted entity can be no end of a new relation', async () => {
    const gone = await createEntity(client, 'Gone')
    await client.delete(`/v1/entities/${gone.id}`)
    const body = { sourceId: gone.id, targetId: ada.id, type: 'KNOWS' }
    expectError(await client.post('/v1/relations', body), 'SOURCE_ENTITY_NOT_FOUND')
  })
})

describe('getting and deleting a relation', () => {
  test('a fetched relation carries both ends as id, name and type, and its metadata', async () => {
    const metadata = { z: 1, a: [{}] }
    const body = { sourceId: ada.id, targetId: engine.id, type: 'CREATED', metadata }
    const created = createdRelationOf((await client.post('/v1/relations', body)).body)
    const answer = await client.get(`/v1/relations/${created.id}`)
    expect(answer.status).toBe(200)
    expect(relationOf(answer.body)).toEqual({ ...created, source: end(ada), target: end(engine) })
  })

  test('a deleted relation answers with success and its id, and is gone', async () => {
    const { id } = await relate(client, ada, 'BRIEFLY', engine)
    const answer = await client.delete(`/v1/relations/${id}`)
    expect(answer.status).toBe(200)
    expect(deletionOf(answer.body)).toEqual({ success: true, id })
    expectError(await client.get(`/v1/relations/${id}`), 'RELATION_NOT_FOUND')
    expectError(await client.delete(`/v1/relations/${id}`), 'RELATION_NOT_FOUND')
    const list = await client.get(`/v1/relations?sourceId=${ada.id}&type=BRIEFLY`)
    expect(relationPageOf(list.body).items).toEqual([])
  })

  test('deleting a relation leaves its two entities', async () => {
    const { id } = await relate(client, ada, 'BRIEFLY', engine)
    await client.delete(`/v1/relations/${id}`)
    for (const entity of [ada, engine]) {
      expect((await client.get(`/v1/entities/${entity.id}`)).status).toBe(200)
    }
  })
})

describe('listing relations', () => {
  test('a relation list item carries both ends but no metadata', async () => {
    const source = await createEntity(client, 'Source', { type: 'ORGANIZATION' })
    const body = { sourceId: source.id, targetId: ada.id, type: 'KNOWS', metadata: { a: 1 } }
    const created = createdRelationOf((await client.post('/v1/relations', body)).body)
    const { metadata, ...listed } = created
    expect(metadata).toEqual({ a: 1 })
    const list = relationPageOf((await client.get(`/v1/relations?sourceId=${source.id}`)).body)
    expect(list.items).toEqual([{ ...listed, source: end(source), target: end(ada) }])
  })

  test('relation filters by source, target and type are joined by AND', async () => {
    const [a, b, c] = [
      await createEntity(client, 'A'),
      await createEntity(client, 'B'),
      await createEntity(client, 'C'),
    ]
    const ab = await relate(client, a, 'KNOWS', b)
    const ac = await relate(client, a, 'PART_OF', c)
    const bc = await relate(client, b, 'KNOWS', c)
    const found = async (query: string) => {
      const { items } = relationPageOf((await client.get(`/v1/relations?${query}`)).body)
      return items.map((item) => item.id).sort()
    }
    expect(await found(`sourceId=${a.id}`)).toEqual([ab.id, ac.id].sort())
    expect(await found(`targetId=${c.id}`)).toEqual([ac.id, bc.id].sort())
    expect(await found(`sourceId=${a.id}&targetId=${c.id}`)).toEqual([ac.id])
    expect(await found(`sourceId=${a.id}&type=KNOWS`)).toEqual([ab.id])
    expect(await found(`targetId=${c.id}&type=KNOWS&sourceId=${a.id}`)).toEqual([])
    expect(await found(`sourceId=${a.id}&type=knows`)).toEqual([])
    expect(await found(`sourceId=${missing}`)).toEqual([])
    expect(await found(`targetId=nonsense`)).toEqual([])
  })
})
