// The database's clock cannot be set by a test, so windows are moved into the past instead.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { administer, newDatabase } from '../../testing/postgres.ts'
import { entityOf } from '../conformance/records.ts'
import { insertedKey, newKey } from '../conformance/subject.ts'
import type { NewKey } from '../records.ts'
import type { AdmissionRequest, SharedWindow } from '../shared-limits.ts'
import type { Store } from '../store.ts'
import { openStoreAt } from './testing/open-store-at.ts'

const server = inject('postgresUrl')
const WINDOW_MS = 60_000
const CHARGED = { operations: 7, lastUsedAt: 1 }

describe.skipIf(server === undefined)('limits in the database', () => {
  let store: Store
  let otherStore: Store
  let url: string
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await newDatabase(server ?? '')
    url = database.url
    drop = database.drop
    store = await openStoreAt(url, 10)
    otherStore = await openStoreAt(url, 10)
  })
  afterAll(async () => {
    await store?.close()
    await otherStore?.close()
    await drop()
  })

  /** Through both instances in turn. */
  let admissions = 0
  const admit = (hash: Buffer, request: Partial<AdmissionRequest> = {}) => {
    admissions += 1
    const limits = (admissions % 2 === 0 ? store : otherStore).sharedLimits
    if (limits === undefined) throw new Error('The shared store shares its limits.')
    return limits.admit({
      hash,
      rateClass: 'read',
      limitDefault: 3,
      windowMs: WINDOW_MS,
      ...request,
    })
  }

  async function setUp(fields: Partial<NewKey> = {}) {
    const made = newKey(fields)
    const { hash } = made
    const key = await insertedKey(store, made)
    const draw = async (request: Partial<AdmissionRequest> = {}): Promise<SharedWindow> => {
      const window = (await admit(hash, request))?.window
      if (window === undefined) throw new Error('The key is not active.')
      return window
    }
    const moveWindows = (ms: number) =>
      administer(
        url,
        `UPDATE mnemograph.rate_windows SET ends_at = ends_at + ${ms} WHERE key_id = '${key.id}'`,
      )
    return { key, hash, draw, moveWindows }
  }

  test('a hash that is no key is not found, and a revoked key draws on nothing', async () => {
    expect(await admit(newKey().hash)).toBeUndefined()
    const { key, hash } = await setUp()
    await store.keys.revoke(key.id)
    const admission = await admit(hash)
    expect(admission).toMatchObject({ key: { id: key.id, status: 'revoked' }, window: undefined })
  })

  test('it tells the key, and the moment and month of the database', async () => {
    const { key, hash } = await setUp()
    const admission = await admit(hash)
    expect(admission?.key).toEqual(key)
    const nowMs = admission?.nowMs ?? 0
    expect(admission?.month).toBe(new Date(nowMs).toISOString().slice(0, 7))
    expect(admission?.window).toEqual({
      isAllowed: true,
      limit: 3,
      hits: 1,
      endsAtMs: nowMs + WINDOW_MS,
    })
  })

  test('a window begins with its first request, and a refused one neither counts nor extends it', async () => {
    const { draw } = await setUp()
    const [first, ...others] = [
      await draw(),
      await draw(),
      await draw(),
      await draw(),
      await draw(),
    ]
    expect([first, ...others].map(({ hits }) => hits)).toEqual([1, 2, 3, 3, 3])
    expect(others.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false, false])
    expect(new Set(others.map(({ endsAtMs }) => endsAtMs))).toEqual(new Set([first.endsAtMs]))
  })

  test('of concurrent requests exactly as many pass as the limit says, each with a count of its own', async () => {
    const { draw } = await setUp()
    const drawn = await Promise.all(Array.from({ length: 200 }, () => draw({ limitDefault: 50 })))
    const hits = drawn.filter(({ isAllowed }) => isAllowed).map((window) => window.hits)
    expect(hits.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  })

  test('a window that ended gives way to a new one', async () => {
    const { draw, moveWindows } = await setUp()
    const full = { ...(await draw()), ...(await draw()), ...(await draw()), ...(await draw()) }
    expect(full.isAllowed).toBe(false)
    await moveWindows(-WINDOW_MS)
    const fresh = await draw()
    expect(fresh).toMatchObject({ isAllowed: true, hits: 1 })
    expect(fresh.endsAtMs).toBeGreaterThanOrEqual(full.endsAtMs)
  })

  test('of concurrent requests after the end of a window one begins the next', async () => {
    const { draw, moveWindows } = await setUp()
    await Promise.all(Array.from({ length: 5 }, () => draw()))
    await moveWindows(-WINDOW_MS)
    const drawn = await Promise.all(Array.from({ length: 20 }, () => draw()))
    expect(drawn.filter(({ isAllowed }) => isAllowed)).toHaveLength(3)
    expect(new Set(drawn.map(({ endsAtMs }) => endsAtMs)).size).toBe(1)
  })

  test('a clock that was set back far locks nobody out', async () => {
    const { draw, moveWindows } = await setUp()
    await Promise.all(Array.from({ length: 5 }, () => draw()))
    await moveWindows(WINDOW_MS / 2)
    expect((await draw()).isAllowed).toBe(false)
    await moveWindows(60 * WINDOW_MS)
    expect(await draw()).toMatchObject({ isAllowed: true, hits: 1 })
  })

  test('a limit that is lowered refuses, and gives back nothing that was drawn', async () => {
    const { draw } = await setUp()
    for (let n = 0; n < 5; n += 1) await draw({ limitDefault: 5 })
    expect(await draw({ limitDefault: 3 })).toMatchObject({ isAllowed: false, hits: 5, limit: 3 })
    expect(await draw({ limitDefault: 6 })).toMatchObject({ isAllowed: true, hits: 6 })
    expect(await draw({ limitDefault: 6 })).toMatchObject({ isAllowed: false, hits: 6 })
  })

  test('keys and classes have windows of their own, and a key its own limits', async () => {
    const limits = { read: undefined, write: 1, search: 0 }
    const [mine, other] = [await setUp({ limits }), await setUp()]
    const search = { rateClass: 'search' } as const
    const write = { rateClass: 'write' } as const
    await mine.draw()
    expect(await mine.draw(write)).toMatchObject({ isAllowed: true, hits: 1, limit: 1 })
    expect(await mine.draw(write)).toMatchObject({ isAllowed: false, hits: 1, limit: 1 })
    expect(await mine.draw(search)).toMatchObject({ isAllowed: false, hits: 0, limit: 0 })
    expect(await mine.draw()).toMatchObject({ isAllowed: true, hits: 2, limit: 3 })
    expect(await other.draw(write)).toMatchObject({ isAllowed: true, hits: 1, limit: 3 })
  })

  test('concurrent writes are each told what was used with them', async () => {
    const { key } = await setUp()
    const { entities } = store.forSpace(key.spaceId)
    const told: number[] = []
    const receipt = {
      charge: { keyId: key.id, month: '2026-11', limit: 12 },
      onCharged: (used: number) => told.push(used),
    }
    await Promise.allSettled(Array.from({ length: 20 }, () => entities.insert(entityOf(), receipt)))
    // The answers arrive in any order.
    expect(told.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
  })

  test('used are the operations of the month, those of replaced keys included, and no others', async () => {
    const keys = [await setUp(), await setUp(), await setUp()]
    const [oldest, old, present] = keys
    if (oldest === undefined || old === undefined || present === undefined) throw new Error()
    const replaces = (key: string, id: string) =>
      administer(url, `UPDATE mnemograph.keys SET replaces_id = '${id}' WHERE id = '${key}'`)
    await replaces(old.key.id, oldest.key.id)
    await replaces(present.key.id, old.key.id)
    const month = (await admit(oldest.hash))?.month ?? ''
    await store.usage.add(
      [month, '1999-12'].flatMap((each) =>
        keys.map(({ key }) => ({ keyId: key.id, month: each, ...CHARGED })),
      ),
    )
    const used = await Promise.all(keys.map(async ({ hash }) => (await admit(hash))?.used))
    expect(used).toEqual([7, 14, 21])
    const charge = { keyId: present.key.id, month }
    expect(await store.sharedLimits?.charge({ ...charge, limit: 21 })).toBeUndefined()
    expect(await store.sharedLimits?.charge({ ...charge, limit: 22 })).toBe(22)
    expect(await store.sharedLimits?.charge({ ...charge, limit: 22 })).toBeUndefined()
  })
})
