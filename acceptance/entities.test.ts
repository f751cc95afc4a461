/** The life of one entity: create, list, get, delete with its relations, and search by name. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { expectError } from './harness/errors.ts'
import { createEntity, relate } from './harness/operations.ts'
import {
  deletionOf,
  entityOf,
  entityPageOf,
  entityTypes,
  relationPageOf,
} from './harness/records.ts'
import { anyClient } from './harness/service.ts'

const client = await anyClient()

const metadata = { population: 3_700_000, nested: { capital: true } }

async function namesFound(search: string, filter = ''): Promise<string[]> {
  const path = `/v1/entities?limit=100&search=${encodeURIComponent(search)}${filter}`
  return entityPageOf((await client.get(path)).body).items.map((item) => item.name)
}

describe('creating an entity', () => {
  test('a created entity answers 201 with every field that was sent', async () => {
    const sent = { name: 'Berlin', type: 'LOCATION', description: 'A city.', metadata }
    const answer = await client.post('/v1/entities', sent)
    expect(answer.status).toBe(201)
    expect(entityOf(answer.body)).toMatchObject(sent)
  })

  test('an entity of name and type alone carries no other optional field', async () => {
    const answer = await client.post('/v1/entities', { name: 'Ada', type: 'PERSON' })
    const { id, createdAt, updatedAt, ...rest } = entityOf(answer.body)
    expect(id).toMatch(/^ent_/)
    expect(updatedAt).toBe(createdAt)
    expect(rest).toEqual({ name: 'Ada', type: 'PERSON' })
  })

  test('null for an optional field of an entity means that it was not given', async () => {
    const body = { name: 'Ada', type: 'PERSON', description: null, metadata: null }
    const entity = entityOf((await client.post('/v1/entities', body)).body)
    expect(entity).not.toHaveProperty('description')
    expect(entity).not.toHaveProperty('metadata')
  })

  test('an empty description is stored and an empty metadata object comes back', async () => {
    const { id } = await createEntity(client, 'Empty', { description: '', metadata: {} })
    const entity = entityOf((await client.get(`/v1/entities/${id}`)).body)
    expect(entity).toMatchObject({ description: '', metadata: {} })
  })

  test.each(entityTypes.map((type) => [type]))('the entity type %s is accepted', async (type) => {
    const answer = await client.post('/v1/entities', { name: 'Typed', type })
    expect(answer.status).toBe(201)
    expect(entityOf(answer.body).type).toBe(type)
  })

  test('two entities may have the same name and type', async () => {
    const name = `Twin ${randomUUID()}`
    const [one, two] = [await createEntity(client, name), await createEntity(client, name)]
    expect(one.id).not.toBe(two.id)
    expect(await namesFound(name)).toEqual([name, name])
  })

  test('unknown fields of an entity are ignored and not stored', async () => {
    const body = { name: 'Ada', type: 'PERSON', id: 'ent_mine', age: 36 }
    const entity = entityOf((await client.post('/v1/entities', body)).body)
    expect(entity.id).not.toBe('ent_mine')
  })
})

describe('getting and deleting an entity', () => {
  test('an entity is fetched as it was created, with its metadata', async () => {
    const created = await createEntity(client, 'Berlin', { description: 'A city.', metadata })
    const answer = await client.get(`/v1/entities/${created.id}`)
    expect(answer.status).toBe(200)
    expect(entityOf(answer.body)).toEqual(created)
  })

  test('a deleted entity answers with success and its id, and is gone', async () => {
    const name = `Doomed ${randomUUID()}`
    const { id } = await createEntity(client, name)
    const answer = await client.delete(`/v1/entities/${id}`)
    expect(answer.status).toBe(200)
    expect(deletionOf(answer.body)).toEqual({ success: true, id })
    expectError(await client.get(`/v1/entities/${id}`), 'ENTITY_NOT_FOUND')
    expectError(await client.delete(`/v1/entities/${id}`), 'ENTITY_NOT_FOUND')
    expect(await namesFound(name)).toEqual([])
  })

  test('deleting an entity deletes its relations in both directions and no others', async () => {
    const [hub, left, right] = [
      await createEntity(client, 'Hub'),
      await createEntity(client, 'Left'),
      await createEntity(client, 'Right'),
    ]
    const doomed = [
      await relate(client, hub, 'KNOWS', left),
      await relate(client, right, 'KNOWS', hub),
      await relate(client, hub, 'KNOWS', hub),
    ]
    const kept = await relate(client, left, 'KNOWS', right)
    await client.delete(`/v1/entities/${hub.id}`)
    for (const { id } of doomed) {
      expectError(await client.get(`/v1/relations/${id}`), 'RELATION_NOT_FOUND')
    }
    expect((await client.get(`/v1/relations/${kept.id}`)).status).toBe(200)
    for (const end of ['sourceId', 'targetId']) {
      const list = await client.get(`/v1/relations?${end}=${hub.id}`)
      expect(relationPageOf(list.body).pagination.total).toBe(0)
    }
  })
})

describe('listing entities', () => {
  test('an entity list item carries the description but no metadata', async () => {
    const name = `Listed ${randomUUID()}`
    const created = await createEntity(client, name, { description: 'Told.', metadata })
    const { metadata: _omitted, ...listed } = created
    const answer = await client.get(`/v1/entities?search=${encodeURIComponent(name)}`)
    expect(entityPageOf(answer.body).items).toEqual([listed])
  })

  test('the type filter and the name search are joined by AND', async () => {
    const mark = randomUUID()
    await createEntity(client, `Person ${mark}`, { type: 'PERSON' })
    await createEntity(client, `Place ${mark}`, { type: 'LOCATION' })
    expect(await namesFound(mark, '&type=PERSON')).toEqual([`Person ${mark}`])
    expect(await namesFound(mark, '&type=LOCATION')).toEqual([`Place ${mark}`])
    expect(await namesFound(mark, '&type=EVENT')).toEqual([])
    expect((await namesFound(mark)).length).toBe(2)
  })

  test('name search finds a substring whatever its case and accents', async () => {
    const mark = randomUUID()
    const name = `Café Ångström ${mark}`
    await createEntity(client, name)
    for (const found of ['cafe', 'CAFÉ', 'cafe\u0301', 'Angstrom', 'gströ', 'é å']) {
      expect(await namesFound(found), found).toContain(name)
    }
    expect(await namesFound(`tea ${mark}`)).toEqual([])
    expect(await namesFound(mark.toUpperCase())).toEqual([name])
  })

  test('wildcards in a name search stand for themselves', async () => {
    const mark = randomUUID()
    await createEntity(client, `100% sure_thing ${mark}`)
    await createEntity(client, `100 sure thing ${mark}`)
    expect(await namesFound(`% sure_thing ${mark}`)).toEqual([`100% sure_thing ${mark}`])
    expect(await namesFound(`_ure%${mark}`)).toEqual([])
    expect(await namesFound(`*${mark}`)).toEqual([])
    expect(await namesFound(`"${mark}`)).toEqual([])
  })

  test('an empty name search matches every name', async () => {
    const total = async (query: string) =>
      entityPageOf((await client.get(`/v1/entities?type=EVENT${query}`)).body).pagination.total
    await createEntity(client, 'A feast', { type: 'EVENT' })
    expect(await total('&search=')).toBe(await total(''))
    expect(await total('&search=')).toBeGreaterThan(0)
  })
})
