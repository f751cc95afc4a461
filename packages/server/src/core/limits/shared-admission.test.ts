// The shared store decides about callers, windows and months. The cases count statements on a real
// PostgreSQL: a request costs one, and requests that come together share it.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openPostgresStore } from '../../storage/postgres/open-store.ts'
import type { KeyRecord } from '../../storage/records.ts'
import type {
  AdmissionRequest,
  SharedLimits,
  SharedWindow,
  StoreAdmission,
} from '../../storage/shared-limits.ts'
import type { Store } from '../../storage/store.ts'
import { newDatabase } from '../../testing/postgres.ts'
import { createApiKey, hashApiKey } from '../api-key.ts'
import { systemClock } from '../clock.ts'
import { createIdentify } from '../ids.ts'
import { createKey } from '../keys.ts'
import { sharedAdmission } from './shared-admission.ts'

const KEY = createApiKey()
/** In no month of the machine's clock, which must not count here. */
const NOW = Date.UTC(2020, 10, 30, 23, 59, 59, 250)
const WINDOW: SharedWindow = { isAllowed: true, limit: 50, hits: 3, endsAtMs: NOW + 30_001 }
const RECORD: KeyRecord = {
  id: 'key_1',
  name: 'Key',
  plan: 'free',
  limits: { read: undefined, write: 7, search: undefined },
  status: 'active',
  createdAt: 1,
  lastUsedAt: undefined,
  // No store is asked for a space here.
  spaceId: 1 as KeyRecord['spaceId'],
  accountId: undefined,
}

function setUp(answer: Partial<StoreAdmission> | undefined) {
  const asked: AdmissionRequest[] = []
  const limits: SharedLimits = {
    async admit(request) {
      asked.push(request)
      return (
        answer && { key: RECORD, window: WINDOW, nowMs: NOW, month: '2020-11', used: 4, ...answer }
      )
    },
    charge: async () => 1,
    nowMs: async () => NOW,
  }
  return {
    asked,
    admission: sharedAdmission(limits, { read: async () => 0 }),
  }
}

test('an active key is told its caller, its month and its window, by the clock of the store', async () => {
  const { asked, admission } = setUp({})
  const { caller, meter, rate } = await admission.admit(KEY, 'write', '192.0.2.1')
  expect(asked).toEqual([
    {
      hash: hashApiKey(KEY),
      rateClass: 'write',
      limitDefault: 50,
      windowMs: 60_000,
      network: '192.0.2.1',
    },
  ])
  expect(caller).toMatchObject({ keyId: 'key_1', plan: 'free', rateLimits: { write: 7 } })
  expect(meter.keyMonth).toEqual({ keyId: 'key_1', month: '2020-11', limit: 1_000 })
  expect([meter.used, meter.resetAtMs]).toEqual([4, Date.UTC(2020, 11, 1)])
  expect(rate).toEqual({
    isAllowed: true,
    limit: 50,
    remaining: 47,
    resetAtSeconds: Math.ceil((NOW + 30_001) / 1000),
    retryAfterSeconds: 31,
  })
})

test.each([
  [-1, 1],
  [0, 1],
  [1, 1],
  [999, 1],
  [1_000, 1],
  [1_001, 2],
  [60_000, 60],
])('with %i ms left, whoever waits %i s is not refused again', async (leftMs, seconds) => {
  const { admission } = setUp({ window: { ...WINDOW, isAllowed: false, endsAtMs: NOW + leftMs } })
  const { rate } = await admission.admit(KEY, 'read')
  expect(rate).toMatchObject({ isAllowed: false, retryAfterSeconds: seconds })
  expect(rate.resetAtSeconds * 1000).toBeGreaterThanOrEqual(NOW + leftMs)
})

test('a limit that was lowered below what its window has counted leaves nothing, and not less', async () => {
  const { admission } = setUp({ window: { ...WINDOW, isAllowed: false, limit: 2 } })
  expect((await admission.admit(KEY, 'read')).rate).toMatchObject({ limit: 2, remaining: 0 })
})

test('unknown and revoked keys are refused, and what cannot be a key reaches no store', async () => {
  const unknown = setUp(undefined)
  await expect(unknown.admission.admit(KEY, 'read')).rejects.toMatchObject({
    code: 'INVALID_API_KEY',
  })
  const revoked = setUp({ window: undefined })
  await expect(revoked.admission.admit(KEY, 'read')).rejects.toMatchObject({
    code: 'API_KEY_REVOKED',
  })
  const { asked, admission } = setUp({})
  for (const junk of ['', 'mng_', `${KEY}0`, KEY.replace('mng_', 'mem_')]) {
    await expect(admission.admit(junk, 'read')).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  }
  expect(asked).toEqual([])
})

const server = inject('postgresUrl')
describe.skipIf(server === undefined)('on PostgreSQL', () => {
  let store: Store
  let drop: () => Promise<void>
  const query = vi.spyOn(pg.Client.prototype, 'query')
  beforeAll(async () => {
    const database = await newDatabase(server ?? '')
    drop = database.drop
    store = await openPostgresStore({
      url: database.url,
      durability: 'required',
      connectionsMax: 1,
      onBackgroundError: () => undefined,
    })
    // The one connection is made.
    await store.check()
  })
  afterAll(async () => {
    query.mockRestore()
    await store?.close()
    await drop()
  })

  const admit = (key: string) => {
    if (store.sharedLimits === undefined) throw new Error('The shared store shares its limits.')
    return sharedAdmission(store.sharedLimits, store.usage).admit(key, 'read')
  }

  /** Counts from here on. */
  async function freshKey(): Promise<string> {
    const limits = { read: undefined, write: undefined, search: undefined }
    const { key } = await createKey(
      { keys: store.keys, identify: createIdentify(systemClock) },
      { name: 'Key', plan: 'free', limits },
    )
    query.mockClear()
    return key
  }

  test('key, rate limit and quota are one statement, and junk is none', async () => {
    const key = await freshKey()
    const { rate, meter } = await admit(key)
    expect(query).toHaveBeenCalledOnce()
    expect([rate.remaining, meter.used]).toEqual([99, 0])
    await expect(admit(createApiKey())).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    expect(query).toHaveBeenCalledTimes(2)
    await expect(admit('junk')).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    expect(query).toHaveBeenCalledTimes(2)
  })

  test('requests of one key that arrive together ask together, and each has a place of its own', async () => {
    const key = await freshKey()
    const admitted = await Promise.all(Array.from({ length: 120 }, () => admit(key)))
    expect(query).toHaveBeenCalledOnce()
    const remaining = admitted
      .filter(({ rate }) => rate.isAllowed)
      .map(({ rate }) => rate.remaining)
    expect(remaining).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n))
    await admit(key)
    expect(query).toHaveBeenCalledTimes(2)
  })

  test('the charge of a read is one more', async () => {
    const { meter } = await admit(await freshKey())
    await meter.read(async () => undefined)
    expect(query).toHaveBeenCalledTimes(2)
    expect(await store.usage.read(meter.keyMonth)).toBe(1)
  })
})
