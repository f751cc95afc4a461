// A create with a key happens once, whoever repeats it and when, and its key is free again when it failed or
// a day later. The store is a list and the clock is set, so that each race is laid out step by step.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type IdempotencyRecord, type IdempotencyStore, StoreError } from '../storage/store.ts'
import { collectGarbage } from '../testing/collect-garbage.ts'
import { setClock } from '../testing/set-clock.ts'
import { fingerprintOf, Idempotency, type IdempotentRequest } from './idempotency.ts'
import type { Identity } from './ids.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const REQUEST: IdempotentRequest = { keyId: 'key_1', idempotencyKey: 'k', fingerprint: 'f' }

function setUp() {
  const clock = setClock()
  const records: IdempotencyRecord[] = []
  const store: IdempotencyStore = {
    find: async (keyId, idempotencyKey, notBefore) =>
      records.findLast(
        (each) =>
          each.keyId === keyId &&
          each.idempotencyKey === idempotencyKey &&
          each.createdAt >= notBefore,
      ),
    expire: async (time) => {
      records.splice(0, records.length, ...records.filter((each) => each.createdAt >= time))
    },
  }
  let made = 0
  /** A create as the routes have it: it commits the request with its record. */
  const createFor = (request: IdempotentRequest) => async (): Promise<Identity> => {
    made += 1
    const identity = { id: `mem_${made}`, createdAt: clock.now() }
    await new Promise((resolve) => setImmediate(resolve))
    records.push({ ...request, recordId: identity.id, createdAt: identity.createdAt })
    return identity
  }
  const idempotency = new Idempotency(store, clock)
  const once = (fields: Partial<IdempotentRequest> = {}) => {
    const request = { ...REQUEST, ...fields }
    return idempotency.once(request, createFor(request))
  }
  return { clock, idempotency, records, once, made: () => made }
}

test('concurrent requests with one key make one record and all get its identity', async () => {
  const { once, made } = setUp()
  const identities = await Promise.all(Array.from({ length: 50 }, () => once()))
  expect(new Set(identities.map(({ id }) => id))).toEqual(new Set(['mem_1']))
  expect(made()).toBe(1)
})

test('other keys, and the same key of other callers, are requests of their own', async () => {
  const { once, made } = setUp()
  await Promise.all([once(), once({ idempotencyKey: 'other' }), once({ keyId: 'key_2' })])
  expect(made()).toBe(3)
})

test('the same key with another request is refused, also while the first still runs', async () => {
  const { once, made } = setUp()
  const [first, second] = await Promise.allSettled([once(), once({ fingerprint: 'other' })])
  expect(first).toMatchObject({ status: 'fulfilled' })
  expect(second).toMatchObject({ reason: { code: 'IDEMPOTENCY_KEY_REUSED', status: 409 } })
  await expect(once({ fingerprint: 'other' })).rejects.toMatchObject({ status: 409 })
  expect(made()).toBe(1)
})

test('a create that fails leaves the key free, for those who wait too', async () => {
  const { once, idempotency, made } = setUp()
  const failing = idempotency.once(REQUEST, async () => {
    throw new Error('no')
  })
  const [failed, ...others] = await Promise.allSettled([failing, once(), once()])
  expect(failed).toMatchObject({ status: 'rejected' })
  expect(others).toMatchObject([{ value: { id: 'mem_1' } }, { value: { id: 'mem_1' } }])
  expect(made()).toBe(1)
})

test('whoever comes while a later turn runs waits for it as well', async () => {
  const { once, idempotency, made } = setUp()
  const failing = idempotency.once(REQUEST, async () => {
    throw new Error('no')
  })
  const second = once()
  await expect(failing).rejects.toThrow('no')
  const third = once()
  expect(await third).toEqual(await second)
  expect(made()).toBe(1)
})

