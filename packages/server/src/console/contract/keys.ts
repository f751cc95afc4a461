// The keys of an account.
import { type Static, Type } from 'typebox'
import { NAME_LENGTH_MAX } from '../../contract/bounds.ts'
import { meaningfulText } from '../../contract/fields.ts'
import type { Plan } from '../../contract/plans.ts'
import { plan } from './fields.ts'

export type Key = {
  id: string
  /** A few characters of the id, enough to tell keys apart in a list. */
  shortId: string
  name: string
  /** The first characters of the key; null for keys made before the console knew them. */
  prefix: string | null
  plan: Plan
  status: 'active' | 'revoked'
  createdAt: string
  lastUsedAt: string | null
  usage: {
    /** Operations of this month, those of the keys that it replaced included. */
    used: number
    /** Null on an unlimited plan. */
    limit: number | null
    resetAt: string
  }
  /** The id of the key that has its data now. */
  replacedBy: string | null
  /** Whether its data was purged. */
  isPurged: boolean
}
/** GET /keys → Keys: newest first, revoked ones too, not paged. */
export type Keys = { items: Key[] }

const keyName = () => meaningfulText(NAME_LENGTH_MAX)
/** POST /keys → NewKey (201). PLAN_NOT_ALLOWED for a plan that is not in `account.plans`. */
export const CreateKey = Type.Object({ name: keyName(), plan: plan() })
export type CreateKey = Static<typeof CreateKey>
/** `secret` is the key itself, shown only now. */
export type NewKey = { key: Key; secret: string }
/** GET /keys/:key → KeyDetails. */
export type KeyDetails = {
  key: Key
  data: {
    memories: number
    entities: number
    relations: number
  }
}

// POST /keys/:key/revoke {} → Key. Holds for every request that starts after the answer.

/**
 * POST /keys/:key/rotate → NewKey (201): the same data, plan and limits, this month's usage goes
 * along, the old key is revoked. Works for a revoked key too, unless it was replaced or purged
 * (KEY_REPLACED, KEY_PURGED).
 */
export const RotateKey = Type.Object({ name: Type.Optional(keyName()) })
/**
 * POST /keys/:key/purge → Purge. Works a second or so, then answers what is left: ask again, with
 * the name again, until `isDone`. KEY_ACTIVE, KEY_REPLACED, NAME_DOES_NOT_MATCH.
 */
export const PurgeKey = Type.Object({ name: Type.String({ allowed: 'a text' }) })
export type Purge = { isDone: boolean; remaining: KeyDetails['data'] }

/** GET /keys/:key/first-request: cheap, ask every second or two. Does not keep a session alive. */
export type FirstRequest = {
  /** Where the API is, such as http://127.0.0.1:8080. */
  baseAddress: string
  prefix: string | null
  /** Of the key's latest request; null until the first one arrives. */
  lastUsedAt: string | null
}
