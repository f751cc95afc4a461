// Entities: stored whole, found by a part of their name, and never gone without their relations.
import { describe, expect, test } from 'vitest'
import type { EntityRecord } from '../records.ts'
import { StoreError } from '../store.ts'
import { entityOf, FIRST_PAGE, NO_RECEIPT, relationOf, TEXTS } from './records.ts'
import type { FreshSpace, Subject } from './subject.ts'

async function insertAll(space: FreshSpace, entities: EntityRecord[]): Promise<void> {
  await Promise.all(entities.map((entity) => space.entities.insert(entity, NO_RECEIPT)))
}

export function entitiesSuite(subject: () => Subject): void {
  describe('entities', () => {
    test('an entity comes back with everything that was given', async () => {
      const space = await subject().newSpace()
      const entity = entityOf({ description: '', metadata: '{"z":1,"a":[null]}' })
      const bare = entityOf()
      await insertAll(space, [entity, bare])
      expect(await space.entities.find(entity.id)).toEqual(entity)
      expect(await space.entities.find(bare.id)).toStrictEqual(bare)
      expect(await space.entities.page({}, FIRST_PAGE)).toEqual({ items: [bare, entity], total: 2 })
    })

    test.each(TEXTS)('%s come back exactly', async (_, text) => {
      const space = await subject().newSpace()
      const metadata = JSON.stringify({ [text]: text })
      const entity = entityOf({ name: text, description: text, metadata })
      await insertAll(space, [entity])
      expect(await space.entities.find(entity.id)).toEqual(entity)
      expect((await space.entities.page({ search: text }, FIRST_PAGE)).items).toEqual([entity])
    })

    test('pages are newest first, the greater id first, and know the total past the end', async () => {
      const space = await subject().newSpace()
      const entities = [9, 5, 5, 7].map((createdAt) => entityOf({ createdAt }))
      await insertAll(space, entities)
      const [newest, lesser, greater, second] = entities
      const pages = await Promise.all(
        [1, 2, 3].map((page) => space.entities.page({}, { page, limit: 3 })),
      )
      expect(pages).toEqual([
        { items: [newest, second, greater], total: 4 },
        { items: [lesser], total: 4 },
        { items: [], total: 4 },
      ])
    })

    test.each([
      ['Ångström Laboratories', 'angstrom'],
      ['angstrom', 'ÅNGSTRÖM'],
      ['Hauptstraße 5', 'STRASSE'],
      ['HAUPTSTRAẞE 5', 'straße'],
      ['Hauptstraße 5', 'STRAẞE'],
      ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
      ['The ﬁnal', 'FINAL'],
      ['e\u0301clair', 'Éclair'],
      ['İstanbul', 'istanbul'],
      ['Łódź', 'lodz'],
      ['O’Brien', "o'brien"],
      ['Jean-Luc', 'jean\u2011luc'],
      ['Đoković', 'dokovic'],
      ['Søren Ærø', 'SOREN AERO'],
      ['\u1a58', '\u1a58'],
      [' \u0301 ', '\u0301'],
      ['100% pure', '0%'],
      ['snake_case', 'e_c'],
    ])('the name %s is found by %s', async (name, search) => {
      const space = await subject().newSpace()
      const entity = entityOf({ name })
      await insertAll(space, [entity, entityOf({ name: 'Nothing alike' })])
      expect((await space.entities.page({ search }, FIRST_PAGE)).items).toEqual([entity])
    })

    test('signs that mean something to a database mean themselves in a search', async () => {
      const space = await subject().newSpace()
      await insertAll(space, [entityOf({ name: 'snakeXcase' }), entityOf({ name: 'plain' })])
      for (const search of ['%', '_', '*', '?', '\\', "'", 'e_c', '\u0301']) {
        expect((await space.entities.page({ search }, FIRST_PAGE)).total, search).toBe(0)
      }
      expect((await space.entities.page({ search: '' }, FIRST_PAGE)).total).toBe(2)
    })

    test('type and search are joined with AND', async () => {
      const space = await subject().newSpace()
      const wanted = entityOf({ name: 'Anna Berg', type: 'PERSON' })
      await insertAll(space, [
        entityOf({ name: 'Anna AG', type: 'ORGANIZATION' }),
        entityOf({ name: 'Berta', type: 'PERSON' }),
        wanted,
      ])
      const filter = { type: 'PERSON', search: 'anna' } as const
      expect(await space.entities.page(filter, FIRST_PAGE)).toEqual({ items: [wanted], total: 1 })
    })

    test('removing an entity takes its relations along, in both directions, and no others', async () => {
      const space = await subject().newSpace()
      const [doomed, a, b] = [entityOf(), entityOf(), entityOf()]
      await insertAll(space, [doomed, a, b])
      const going = [
        relationOf({ sourceId: doomed.id, targetId: a.id }),
        relationOf({ sourceId: a.id, targetId: doomed.id }),
        relationOf({ sourceId: doomed.id, targetId: doomed.id }),
      ]
      const staying = relationOf({ sourceId: a.id, targetId: b.id })
      for (const each of [...going, staying]) await space.relations.insert(each, NO_RECEIPT)
      expect(await space.entities.remove(doomed.id, NO_RECEIPT)).toBe(true)
      for (const { id } of going) expect(await space.relations.find(id)).toBeUndefined()
      const { items, total } = await space.relations.page({}, FIRST_PAGE)
      expect([items.map(({ id }) => id), total]).toEqual([[staying.id], 1])
    })

    test('entities that are all linked with each other can be removed at once', async () => {
      const space = await subject().newSpace()
      const entities = Array.from({ length: 12 }, () => entityOf())
      await insertAll(space, entities)
      for (const { id: sourceId } of entities) {
        const relations = entities.map(({ id: targetId }) => relationOf({ sourceId, targetId }))
        await Promise.all(relations.map((each) => space.relations.insert(each, NO_RECEIPT)))
      }
      const removals = entities.map(({ id }) => space.entities.remove(id, NO_RECEIPT))
      const outcomes = await Promise.allSettled(removals)
      expect(outcomes).toEqual(entities.map(() => ({ status: 'fulfilled', value: true })))
      expect((await space.relations.page({}, FIRST_PAGE)).total).toBe(0)
    })

    test.each([
      ['a NUL', 'ent\0'],
      ['nothing', ''],
      ['a percent sign', '%'],
    ])('an id of %s, which nothing has, finds and removes nothing', async (_, id) => {
      const space = await subject().newSpace()
      await insertAll(space, [entityOf()])
      for (const store of [space.memories, space.entities, space.relations]) {
        expect(await store.find(id)).toBe(undefined)
        expect(await store.remove(id, NO_RECEIPT)).toBe(false)
      }
      expect((await space.entities.page({}, FIRST_PAGE)).total).toBe(1)
    })

    test('a removed entity is gone, once, and an unknown one was never there', async () => {
      const space = await subject().newSpace()
      const entity = entityOf()
      await insertAll(space, [entity])
      expect(await space.entities.remove(entity.id, NO_RECEIPT)).toBe(true)
      expect(await space.entities.find(entity.id)).toBeUndefined()
      expect(await space.entities.remove(entity.id, NO_RECEIPT)).toBe(false)
      expect(await space.entities.page({}, FIRST_PAGE)).toEqual({ items: [], total: 0 })
    })

    test('a second entity with one id is refused, and the first one stays', async () => {
      const space = await subject().newSpace()
      const entity = entityOf()
      await insertAll(space, [entity])
      const second = insertAll(space, [entityOf({ id: entity.id, name: 'Other' })])
      await expect(second).rejects.toBeInstanceOf(StoreError)
      expect(await space.entities.find(entity.id)).toEqual(entity)
    })
  })
}
