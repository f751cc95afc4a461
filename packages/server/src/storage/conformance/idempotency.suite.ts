// That a create was answered is remembered with the create, and for as long as asked.
import { describe, expect, test } from 'vitest'
import { IDEMPOTENCY_TTL_MS } from '../../contract/bounds.ts'
import type { IdempotencyRecord } from '../store.ts'
import { entityOf, FIRST_PAGE, memoryOf, NO_RECEIPT, pieceOf, relationOf } from './records.ts'
import type { FreshSpace, Subject } from './subject.ts'

const REPEATED = { name: 'StoreError', kind: 'repeated' }

const recordOf = (
  { keyId }: FreshSpace,
  fields: Partial<IdempotencyRecord> = {},
): IdempotencyRecord => ({
  keyId,
  idempotencyKey: `!"#'%_~${Math.random()}`,
  fingerprint: 'b0mz-_',
  recordId: 'ent_1',
  createdAt: 1_000,
  ...fields,
})

export function idempotencySuite(subject: () => Subject): void {
  const find = ({ keyId, idempotencyKey }: IdempotencyRecord, notBefore = 0) =>
    subject().store.idempotency.find(keyId, idempotencyKey, notBefore)
  const remember = (space: FreshSpace, idempotency: IdempotencyRecord) =>
    space.entities.insert(entityOf(), { idempotency })

  describe('idempotency', () => {
    test('each create commits its record, and finding gives it back', async () => {
      const space = await subject().newSpace()
      const records = [recordOf(space), recordOf(space), recordOf(space)]
      const [first, second, third] = records
      const [memory, entity] = [memoryOf(), entityOf()]
      await space.memories.insert(memory, [pieceOf('')], { idempotency: first })
      await space.entities.insert(entity, { idempotency: second })
      const self = relationOf({ sourceId: entity.id, targetId: entity.id })
      await space.relations.insert(self, { idempotency: third })
      expect(await Promise.all(records.map((record) => find(record)))).toEqual(records)
    })

    test('what was not used is not found, and keys do not see each other', async () => {
      const [mine, other] = [await subject().newSpace(), await subject().newSpace()]
      const record = recordOf(mine)
      await remember(mine, record)
      expect(await find({ ...record, keyId: other.keyId })).toBeUndefined()
      expect(await find({ ...record, idempotencyKey: 'another' })).toBeUndefined()
      const same = recordOf(other, { idempotencyKey: record.idempotencyKey, recordId: 'ent_2' })
      await remember(other, same)
      expect([await find(record), await find(same)]).toEqual([record, same])
    })

    test('a create that stores nothing, or fails, is not remembered', async () => {
      const space = await subject().newSpace()
      const [missing, duplicate] = [recordOf(space), recordOf(space)]
      const loose = relationOf({ sourceId: 'ent_none', targetId: 'ent_none' })
      await space.relations.insert(loose, { idempotency: missing })
      const entity = entityOf()
      await space.entities.insert(entity, NO_RECEIPT)
      const again = space.entities.insert(entity, { idempotency: duplicate })
      await expect(again).rejects.toThrow()
      expect([await find(missing), await find(duplicate)]).toEqual([undefined, undefined])
    })

    test('a record is found until it is older than asked for', async () => {
      const space = await subject().newSpace()
      const record = recordOf(space, { createdAt: 5_000 })
      await remember(space, record)
      expect(await find(record, 5_000)).toEqual(record)
      expect(await find(record, 5_001)).toBeUndefined()
    })

    test('a record that ran out gives way to a new one', async () => {
      const space = await subject().newSpace()
      const old = recordOf(space, { createdAt: 5_000 })
      const createdAt = old.createdAt + IDEMPOTENCY_TTL_MS + 1
      const renewed = { ...old, createdAt, recordId: 'ent_9', fingerprint: 'other' }
      await remember(space, old)
      await remember(space, renewed)
      expect(await find(renewed)).toEqual(renewed)
    })

    test('a record that has not run out stays, and of the create that repeats it nothing is stored', async () => {
      const space = await subject().newSpace()
      const charge = { keyId: space.keyId, month: '2026-11' }
      const [first, repeated] = [entityOf(), memoryOf()]
      const record = recordOf(space, { recordId: first.id })
      await space.entities.insert(first, { charge, idempotency: record })
      for (const laterMs of [-1, 0, 1, IDEMPOTENCY_TTL_MS]) {
        const again = { ...record, createdAt: record.createdAt + laterMs, recordId: repeated.id }
        const receipt = { charge: { ...charge, limit: 1 }, idempotency: again }
        await expect(
          space.memories.insert(repeated, [pieceOf(repeated.content)], receipt),
        ).rejects.toMatchObject(REPEATED)
      }
      expect(await find(record)).toEqual(record)
      expect(await space.memories.find(repeated.id)).toBeUndefined()
      expect(await subject().store.usage.read(charge)).toBe(1)
    })

    test('of concurrent creates with one key exactly one is stored', async () => {
      const space = await subject().newSpace()
      const record = recordOf(space)
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, async () => {
          const entity = entityOf()
          await space.entities.insert(entity, { idempotency: { ...record, recordId: entity.id } })
          return entity.id
        }),
      )
      const [made, ...others] = outcomes.toSorted((a, b) => a.status.localeCompare(b.status))
      expect(made).toEqual({ status: 'fulfilled', value: (await find(record))?.recordId })
      for (const other of others) expect(other).toMatchObject({ reason: REPEATED })
      expect((await space.entities.page({}, FIRST_PAGE)).total).toBe(1)
    })

    test('it outlives the record that it made', async () => {
      const space = await subject().newSpace()
      const entity = entityOf()
      const record = recordOf(space, { recordId: entity.id })
      await space.entities.insert(entity, { idempotency: record })
      await space.entities.remove(entity.id, NO_RECEIPT)
      expect(await find(record)).toEqual(record)
    })

    test('expiring forgets what is older, and nothing else', async () => {
      const space = await subject().newSpace()
      const [old, young] = [recordOf(space, { createdAt: 10 }), recordOf(space, { createdAt: 11 })]
      await remember(space, old)
      await remember(space, young)
      await subject().store.idempotency.expire(11)
      expect([await find(old), await find(young)]).toEqual([undefined, young])
    })
  })
}
