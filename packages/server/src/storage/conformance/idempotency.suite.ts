// That a create was answered is remembered with the create, and for as long as asked.
import { describe, expect, test } from 'vitest'
import type { IdempotencyRecord } from '../store.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from './records.ts'
import type { FreshSpace, Subject } from './subject.ts'

const recordOf = (
  { keyId }: FreshSpace,
  fields: Partial<IdempotencyRecord> = {},
): IdempotencyRecord => ({
  keyId,
  idempotencyKey: `!"#'%_~ ${Math.random()}`.replace(' ', ''),
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
      const renewed = { ...old, createdAt: 9_000, recordId: 'ent_9', fingerprint: 'other' }
      await remember(space, old)
      await remember(space, renewed)
      expect(await find(renewed)).toEqual(renewed)
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
