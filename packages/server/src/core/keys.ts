// Creating a key, and finding the caller behind one.
import { ApiError } from '../contract/errors.ts'
import type { RateClass } from '../contract/operations.ts'
import { type Plan, RATE_LIMIT_DEFAULTS } from '../contract/plans.ts'
import type { KeyRecord, SpaceId } from '../storage/records.ts'
import type { KeyStore } from '../storage/store.ts'
import { createApiKey, hashApiKey, isApiKey, prefixOf } from './api-key.ts'
import type { Identify, Identity } from './ids.ts'

/** Who makes a request: an active key, its space and its limits. */
export type Caller = {
  keyId: string
  spaceId: SpaceId
  /** Whose key it is, if it is anybody's. */
  accountId: string | undefined
  plan: Plan
  rateLimits: Readonly<Record<RateClass, number>>
}

/** Of a key that has the default of every class. */
export const NO_LIMITS_OF_ITS_OWN: KeyRecord['limits'] = {
  read: undefined,
  write: undefined,
  search: undefined,
}

export type CreateKey = { name: string; plan: Plan; limits: KeyRecord['limits'] }

/** The only moment at which the key itself is known: the caller has to show or save it now. */
export async function createKey(
  { keys, identify }: { keys: Pick<KeyStore, 'insert'>; identify: Identify },
  { name, plan, limits }: CreateKey,
): Promise<{ id: string; createdAt: number; key: string }> {
  const { key, stored } = mintKey(identify)
  await keys.insert({ name, plan, limits, ...stored })
  return { id: stored.id, createdAt: stored.createdAt, key }
}

/** A new key, and what the store keeps of it. */
export function mintKey(identify: Identify): {
  key: string
  stored: Identity & { hash: Buffer; prefix: string }
} {
  const key = createApiKey()
  return { key, stored: { ...identify('key'), hash: hashApiKey(key), prefix: prefixOf(key) } }
}

/** Throws INVALID_API_KEY or API_KEY_REVOKED. */
export async function findCaller(keys: Pick<KeyStore, 'findByHash'>, key: string): Promise<Caller> {
  const record = isApiKey(key) ? await keys.findByHash(hashApiKey(key)) : undefined
  if (record === undefined) throw new ApiError('INVALID_API_KEY')
  if (record.status === 'revoked') throw new ApiError('API_KEY_REVOKED')
  return toCaller(record)
}

export const toCaller = ({ id, spaceId, accountId, plan, limits }: KeyRecord): Caller => ({
  keyId: id,
  spaceId,
  accountId,
  plan,
  rateLimits: {
    read: limits.read ?? RATE_LIMIT_DEFAULTS.read,
    write: limits.write ?? RATE_LIMIT_DEFAULTS.write,
    search: limits.search ?? RATE_LIMIT_DEFAULTS.search,
  },
})
