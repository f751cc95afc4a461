// The keys of an account.
import { type Static, Type } from 'typebox'
import { NAME_LENGTH_MAX } from '../../contract/bounds.ts'
import { meaningfulText } from '../../contract/fields.ts'
import { Timestamp } from '../../contract/timestamp.ts'
import { nullable, plan } from './fields.ts'

export const Key = Type.Object({
  id: Type.String(),
  /** A few characters of the id, enough to tell keys apart in a list. */
  shortId: Type.String(),
  name: Type.String(),
  /** The first characters of the key; null for keys made before the console knew them. */
  prefix: nullable(Type.String()),
  plan: plan(),
  status: Type.Enum(['active', 'revoked'], { type: 'string' }),
  createdAt: Timestamp,
  lastUsedAt: nullable(Timestamp),
  usage: Type.Object({
    /** Operations of this month, those of the keys that it replaced included. */
    used: Type.Integer(),
    /** Null on an unlimited plan. */
    limit: nullable(Type.Integer()),
    resetAt: Timestamp,
  }),
  /** The id of the key that has its data now. */
  replacedBy: nullable(Type.String()),
  /** Whether its data was purged. */
  isPurged: Type.Boolean(),
})
export type Key = Static<typeof Key>
/** GET /keys → Keys: newest first, revoked ones too, not paged. */
export type Keys = { items: Key[] }

const keyName = () => meaningfulText(NAME_LENGTH_MAX)
/** POST /keys → NewKey (201). PLAN_NOT_ALLOWED for a plan that is not in `account.plans`. */
export const CreateKey = Type.Object({ name: keyName(), plan: plan() })
export type CreateKey = Static<typeof CreateKey>
/** `secret` is the key itself, shown only now. */
export const NewKey = Type.Object({ key: Key, secret: Type.String() })
export type NewKey = Static<typeof NewKey>
/** GET /keys/:key → KeyDetails. */
export const KeyDetails = Type.Object({
  key: Key,
  data: Type.Object({
    memories: Type.Integer(),
    entities: Type.Integer(),
    relations: Type.Integer(),
  }),
})
export type KeyDetails = Static<typeof KeyDetails>

// POST /keys/:key/revoke {} → Key. Holds for every request that starts after the answer.

/**
 * POST /keys/:key/rotate → NewKey (201): the same data, plan and limits, this month's usage goes
 * along, the old key is revoked. Works for a revoked key too, unless it was replaced or purged
 * (KEY_REPLACED, KEY_PURGED).
 */
export const RotateKey = Type.Object({ name: Type.Optional(keyName()) })
export type RotateKey = Static<typeof RotateKey>
/**
 * POST /keys/:key/purge → Purge. Works a second or so, then answers what is left: ask again, with
 * the name again, until `isDone`. KEY_ACTIVE, KEY_REPLACED, NAME_DOES_NOT_MATCH.
 */
export const PurgeKey = Type.Object({ name: Type.String({ maxLength: 1024, allowed: 'a text' }) })
export type PurgeKey = Static<typeof PurgeKey>
export const Purge = Type.Object({ isDone: Type.Boolean(), remaining: KeyDetails.properties.data })
export type Purge = Static<typeof Purge>

/** GET /keys/:key/first-request: cheap, ask every second or two. Does not keep a session alive. */
export const FirstRequest = Type.Object({
  /** Where the API is, such as http://127.0.0.1:8080. */
  baseAddress: Type.String(),
  prefix: nullable(Type.String()),
  /** Of the key's latest request; null until the first one arrives. */
  lastUsedAt: nullable(Timestamp),
})
export type FirstRequest = Static<typeof FirstRequest>
