// Relations: only between entities of their space, shown with both ends.
import { describe, expect, test } from 'vitest'
import type { EntityRecord, RelationRecord } from '../records.ts'
import { entityOf, FIRST_PAGE, NO_RECEIPT, relationOf, TEXTS } from './records.ts'
import type { FreshSpace, Subject } from './subject.ts'

async function entitiesIn(space: FreshSpace, count: number): Promise<EntityRecord[]> {
  const entities = Array.from({ length: count }, () => entityOf())
  await Promise.all(entities.map((entity) => space.entities.insert(entity, NO_RECEIPT)))
  return entities
}

const idsOf = (items: { id: string }[]): string[] => items.map(({ id }) => id)
const endOf = ({ id, name, type }: EntityRecord) => ({ id, name, type })

/** A space with two entities, source and target of what a case inserts. */
async function linked(subject: Subject) {
  const space = await subject.newSpace()
  const source = entityOf({ name: 'Source', type: 'PERSON', metadata: '{}' })
  const target = entityOf({ name: 'Target', type: 'LOCATION', description: 'x' })
  await space.entities.insert(source, NO_RECEIPT)
  await space.entities.insert(target, NO_RECEIPT)
  const insert = (relation: RelationRecord) => space.relations.insert(relation, NO_RECEIPT)
  return { space, source, target, insert, ends: { sourceId: source.id, targetId: target.id } }
}

export function relationsSuite(subject: () => Subject): void {
  describe('relations', () => {
    test('a relation comes back with what was given and both its ends', async () => {
      const { space, source, target, ends, insert } = await linked(subject())
      const relation = relationOf(ends, { type: 'LOCATED_IN', metadata: '{"z":1,"a":{}}' })
      expect(await insert(relation)).toBe('inserted')
      const expanded = { ...relation, source: endOf(source), target: endOf(target) }
      expect(await space.relations.find(relation.id)).toEqual(expanded)
      const page = await space.relations.page({}, FIRST_PAGE)
      expect(page).toEqual({ items: [expanded], total: 1 })
    })

    test.each(TEXTS)('%s come back exactly', async (_, text) => {
      const { space, ends, insert } = await linked(subject())
      const relation = relationOf(ends, { type: text, metadata: JSON.stringify({ text }) })
      await insert(relation)
      expect(await space.relations.find(relation.id)).toMatchObject(relation)
      expect((await space.relations.page({ type: text }, FIRST_PAGE)).total).toBe(1)
    })

    test('a missing end is named, the source first, and nothing is stored', async () => {
      const { space, source, target, insert } = await linked(subject())
      const tryOut = (sourceId: string, targetId: string) =>
        insert(relationOf({ sourceId, targetId }))
      expect(await tryOut('ent_none', target.id)).toBe('source-missing')
      expect(await tryOut(source.id, 'ent_none')).toBe('target-missing')
      expect(await tryOut('ent_none', 'ent_no')).toBe('source-missing')
      expect(await space.relations.page({}, FIRST_PAGE)).toEqual({ items: [], total: 0 })
    })

    test('an entity of another space is a missing end', async () => {
      const { source, target, insert } = await linked(subject())
      const [foreign] = await entitiesIn(await subject().newSpace(), 1)
      const foreignId = foreign?.id ?? ''
      const forth = relationOf({ sourceId: foreignId, targetId: target.id })
      const back = relationOf({ sourceId: source.id, targetId: foreignId })
      expect(await insert(forth)).toBe('source-missing')
      expect(await insert(back)).toBe('target-missing')
    })

    test('an entity may be related to itself, and equal relations may exist twice', async () => {
      const { space, source, ends, insert } = await linked(subject())
      const self = relationOf({ sourceId: source.id, targetId: source.id })
      const twins = [relationOf(ends), relationOf(ends)]
      for (const each of [self, ...twins]) expect(await insert(each)).toBe('inserted')
      expect(await space.relations.find(self.id)).toMatchObject({
        source: endOf(source),
        target: endOf(source),
      })
      const { items } = await space.relations.page(ends, FIRST_PAGE)
      expect(idsOf(items)).toEqual(idsOf(twins).toReversed())
    })

    test('filters are joined with AND', async () => {
      const space = await subject().newSpace()
      const [a = '', b = '', c = ''] = idsOf(await entitiesIn(space, 3))
      const make = async (sourceId: string, targetId: string, type: string) => {
        const relation = relationOf({ sourceId, targetId }, { type })
        await space.relations.insert(relation, NO_RECEIPT)
        return relation.id
      }
      const [abKnows, abLikes, acKnows, bcKnows] = [
        await make(a, b, 'KNOWS'),
        await make(a, b, 'LIKES'),
        await make(a, c, 'KNOWS'),
        await make(b, c, 'KNOWS'),
      ]
      const found = async (filter: object) =>
        idsOf((await space.relations.page(filter, FIRST_PAGE)).items)
      expect(await found({ sourceId: a })).toEqual([acKnows, abLikes, abKnows])
      expect(await found({ targetId: c })).toEqual([bcKnows, acKnows])
      expect(await found({ type: 'KNOWS' })).toEqual([bcKnows, acKnows, abKnows])
      expect(await found({ sourceId: a, type: 'KNOWS' })).toEqual([acKnows, abKnows])
      expect(await found({ sourceId: a, targetId: b, type: 'LIKES' })).toEqual([abLikes])
      expect(await found({ type: 'knows' })).toEqual([])
      expect(await found({ sourceId: 'ent_none' })).toEqual([])
    })

    test('pages are newest first, the greater id first, and know the total past the end', async () => {
      const { space, ends, insert } = await linked(subject())
      const relations = [9, 5, 5, 7].map((createdAt) => relationOf(ends, { createdAt }))
      for (const relation of relations) await insert(relation)
      const [newest, lesser, greater, second] = idsOf(relations)
      const pages = await Promise.all(
        [1, 2, 3].map((page) => space.relations.page({}, { page, limit: 3 })),
      )
      expect(pages.map(({ items }) => idsOf(items))).toEqual([
        [newest, second, greater],
        [lesser],
        [],
      ])
      expect(pages.map(({ total }) => total)).toEqual([4, 4, 4])
    })

    test('a removed relation is gone, once, and its entities stay', async () => {
      const { space, source, target, ends, insert } = await linked(subject())
      const relation = relationOf(ends)
      await insert(relation)
      expect(await space.relations.remove(relation.id, NO_RECEIPT)).toBe(true)
      expect(await space.relations.find(relation.id)).toBeUndefined()
      expect(await space.relations.remove(relation.id, NO_RECEIPT)).toBe(false)
      expect(await space.entities.find(source.id)).toEqual(source)
      expect(await space.entities.find(target.id)).toEqual(target)
    })

    test('a relation and the removal of its end, at the same time, leave no loose end', async () => {
      const space = await subject().newSpace()
      const entities = await entitiesIn(space, 20)
      const hub = entities[0]?.id ?? ''
      await Promise.all(
        entities
          .slice(1)
          .flatMap(({ id }) => [
            space.relations.insert(relationOf({ sourceId: hub, targetId: id }), NO_RECEIPT),
            space.entities.remove(id, NO_RECEIPT),
            space.relations.insert(relationOf({ sourceId: id, targetId: hub }), NO_RECEIPT),
          ]),
      )
      expect(await space.relations.page({}, FIRST_PAGE)).toEqual({ items: [], total: 0 })
    })
  })
}
