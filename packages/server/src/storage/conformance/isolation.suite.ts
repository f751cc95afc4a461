// Several spaces under random operations, each compared with plain lists of its own: what one space
// does is never seen, found, removed or related to in another.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  entityOf,
  FIRST_PAGE,
  memoryOf,
  NO_RECEIPT,
  pieceOf,
  queryOf,
  relationOf,
  termOf,
} from './records.ts'
import { ReferenceSpace } from './reference-model.ts'
import type { FreshSpace, Subject } from './subject.ts'

const SPACES = 3
const CUT = { limit: 100, threshold: 0 }

/** `pick` chooses among the ids of all spaces, so that most of them are foreign. */
type Operation = {
  kind: keyof typeof OPERATIONS
  space: number
  pick: [number, number]
  user: string
}

type World = {
  spaces: { real: FreshSpace; reference: ReferenceSpace }[]
  ids: { memories: string[]; entities: string[]; relations: string[] }
}

const picked = (ids: string[], pick: number): string => ids[pick % ids.length] ?? 'none'

const direction = ([a, b]: [number, number]): number[] => [1, a % 3, b % 3, 0, 0]

type Step = (
  real: FreshSpace,
  reference: ReferenceSpace,
  operation: Operation,
  ids: World['ids'],
) => Promise<void>

const OPERATIONS = {
  async insertMemory(real, reference, { pick, user }, ids) {
    const memory = memoryOf({ userId: user, content: `coffee ${pick[0] % 3}`, tags: [user] })
    const pieces = [pieceOf(memory.content, direction(pick))]
    reference.insertMemory({ memory, pieces })
    ids.memories.push(memory.id)
    await real.memories.insert(memory, pieces, NO_RECEIPT)
  },
  async removeMemory(real, reference, { pick }, ids) {
    const id = picked(ids.memories, pick[0])
    expect(await real.memories.remove(id, NO_RECEIPT)).toBe(reference.removeMemory(id))
  },
  async readMemories(real, reference, { pick, user }, ids) {
    const id = picked(ids.memories, pick[0])
    expect(await real.memories.find(id)).toEqual(reference.memories().find((m) => m.id === id))
    for (const filter of [{}, { userId: user }, { tags: [user] }]) {
      const { items } = await real.memories.page(filter, FIRST_PAGE)
      expect(items).toEqual(reference.memories(filter))
    }
  },
  async search(real, reference, { pick, user }) {
    const query = queryOf(direction(pick), { terms: [termOf('coffe')], asks: true })
    const found = await real.memories.search(query, { userId: user }, CUT)
    expect(found).toEqual(reference.search(query, { userId: user }, CUT))
  },
  async insertEntity(real, reference, _, ids) {
    const entity = entityOf()
    reference.insertEntity(entity)
    ids.entities.push(entity.id)
    await real.entities.insert(entity, NO_RECEIPT)
  },
  async removeEntity(real, reference, { pick }, ids) {
    const id = picked(ids.entities, pick[0])
    expect(await real.entities.remove(id, NO_RECEIPT)).toBe(reference.removeEntity(id))
  },
  async readEntities(real, reference, { pick }, ids) {
    const id = picked(ids.entities, pick[0])
    expect(await real.entities.find(id)).toEqual(reference.entities().find((e) => e.id === id))
    expect((await real.entities.page({}, FIRST_PAGE)).items).toEqual(reference.entities())
  },
  async insertRelation(real, reference, { pick: [source, target] }, ids) {
    const ends = {
      sourceId: picked(ids.entities, source),
      targetId: picked(ids.entities, target),
    }
    const relation = relationOf(ends)
    ids.relations.push(relation.id)
    const outcome = reference.insertRelation(relation)
    expect(await real.relations.insert(relation, NO_RECEIPT)).toBe(outcome)
  },
  async removeRelation(real, reference, { pick }, ids) {
    const id = picked(ids.relations, pick[0])
    expect(await real.relations.remove(id, NO_RECEIPT)).toBe(reference.removeRelation(id))
  },
  async readRelations(real, reference, { pick }, ids) {
    const id = picked(ids.relations, pick[0])
    expect(await real.relations.find(id)).toEqual(reference.relations().find((r) => r.id === id))
    expect((await real.relations.page({}, FIRST_PAGE)).items).toEqual(reference.relations())
    const sourceId = picked(ids.entities, pick[1])
    const { items } = await real.relations.page({ sourceId }, FIRST_PAGE)
    expect(items).toEqual(reference.relations().filter((r) => r.sourceId === sourceId))
  },
} satisfies Record<string, Step>

