// The keys of an account, what replaces and purges them, and the statistics of what they did.
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../store.ts'
import { newMember } from './account-records.ts'
import { entityOf, FIRST_PAGE, memoryOf, NO_RECEIPT, pieceOf, relationOf } from './records.ts'
import { caseSpace, MODEL, newKey, replacementOf, type Subject, storedKey } from './subject.ts'

const MONTH = '2026-11'

export function accountKeysSuite(subject: () => Subject): void {
  const store = () => subject().store
  async function owner() {
    const { account } = await newMember(subject())
    const accountId = account.id
    const keys = store().console.forAccount(accountId)
    const key = newKey({
      prefix: 'mng_abcd',
      plan: 'hobby',
      limits: { read: 5, write: undefined, search: 7 },
    })
    await keys.insert(key)
    const { spaceId } = await storedKey(store().keys, key)
    const { number } = await store().generations.adopt(MODEL)
    return { accountId, keys, key, spaceId, space: caseSpace(store(), spaceId, number) }
  }

  describe('keys of an account', () => {
    test('are seen by their account alone', async () => {
      const [mine, other] = [await owner(), await owner()]
      expect(await mine.keys.find(mine.key.id)).toMatchObject({
        id: mine.key.id,
        prefix: 'mng_abcd',
        status: 'active',
        replacedBy: undefined,
        purgedAt: undefined,
      })
      expect((await mine.keys.list(MONTH)).map(({ id }) => id)).toEqual([mine.key.id])
      const { accountId } = mine
      expect(await store().keys.findByHash(mine.key.hash)).toMatchObject({ accountId })
      expect(await other.keys.find(mine.key.id)).toBeUndefined()
      expect(await other.keys.revoke(mine.key.id)).toBeUndefined()
      expect(await other.keys.replace(mine.key.id, replacementOf())).toBe('not-found')
      expect(await other.keys.purge(mine.key.id, 1)).toBe('not-found')
      expect(await mine.keys.find(mine.key.id)).toMatchObject({ status: 'active' })
    })

    test.each(['key\0', '', '%'])(
      'an id that no key has finds and changes nothing: %j',
      async (id) => {
        const { keys, key } = await owner()
        const next = replacementOf()
        expect(await keys.find(id)).toBeUndefined()
        expect(await keys.revoke(id)).toBeUndefined()
        expect(await keys.replace(id, next)).toBe('not-found')
        expect(await keys.purge(id, 1)).toBe('not-found')
        expect(await keys.find(key.id)).toMatchObject({ status: 'active' })
      },
    )

    test('are listed newest first, with the operations of the month', async () => {
      const { keys, key } = await owner()
      const newer = newKey()
      await keys.insert(newer)
      const charge = { keyId: key.id, month: MONTH }
      await store().usage.add([{ ...charge, operations: 3, lastUsedAt: 1 }])
      const listed = await keys.list(MONTH)
      expect(listed.map(({ id, used }) => [id, used])).toEqual([
        [newer.id, 0],
        [key.id, 3],
      ])
      for (const month of ['2026-10', '2026-12']) {
        expect((await keys.list(month)).map(({ used }) => used)).toEqual([0, 0])
      }
    })

    test('a replacement has the space, plan, limits and usage; the old key is revoked', async () => {
      const { keys, key, spaceId } = await owner()
      const charge = { keyId: key.id, month: MONTH }
      await store().usage.add([{ ...charge, operations: 5, lastUsedAt: 1 }])
      const next = replacementOf({ name: 'next' })
      expect(await keys.replace(key.id, next)).toBe('replaced')
      const record = await store().keys.findByHash(next.hash)
      const { plan, limits } = key
      expect(record).toMatchObject({ spaceId, plan, limits, status: 'active', name: 'next' })
      expect(await store().keys.findByHash(key.hash)).toMatchObject({ status: 'revoked' })
      expect(await keys.find(key.id)).toMatchObject({ replacedBy: next.id })
      await store().usage.add([{ ...charge, keyId: next.id, operations: 2, lastUsedAt: 1 }])
      const ofNext = { keyId: next.id, month: MONTH }
      expect(await store().usage.read(ofNext)).toBe(7)
      expect(await store().usage.read({ keyId: next.id, month: '2026-12' })).toBe(0)
      expect(await store().usage.read(charge)).toBe(5)
      const listed = (await keys.list(MONTH)).map(({ id, used }) => ({ [id]: used }))
      expect(Object.assign({}, ...listed)).toEqual({ [key.id]: 5, [next.id]: 7 })
    })

    test('what others used with keys that were replaced is not counted', async () => {
      const [mine, other] = [await owner(), await owner()]
      const next = replacementOf()
      await other.keys.replace(other.key.id, next)
      const charge = { keyId: mine.key.id, month: MONTH }
      const foreign = { keyId: other.key.id, month: MONTH }
      await store().usage.add([
        { ...foreign, operations: 5, lastUsedAt: 1 },
        { ...charge, operations: 1, lastUsedAt: 1 },
      ])
      expect(await store().usage.read(charge)).toBe(1)
      expect((await mine.keys.list(MONTH)).map(({ used }) => used)).toEqual([1])
    })

    test('of simultaneous replacements one is stored', async () => {
      const { keys, key, spaceId } = await owner()
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => keys.replace(key.id, replacementOf())),
      )
      expect(outcomes.filter((outcome) => outcome === 'replaced')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome === 'was-replaced')).toHaveLength(9)
      const active = (await keys.list(MONTH)).filter((each) => each.status === 'active')
      expect(active.map((each) => each.spaceId)).toEqual([spaceId])
    })

    test('a purge takes everything of the space, in steps, and nothing of others', async () => {
      const [mine, other] = [await owner(), await owner()]
      for (const { space } of [mine, other]) {
        const memories = Array.from({ length: 160 }, () => memoryOf())
        await Promise.all(
          memories.map((memory) =>
            space.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT),
          ),
        )
        const [a, b] = [entityOf(), entityOf()]
        await space.entities.insert(a, NO_RECEIPT)
        await space.entities.insert(b, NO_RECEIPT)
        const made = Array.from({ length: 250 }, () =>
          relationOf({ sourceId: a.id, targetId: b.id }),
        )
        await Promise.all(made.map((relation) => space.relations.insert(relation, NO_RECEIPT)))
      }
      expect(await mine.keys.purge(mine.key.id, 1)).toBe('is-active')
      await mine.keys.revoke(mine.key.id)
      const full = { memories: 160, entities: 2, relations: 250 }
      expect(await mine.space.graph.counts()).toEqual(full)
      expect(await mine.keys.purge(mine.key.id, 7)).toEqual({ isDone: false })
      expect(await mine.keys.find(mine.key.id)).toMatchObject({ purgedAt: undefined })
      let step = await mine.keys.purge(mine.key.id, 8)
      for (let n = 0; n < 10 && typeof step === 'object' && !step.isDone; n += 1) {
        step = await mine.keys.purge(mine.key.id, 9)
      }
      expect(step).toEqual({ isDone: true })
      expect(await mine.space.graph.counts()).toEqual({ memories: 0, entities: 0, relations: 0 })
      expect((await mine.space.memories.page({}, FIRST_PAGE)).total).toBe(0)
      expect(Number((await mine.keys.find(mine.key.id))?.purgedAt)).toBeGreaterThan(0)
      expect(await other.space.graph.counts()).toEqual(full)
      expect(await mine.keys.replace(mine.key.id, replacementOf())).toBe('was-purged')
    })

    test('a purge forgets what was answered to repeatable creates, and nothing of others', async () => {
      const [mine, other] = [await owner(), await owner()]
      const found = ({ key }: typeof mine) => store().idempotency.find(key.id, 'once', 0)
      for (const { space, key } of [mine, other]) {
        const entity = entityOf()
        const record = { keyId: key.id, idempotencyKey: 'once', fingerprint: 'f' }
        const idempotency = { ...record, recordId: entity.id, createdAt: 1_000 }
        await space.entities.insert(entity, { idempotency })
      }
      await mine.keys.revoke(mine.key.id)
      expect(await found(mine)).toBeDefined()
      expect(await mine.keys.purge(mine.key.id, 1)).toEqual({ isDone: true })
      expect(await found(mine)).toBeUndefined()
      expect(await found(other)).toBeDefined()
    })

    test('a purge of a key that replaced others purges them too, with all that they were answered', async () => {
      const { keys, key, space } = await owner()
      const entity = entityOf()
      const record = { keyId: key.id, idempotencyKey: 'once', fingerprint: 'f' }
      await space.entities.insert(entity, {
        idempotency: { ...record, recordId: entity.id, createdAt: 1_000 },
      })
      const next = replacementOf()
      await keys.replace(key.id, next)
      await keys.revoke(next.id)
      expect(await keys.purge(next.id, 7)).toEqual({ isDone: true })
      const listed = await keys.list(MONTH)
      expect(listed.map(({ id, purgedAt }) => [id, purgedAt])).toEqual([
        [next.id, 7],
        [key.id, 7],
      ])
      expect(await store().idempotency.find(key.id, 'once', 0)).toBeUndefined()
    })

    test('what was still being made when a space was purged is refused, and nothing of it stored', async () => {
      const [mine, other] = [await owner(), await owner()]
      const [memory, entity] = [memoryOf(), entityOf()]
      await mine.space.entities.insert(entity, NO_RECEIPT)
      await mine.keys.revoke(mine.key.id)
      const insertAll = ({ space, key }: typeof mine) => {
        const charge = { keyId: key.id, month: MONTH }
        const receipt = (idempotencyKey: string): Receipt => ({
          charge,
          idempotency: {
            keyId: key.id,
            idempotencyKey,
            fingerprint: 'f',
            recordId: 'r',
            createdAt: 1,
          },
        })
        const ends = { sourceId: entity.id, targetId: entity.id }
        return Promise.allSettled([
          space.memories.insert(memory, [pieceOf(memory.content)], receipt('memory')),
          space.entities.insert(entityOf(), receipt('entity')),
          space.relations.insert(relationOf(ends), receipt('relation')),
        ])
      }
      expect(await mine.keys.purge(mine.key.id, 1)).toEqual({ isDone: true })
      const refused = { status: 'rejected', reason: { name: 'StoreError', kind: 'purged' } }
      expect(await insertAll(mine)).toMatchObject([refused, refused, refused])
      expect(await mine.space.graph.counts()).toEqual({ memories: 0, entities: 0, relations: 0 })
      expect(await store().usage.read({ keyId: mine.key.id, month: MONTH })).toBe(0)
      for (const name of ['memory', 'entity', 'relation']) {
        expect(await store().idempotency.find(mine.key.id, name, 0)).toBeUndefined()
      }
      const made = { status: 'fulfilled' }
      expect(await insertAll(other)).toMatchObject([made, made, { value: 'source-missing' }])
    })

    test('the data of a replaced key is not purged with it', async () => {
      const { keys, key } = await owner()
      const next = replacementOf()
      await keys.replace(key.id, next)
      expect(await keys.purge(key.id, 1)).toBe('was-replaced')
    })
  })

  describe('statistics', () => {
    test('are summed by key, day and kind, read up to the last day asked for, and forgotten by day', async () => {
      const [mine, other] = [(await owner()).key.id, (await owner()).key.id]
      const { usage } = store()
      const { statistics } = store().console
      const count = (keyId: string, day: string, kind: string, n: number) => ({
        keyId,
        day,
        kind,
        count: n,
      })
      await usage.add(
        [],
        [
          count(mine, '2026-10-31', 'memories.get', 1),
          count(mine, '2026-11-01', 'memories.get', 2),
          count(mine, '2026-11-02', 'error:NOT_FOUND', 3),
          count(mine, '2026-11-03', 'memories.get', 4),
          count(other, '2026-11-01', 'memories.get', 9),
        ],
      )
      await usage.add([], [count(mine, '2026-11-01', 'memories.get', 5)])
      const days = { from: '2026-11-01', to: '2026-11-02' }
      expect(await statistics.read(mine, days)).toEqual([
        { day: '2026-11-01', kind: 'memories.get', count: 7 },
        { day: '2026-11-02', kind: 'error:NOT_FOUND', count: 3 },
      ])
      expect(await statistics.months(mine)).toEqual(['2026-11', '2026-10'])
      await statistics.expire('2026-11-01')
      expect(await statistics.months(mine)).toEqual(['2026-11'])
      expect(await statistics.read(other, days)).toHaveLength(1)
    })

    test('of a key are those of the keys that it replaced too, summed', async () => {
      const { keys, key } = await owner()
      const [second, third] = [replacementOf(), replacementOf()]
      await keys.replace(key.id, second)
      await keys.replace(second.id, third)
      const kind = 'memories.get'
      await store().usage.add(
        [],
        [
          { keyId: key.id, day: '2026-10-31', kind, count: 1 },
          { keyId: key.id, day: '2026-11-01', kind, count: 2 },
          { keyId: second.id, day: '2026-11-01', kind, count: 3 },
          { keyId: third.id, day: '2026-11-01', kind, count: 4 },
        ],
      )
      const { statistics } = store().console
      const days = { from: '2026-11-01', to: '2026-11-30' }
      expect(await statistics.read(third.id, days)).toEqual([{ day: '2026-11-01', kind, count: 9 }])
      expect(await statistics.read(second.id, days)).toMatchObject([{ count: 5 }])
      expect(await statistics.months(third.id)).toEqual(['2026-11', '2026-10'])
    })
  })
}
