// What operations cost: counted with the write, or added in bulk for reads; never for nothing.
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../store.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from './records.ts'
import type { FreshSpace, Subject } from './subject.ts'

const MONTH = '2026-11'

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

    test('months and keys are counted apart', async () => {
      const [mine, other] = [await charged(subject()), await charged(subject())]
      const { usage } = subject().store
      await insertMemory(mine.space, memoryOf(), mine.receipt)
      const december = { ...mine.charge, month: '2026-12' }
      await usage.add([{ ...december, operations: 3, lastUsedAt: 1 }])
      expect(await mine.used()).toBe(1)
      expect(await usage.read(december)).toBe(3)
      expect(await other.used()).toBe(0)
    })

    test('added operations are summed, several keys at once', async () => {
      const [mine, other] = [await charged(subject()), await charged(subject())]
      const { usage } = subject().store
      await usage.add([])
      await usage.add([
        { ...mine.charge, operations: 2, lastUsedAt: 10 },
        { ...other.charge, operations: 5, lastUsedAt: 10 },
      ])
      await usage.add([{ ...mine.charge, operations: 1, lastUsedAt: 20 }])
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
        await usage.add([{ ...charge, operations: 0, lastUsedAt: time }])
        expect(await lastUsedAt()).toBe(expected)
      }
      expect(await lastUsedAt(other.space.keyId)).toBeUndefined()
      expect(await used()).toBe(0)
    })
  })
}