const operation = fc.record({
  // The keys of a literal object are its own names.
  kind: fc.constantFrom(...(Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[])),
  space: fc.nat(SPACES - 1),
  pick: fc.tuple(fc.nat(100), fc.nat(100)),
  user: fc.constantFrom('anna', 'ben'),
})

async function newWorld(subject: Subject): Promise<World> {
  const spaces = await Promise.all(Array.from({ length: SPACES }, () => subject.newSpace()))
  return {
    spaces: spaces.map((real) => ({ real, reference: new ReferenceSpace() })),
    ids: { memories: [], entities: [], relations: [] },
  }
}

export function isolationSuite(subject: () => Subject): void {
  describe('isolation', () => {
    test('random operations in several spaces do what they would do in each one alone', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(operation, { maxLength: 80, size: 'max' }),
          async (operations) => {
            const { spaces, ids } = await newWorld(subject())
            for (const each of operations) {
              const space = spaces[each.space]
              if (space) await OPERATIONS[each.kind](space.real, space.reference, each, ids)
            }
          },
        ),
        { numRuns: 40 },
      )
    })

    test('one id may exist in two spaces, and each one has its own record', async () => {
      const [mine, other] = [await subject().newSpace(), await subject().newSpace()]
      const memory = memoryOf({ content: 'Mine.', tags: ['t'] })
      const foreign = { ...memory, content: 'Theirs.' }
      await mine.memories.insert(memory, [pieceOf('')], NO_RECEIPT)
      await other.memories.insert(foreign, [pieceOf('')], NO_RECEIPT)
      expect(await mine.memories.remove(memory.id, NO_RECEIPT)).toBe(true)
      expect(await mine.memories.find(memory.id)).toBeUndefined()
      expect(await other.memories.find(memory.id)).toEqual(foreign)
      const tagged = await other.memories.page({ tags: ['t'] }, FIRST_PAGE)
      expect(tagged).toEqual({ items: [foreign], total: 1 })
    })

    test.each([0, 1])(
      'what is removed in one space stays in another that has the same ids, and both are counted right: end %j',
      async (end) => {
        const [mine, other] = [await subject().newSpace(), await subject().newSpace()]
        const [source, target, apart] = [entityOf(), entityOf(), entityOf()]
        const ends = { sourceId: source.id, targetId: target.id }
        const loop = { sourceId: apart.id, targetId: apart.id }
        const doomed = relationOf(loop)
        const relations = [relationOf(ends), relationOf(ends), relationOf(loop), doomed]
        for (const space of [mine, other]) {
          for (const each of [source, target, apart]) await space.entities.insert(each, NO_RECEIPT)
          for (const each of relations) await space.relations.insert(each, NO_RECEIPT)
        }
        const totalsOf = async (space: FreshSpace) => [
          (await space.entities.page({}, FIRST_PAGE)).total,
          (await space.relations.page({}, FIRST_PAGE)).total,
          (await space.relations.page(loop, FIRST_PAGE)).total,
        ]
        expect(await mine.relations.remove(doomed.id, NO_RECEIPT)).toBe(true)
        expect(await totalsOf(mine)).toEqual([3, 3, 1])
        const entity = end === 0 ? source : target
        expect(await mine.entities.remove(entity.id, NO_RECEIPT)).toBe(true)
        expect(await totalsOf(mine)).toEqual([2, 1, 1])
        expect(await totalsOf(other)).toEqual([3, 4, 2])
        expect(await other.entities.find(entity.id)).toEqual(entity)
        expect((await other.relations.page(ends, FIRST_PAGE)).total).toBe(2)
      },
    )

    test('a page past everything in one space counts nothing of another', async () => {
      const [mine, other] = [await subject().newSpace(), await subject().newSpace()]
      await other.entities.insert(entityOf(), NO_RECEIPT)
      expect(await mine.entities.page({}, { page: 2, limit: 1 })).toEqual({ items: [], total: 0 })
    })
  })
}
