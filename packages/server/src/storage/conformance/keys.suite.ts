// Keys: found by their hash alone, each with a space of its own, changed and refused from the very moment
// at which that is said.
import { describe, expect, test } from 'vitest'
import { RATE_LIMIT_NONE } from '../../contract/plans.ts'
import { StoreError } from '../store.ts'
import { TEXTS } from './records.ts'
import { insertedKey, newKey, type Subject } from './subject.ts'

export function keysSuite(subject: () => Subject): void {
  describe('keys', () => {
    test('a key comes back with what was given, active and never used', async () => {
      const limits = { read: 1, write: RATE_LIMIT_NONE, search: undefined }
      const { hash, ...shown } = newKey({ plan: 'enterprise', limits })
      const record = await insertedKey(subject().store, { hash, ...shown })
      const { spaceId: _space, accountId: _account, ...rest } = record
      expect(rest).toStrictEqual({ ...shown, status: 'active', lastUsedAt: undefined })
      expect(await subject().store.keys.list()).toContainEqual(record)
    })

    test.each(TEXTS)('%s come back exactly in a name', async (_, name) => {
      expect((await insertedKey(subject().store, newKey({ name }))).name).toBe(name)
    })

    test('a hash that no key has is not found', async () => {
      const { keys } = subject().store
      const { hash } = newKey()
      expect(await keys.findByHash(hash)).toBeUndefined()
      expect(await keys.findByHash(Buffer.alloc(0))).toBeUndefined()
    })

    test('every key opens a space of its own', async () => {
      const keys = await Promise.all(
        Array.from({ length: 20 }, () => insertedKey(subject().store, newKey())),
      )
      expect(new Set(keys.map(({ spaceId }) => spaceId)).size).toBe(20)
    })

    test('the list is newest first, the greater id first, revoked ones included', async () => {
      const { keys } = subject().store
      const future = 4_000_000_000_000
      const ages = [future + 2, future + 1, future + 1, future]
      const made = ages.map((createdAt) => newKey({ createdAt }))
      for (const key of made) await keys.insert(key)
      const [newest, lesser, greater, oldest] = made.map(({ id }) => id)
      await keys.revoke(lesser ?? '')
      const listed = (await keys.list()).filter(({ createdAt }) => createdAt >= future)
      expect(listed.map(({ id }) => id)).toEqual([newest, greater, lesser, oldest])
      expect(listed.map(({ status }) => status)).toEqual(['active', 'active', 'revoked', 'active'])
    })

    test('a change is seen by the very next look-up, and leaves what it does not name', async () => {
      const { keys } = subject().store
      const limits = { read: 7, write: 8, search: undefined }
      const key = newKey({ plan: 'free', limits })
      const other = newKey({ plan: 'free', limits })
      const before = await insertedKey(subject().store, key)
      const untouched = await insertedKey(subject().store, other)
      const upgraded = { ...before, plan: 'hobby' }
      expect(await keys.change(key.id, { plan: 'hobby', limits: {} })).toEqual(upgraded)
      expect(await keys.findByHash(key.hash)).toEqual(upgraded)
      const limited = {
        ...upgraded,
        limits: { read: 7, write: undefined, search: RATE_LIMIT_NONE },
      }
      const change = { limits: { write: 'default', search: RATE_LIMIT_NONE } } as const
      expect(await keys.change(key.id, change)).toEqual(limited)
      expect(await keys.findByHash(key.hash)).toEqual(limited)
      expect(await keys.findByHash(other.hash)).toEqual(untouched)
    })

    test('of two changes at once both hold, and a revoked key stays revoked', async () => {
      const { keys } = subject().store
      const key = newKey()
      await keys.insert(key)
      await keys.revoke(key.id)
      await Promise.all([
        keys.change(key.id, { plan: 'enterprise', limits: {} }),
        keys.change(key.id, { limits: { read: 3 } }),
      ])
      expect(await keys.findByHash(key.hash)).toMatchObject({
        plan: 'enterprise',
        limits: { read: 3 },
        status: 'revoked',
      })
    })

    test('a revocation is seen by the very next look-up, and can be repeated', async () => {
      const { keys } = subject().store
      const key = newKey()
      const record = await insertedKey(subject().store, key)
      const revoked = { ...record, status: 'revoked' }
      expect(await keys.revoke(key.id)).toEqual(revoked)
      expect(await keys.findByHash(key.hash)).toEqual(revoked)
      expect(await keys.revoke(key.id)).toEqual(revoked)
    })

    test('changing or revoking an unknown key changes nothing', async () => {
      const { keys } = subject().store
      const before = await keys.list()
      expect(await keys.revoke('key_none')).toBeUndefined()
      expect(await keys.change('key_none', { plan: 'hobby', limits: {} })).toBeUndefined()
      expect(await keys.list()).toEqual(before)
    })

    test('a second key with one id or one hash is refused, and opens no space', async () => {
      const { keys } = subject().store
      const key = newKey()
      const record = await insertedKey(subject().store, key)
      const refused = [newKey({ id: key.id }), newKey({ hash: key.hash })]
      for (const each of refused) await expect(keys.insert(each)).rejects.toBeInstanceOf(StoreError)
      expect(await keys.findByHash(key.hash)).toEqual(record)
      expect((await keys.list()).filter(({ id }) => id === refused[1]?.id)).toEqual([])
    })
  })
}