test('nobody waits for another caller who uses the same key', async () => {
  const { once, idempotency } = setUp()
  const { promise, resolve } = Promise.withResolvers<Identity>()
  const slow = idempotency.once(REQUEST, () => promise)
  expect(await once({ keyId: 'key_2' })).toMatchObject({ id: 'mem_1' })
  resolve({ id: 'mem_slow', createdAt: 0 })
  expect(await slow).toMatchObject({ id: 'mem_slow' })
})

test('what another instance commits first is returned, or refused when its request was another one', async () => {
  const { idempotency, records } = setUp()
  /** Both looked before either had committed. */
  const losing = (theirs: Partial<IdempotencyRecord>) => async (): Promise<Identity> => {
    records.push({
      ...REQUEST,
      recordId: 'mem_theirs',
      createdAt: Date.UTC(2026, 10, 21),
      ...theirs,
    })
    throw new StoreError('repeated', undefined)
  }
  const identity = await idempotency.once(REQUEST, losing({}))
  expect(identity).toEqual({ id: 'mem_theirs', createdAt: Date.UTC(2026, 10, 21) })
  const another = { ...REQUEST, idempotencyKey: 'another' }
  const refused = idempotency.once(another, losing({ ...another, fingerprint: 'other' }))
  await expect(refused).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
})

test('a create of which the store does not say that it is repeated is not done again', async () => {
  const { idempotency } = setUp()
  let tries = 0
  const failing = idempotency.once(REQUEST, async () => {
    tries += 1
    throw new StoreError('unavailable', undefined)
  })
  await expect(failing).rejects.toMatchObject({ kind: 'unavailable' })
  expect(tries).toBe(1)
})

test('a record that ran out between the look and the create does not stop the next try, of which there are few', async () => {
  const { idempotency } = setUp()
  let tries = 0
  const create = async (): Promise<Identity> => {
    tries += 1
    if (tries === 1) throw new StoreError('repeated', undefined)
    return { id: 'mem_new', createdAt: 1 }
  }
  expect((await idempotency.once(REQUEST, create)).id).toBe('mem_new')
  let vain = 0
  const never = idempotency.once(REQUEST, async () => {
    vain += 1
    throw new StoreError('repeated', undefined)
  })
  await expect(never).rejects.toMatchObject({ kind: 'repeated' })
  expect(vain).toBe(3)
})

test('a key is free again after 24 hours, and not before', async () => {
  const { once, clock } = setUp()
  await once()
  clock.pass(DAY_MS)
  expect((await once()).id).toBe('mem_1')
  clock.pass(1)
  expect((await once()).id).toBe('mem_2')
})

test('sweeping forgets what ran out, and only that', async () => {
  const { once, clock, idempotency, records } = setUp()
  await once({ idempotencyKey: 'old' })
  clock.pass(DAY_MS)
  await once({ idempotencyKey: 'young' })
  await idempotency.sweep()
  expect(records).toHaveLength(2)
  clock.pass(1)
  await idempotency.sweep()
  expect(records.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['young'])
})

test('the fingerprint tells operations and inputs apart, and gives no text away', () => {
  const input = { content: 'secret', userId: 'u' }
  const fingerprint = fingerprintOf('memories.create', input)
  expect(fingerprintOf('memories.create', { ...input })).toBe(fingerprint)
  expect(fingerprintOf('entities.create', input)).not.toBe(fingerprint)
  expect(fingerprintOf('memories.create', { ...input, content: 'Secret' })).not.toBe(fingerprint)
  expect(fingerprint).toMatch(/^[\w-]{43}$/)
})

test('of a request that is over nothing is kept in memory', async () => {
  const { idempotency } = setUp()
  const made: WeakRef<Identity>[] = []
  for (let number = 0; number < 100; number += 1) {
    await idempotency.once({ ...REQUEST, idempotencyKey: `k${number}` }, async () => {
      const identity = { id: `mem_${number}`, createdAt: 0 }
      made.push(new WeakRef(identity))
      return identity
    })
  }
  // What was made or looked at in a turn is kept until its end.
  await nextTurn()
  collectGarbage()
  // A few may still lie on the stack.
  expect(made.filter((each) => each.deref() !== undefined).length).toBeLessThan(10)
})
