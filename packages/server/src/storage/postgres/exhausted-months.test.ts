// A month that is used up: of what is done at once exactly as much succeeds as there was room for, and nothing
// is left of the rest.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newDatabase } from '../../testing/postgres.ts'
import {
  entityOf,
  FIRST_PAGE,
  memoryOf,
  NO_RECEIPT,
  pieceOf,
  queryOf,
  relationOf,
} from '../conformance/records.ts'
import { type FreshSpace, type Subject, subjectOf } from '../conformance/subject.ts'
import type { SharedLimits } from '../shared-limits.ts'
import type { Receipt, Store } from '../store.ts'
import { openStoreAt } from './testing/open-store-at.ts'

const server = inject('postgresUrl')

const EXHAUSTED = { name: 'StoreError', kind: 'exhausted' }

async function charged(subject: Subject) {
  const space = await subject.newSpace()
  const charge = { keyId: space.keyId, month: '2026-11' }
  return { space, charge, used: () => subject.store.usage.read(charge) }
}

function limitsOf({ sharedLimits }: Store): SharedLimits {
  if (sharedLimits === undefined) throw new Error('The shared store shares its limits.')
  return sharedLimits
}

const insertMemory = (space: FreshSpace, memory = memoryOf(), receipt: Receipt = NO_RECEIPT) =>
  space.memories.insert(memory, [pieceOf(memory.content)], receipt)

describe.skipIf(server === undefined)('a month that is used up', () => {
  let subject: Subject
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await newDatabase(server ?? '')
    drop = database.drop
    subject = subjectOf(await openStoreAt(database.url, 10))
  })
  afterAll(async () => {
    await subject?.store.close()
    await drop?.()
  })

  test('of concurrent writes exactly as many succeed as the limit has room for', async () => {
    const { space, charge, used } = await charged(subject)
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
    const { space, charge, used } = await charged(subject)
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
    const { store } = subject
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

  test('a create that another instance has made meanwhile is told as that, whatever is used', async () => {
    const { space, charge } = await charged(subject)
    const made = {
      idempotencyKey: 'made',
      fingerprint: 'f',
      recordId: 'ent_made',
      createdAt: 1_000,
    }
    const idempotency = { keyId: charge.keyId, ...made }
    const receipt: Receipt = { charge: { ...charge, limit: 1 }, idempotency }
    await space.entities.insert(entityOf(), receipt)
    const again = space.entities.insert(entityOf(), receipt)
    await expect(again).rejects.toMatchObject({ name: 'StoreError', kind: 'repeated' })
  })

  test('a write that changes nothing is not refused, whatever is used', async () => {
    const { space, charge } = await charged(subject)
    const receipt: Receipt = { charge: { ...charge, limit: 0 } }
    expect(await space.memories.remove('mem_none', receipt)).toBe(false)
    const loose = relationOf({ sourceId: 'ent_none', targetId: 'ent_none' })
    expect(await space.relations.insert(loose, receipt)).toBe('source-missing')
  })

  test('of concurrent charges exactly as many are taken as the limit has room for', async () => {
    const { space, charge, used } = await charged(subject)
    const limits = limitsOf(subject.store)
    const limited = { ...charge, limit: 8 }
    const charges = Array.from({ length: 20 }, () => limits.charge(limited))
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
    const { charge, used } = await charged(subject)
    const limits = limitsOf(subject.store)
    expect(await limits.charge({ ...charge, limit: 0 })).toBeUndefined()
    expect(await used()).toBe(0)
    expect([await limits.charge(charge), await limits.charge(charge)]).toEqual([1, 2])
    expect(await used()).toBe(2)
    expect(await limits.charge({ ...charge, limit: 2 })).toBeUndefined()
    expect(await limits.charge({ ...charge, limit: 3 })).toBe(3)
  })
})
