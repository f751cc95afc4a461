// What operations cost: counted with the write, or added in bulk for reads; never for nothing.
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../store.ts'
import {
  entityOf,
  FIRST_PAGE,
  memoryOf,
  NO_RECEIPT,
  pieceOf,
  queryOf,
  relationOf,
} from './records.ts'
import type { FreshSpace, Subject } from './subject.ts'

const MONTH = '2026-11'
const EXHAUSTED = { name: 'StoreError', kind: 'exhausted' }

async function charged(subject: Subject) {
  const space = await subject.newSpace()
  const charge = { keyId: space.keyId, month: MONTH }
  const receipt: Receipt = { charge }
  return { space, charge, receipt, used: () => subject.store.usage.read(charge) }
}

const insertMemory = (space: FreshSpace, memory = memoryOf(), receipt: Receipt = NO_RECEIPT) =>
  space.memories.insert(memory, [pieceOf(memory.content)], receipt)

export function usageSuite(subject: () => Subject): void {
  describe('usage', () => {
    test('a key that did nothing has used nothing', async () => {
      const { used } = await charged(subject())
      expect(await used()).toBe(0)
    })

    test('every write that changes something is counted once, with the write', async () => {
      const { space, receipt, used } = await charged(subject())
      const [memory, a, b] = [memoryOf(), entityOf(), entityOf()]
      const relation = relationOf({ sourceId: a.id, targetId: b.id })
      await insertMemory(space, memory, receipt)
      await space.entities.insert(a, receipt)
      await space.entities.insert(b, receipt)
      await space.relations.insert(relation, receipt)
      expect(await used()).toBe(4)
      await space.memories.remove(memory.id, receipt)
      await space.relations.remove(relation.id, receipt)
      await space.entities.remove(a.id, receipt)
      expect(await used()).toBe(7)
    })

    test('a write that changes nothing, or fails, is not counted', async () => {
      const { space, receipt, used } = await charged(subject())
      const [memory, entity] = [memoryOf(), entityOf()]
      await insertMemory(space, memory)
      await space.entities.insert(entity, NO_RECEIPT)
      await space.memories.remove('mem_none', receipt)
      await space.entities.remove('ent_none', receipt)
      await space.relations.remove('rel_none', receipt)
      await space.relations.insert(relationOf({ sourceId: 'x', targetId: entity.id }), receipt)
      await space.relations.insert(relationOf({ sourceId: entity.id, targetId: 'x' }), receipt)
      await expect(insertMemory(space, memory, receipt)).rejects.toThrow()
      await expect(space.entities.insert(entity, receipt)).rejects.toThrow()
      expect(await used()).toBe(0)
    })

    test('concurrent writes are all counted', async () => {
      const { space, receipt, used } = await charged(subject())
      await Promise.all(Array.from({ length: 50 }, () => insertMemory(space, memoryOf(), receipt)))
      expect(await used()).toBe(50)
    })

    test('of many removals of one record at once one removes it, and it alone is counted', async () => {
      const { space, receipt, used } = await charged(subject())
      const [memory, entity] = [memoryOf(), entityOf()]
      const relation = relationOf({ sourceId: entity.id, targetId: entity.id })
      await insertMemory(space, memory)
      await space.entities.insert(entity, NO_RECEIPT)
      await space.relations.insert(relation, NO_RECEIPT)
      const removals = [
        () => space.memories.remove(memory.id, receipt),
        () => space.relations.remove(relation.id, receipt),
        () => space.entities.remove(entity.id, receipt),
      ]
      for (const [before, remove] of removals.entries()) {
        const removed = await Promise.all(Array.from({ length: 10 }, remove))
        expect(removed.filter((isRemoved) => isRemoved)).toHaveLength(1)
        expect(await used()).toBe(before + 1)
      }
    })

    test('of concurrent writes exactly as many succeed as the limit has room for', async () => {
      const { space, charge, used } = await charged(subject())
      const receipt: Receipt = { charge: { ...charge, limit: 9 } }
      const [source, target] = [entityOf(), entityOf()]
      await space.entities.insert(source, NO_RECEIPT)
      await space.entities.insert(target, NO_RECEIPT)
      const ends = { sourceId: source.id, targetId: target.id }
      const outcomes = await Promise.allSettled(
        Array.from({ length: 10 }, () => [
          insertMemory(space, memoryOf(), receipt),
          space.entities.insert(entityOf({ name: 'Charged' }), receipt),
          space.relations.insert(relationOf(ends), receipt),
        ]).flat(),
      )
      const refused = outcomes.filter(({ status }) => status === 'rejected')
      expect(refused).toHaveLength(21)
      for (const outcome of refused) expect(outcome).toMatchObject({ reason: EXHAUSTED })
      const stored = await Promise.all([
        space.memories.page({}, FIRST_PAGE),
        space.entities.page({ search: 'charged' }, FIRST_PAGE),
        space.relations.page({}, FIRST_PAGE),
      ])
      expect(stored.reduce((sum, { total }) => sum + total, 0)).toBe(9)
      expect(await used()).toBe(9)
    })

    test('of a write beyond the limit nothing is stored, not even in part', async () => {
      const { space, charge, used } = await charged(subject())
      const memory = memoryOf({ tags: ['kept'] })
      const entity = entityOf()
      await insertMemory(space, memory)
      await space.entities.insert(entity, { charge })
      const idempotency = {
        keyId: charge.keyId,
        idempotencyKey: 'refused',
        fingerprint: 'f',
        recordId: 'mem_refused',
        createdAt: 1_000,
      }
      const receipt: Receipt = { charge: { ...charge, limit: 1 }, idempotency }
      const refused = memoryOf({ id: 'mem_refused', tags: ['refused'] })
      await expect(insertMemory(space, refused, receipt)).rejects.toMatchObject(EXHAUSTED)
      const removal: Receipt = { charge: { ...charge, limit: 1 } }
      await expect(space.memories.remove(memory.id, removal)).rejects.toMatchObject(EXHAUSTED)
      await expect(space.entities.remove(entity.id, removal)).rejects.toMatchObject(EXHAUSTED)
      const { store } = subject()
      expect(await store.idempotency.find(charge.keyId, 'refused', 0)).toBeUndefined()
      expect(await space.memories.find('mem_refused')).toBeUndefined()
      expect((await space.memories.page({ tags: ['refused'] }, FIRST_PAGE)).total).toBe(0)
      const cut = { limit: 10, threshold: 0 }
      const found = await space.memories.search(queryOf([1, 0, 0, 0, 0]), {}, cut)
      expect(found.map(({ id }) => id)).toEqual([memory.id])
      expect((await space.memories.page({ tags: ['kept'] }, FIRST_PAGE)).total).toBe(1)
      expect(await space.entities.find(entity.id)).toEqual(entity)
      expect(await used()).toBe(1)
    })

    test('a write that changes nothing is not refused, whatever is used', async () => {
      const { space, charge } = await charged(subject())
      const receipt: Receipt = { charge: { ...charge, limit: 0 } }
      expect(await space.memories.remove('mem_none', receipt)).toBe(false)
      const loose = relationOf({ sourceId: 'ent_none', targetId: 'ent_none' })
      expect(await space.relations.insert(loose, receipt)).toBe('source-missing')
    })

    test('of concurrent charges exactly as many are taken as the limit has room for', async () => {
      const { space, charge, used } = await charged(subject())
      const { usage } = subject().store
      const limited = { ...charge, limit: 8 }
      const charges = Array.from({ length: 20 }, () => usage.charge(limited))
      const writes = Array.from({ length: 5 }, () =>
        space.entities.insert(entityOf(), { charge: limited }).then(
          () => true,
          () => false,
        ),
      )
      const counts = (await Promise.all(charges)).filter((count) => count !== undefined)
      const written = (await Promise.all(writes)).filter((isWritten) => isWritten)
      expect(counts.length + written.length).toBe(8)
      // Each tells a number of its own.
      expect(new Set(counts).size).toBe(counts.length)
      expect(await used()).toBe(8)
    })

    test('a charge without a limit is always taken, and one with room for nothing never', async () => {
      const { charge, used } = await charged(subject())
      const { usage } = subject().store
      expect(await usage.charge({ ...charge, limit: 0 })).toBeUndefined()
      expect(await used()).toBe(0)
      expect([await usage.charge(charge), await usage.charge(charge)]).toEqual([1, 2])
      expect(await used()).toBe(2)
      expect(await usage.charge({ ...charge, limit: 2 })).toBeUndefined()
      expect(await usage.charge({ ...charge, limit: 3 })).toBe(3)
    })

    test('months and keys are counted apart', async () => {
      const [mine, other] = [await charged(subject()), await charged(subject())]
      const { usage } = subject().store
      await insertMemory(mine.space, memoryOf(), mine.receipt)
      const december = { ...mine.charge, month: '2026-12' }
      await usage.add([{ charge: december, operations: 3, lastUsedAt: 1 }])
      expect(await mine.used()).toBe(1)
      expect(await usage.read(december)).toBe(3)
      expect(await other.used()).toBe(0)
    })

    test('added operations are summed, several keys at once', async () => {
      const [mine, other] = [await charged(subject()), await charged(subject())]
      const { usage } = subject().store
      await usage.add([])
      await usage.add([
        { charge: mine.charge, operations: 2, lastUsedAt: 10 },
        { charge: other.charge, operations: 5, lastUsedAt: 10 },
      ])
      await usage.add([{ charge: mine.charge, operations: 1, lastUsedAt: 20 }])
      expect([await mine.used(), await other.used()]).toEqual([3, 5])
    })

    test('the time of the last use of a key moves forward only, also without an operation', async () => {
      const [{ space, charge, used }, other] = [await charged(subject()), await charged(subject())]
      const { usage, keys } = subject().store
      const lastUsedAt = async (keyId = space.keyId) =>
        (await keys.list()).find(({ id }) => id === keyId)?.lastUsedAt
      for (const [time, expected] of [
        [200, 200],
        [100, 200],
        [300, 300],
      ] as const) {
        await usage.add([{ charge, operations: 0, lastUsedAt: time }])
        expect(await lastUsedAt()).toBe(expected)
      }
      expect(await lastUsedAt(other.space.keyId)).toBeUndefined()
      expect(await used()).toBe(0)
    })
  })
}
