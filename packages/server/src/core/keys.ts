// Creating a key, and finding the caller behind one.
import { ApiError } from '../contract/errors.ts'
import type { RateClass } from '../contract/operations.ts'
import { type Plan, RATE_LIMIT_DEFAULTS } from '../contract/plans.ts'
import type { KeyRecord, KeyStore, SpaceId } from '../storage/store.ts'
import { createApiKey, hashApiKey, isApiKey } from './api-key.ts'
import type { Identify } from './ids.ts'

/** Who makes a request: an active key, its space and its limits. */
export type Caller = {
  keyId: string
  spaceId: SpaceId
  plan: Plan
  rateLimits: Readonly<Record<RateClass, number>>
}

export type CreateKey = { name: string; plan: Plan; limits: KeyRecord['limits'] }

/** The only moment at which the key itself is known: the caller has to show or save it now. */
export async function createKey(
  { keys, identify }: { keys: KeyStore; identify: Identify },
  { name, plan, limits }: CreateKey,
): Promise<{ id: string; createdAt: number; key: string }> {
  const key = createApiKey()
  const { id, createdAt } = identify('key')
  await keys.insert({ id, name, plan, limits, createdAt, hash: hashApiKey(key) })
  return { id, createdAt, key }
}

/** Throws INVALID_API_KEY or API_KEY_REVOKED. */
export async function findCaller(keys: KeyStore, key: string): Promise<Caller> {
  const record = isApiKey(key) ? await keys.findByHash(hashApiKey(key)) : undefined
  if (record === undefined) throw new ApiError('INVALID_API_KEY')
  if (record.status === 'revoked') throw new ApiError('API_KEY_REVOKED')
  const { id, spaceId, plan, limits } = record
  return {
    keyId: id,
    spaceId,
    plan,
    rateLimits: {
      read: limits.read ?? RATE_LIMIT_DEFAULTS.read,
      write: limits.write ?? RATE_LIMIT_DEFAULTS.write,
      search: limits.search ?? RATE_LIMIT_DEFAULTS.search,
    },
  }
}
