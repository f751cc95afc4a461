// What the console's browser side and the server say to each other: JSON under /console/api, with a
// session cookie, and nothing of it is public or stable. The browser side imports its types alone.
//
// Reads are GET. Every write is POST with `Content-Type: application/json` and at least `{}`, from
// the same origin (Origin and Sec-Fetch-Site are looked at). An error is
// `{ error: { code, message, field?, retryAfter? } }`: a code of CONSOLE_ERRORS below, or one of
// contract/errors.ts. `:key` is the id of a key of the signed-in account, also of a revoked one;
// what belongs to somebody else answers exactly like what does not exist.
// decisions/2026-11-21-console-interface.md
import { type Static, Type } from 'typebox'
import { NAME_LENGTH_MAX } from '../contract/bounds.ts'
import { ENTITY_TYPES } from '../contract/entity.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { integer, meaningfulText, reference, tags } from '../contract/fields.ts'
import { type MemoryListItem, MemorySearch, SearchResult } from '../contract/memory.ts'
import { PLANS } from '../contract/plans.ts'
import { RelationEnd } from '../contract/relation.ts'
import { Timestamp } from '../contract/timestamp.ts'
import { EMAIL_LENGTH_MAX, EMAIL_PATTERN } from './email-address.ts'

// The same records as under /v1; the console adds nothing to them.
export type { Entity, EntityListItem, NewEntity } from '../contract/entity.ts'
export type { ErrorCode } from '../contract/errors.ts'
export type { Memory, MemoryListItem, NewMemory } from '../contract/memory.ts'
export type { OperationId } from '../contract/operations.ts'
export type { Deleted, List, Pagination } from '../contract/page.ts'
export type { Plan } from '../contract/plans.ts'
export type {
  CreatedRelation,
  NewRelation,
  Relation,
  RelationListItem,
} from '../contract/relation.ts'

export const API_PREFIX = '/console/api'

const object = Type.Object
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const Plan = Type.Enum(PLANS, { type: 'string', allowed: `one of ${PLANS.join(', ')}` })
const Plans = Type.Array(Type.Enum(PLANS, { type: 'string' }), {
  minItems: 1,
  maxItems: PLANS.length,
  allowed: `a list of plans, each one of ${PLANS.join(', ')}`,
})

// Accounts and sessions

export const PASSWORD_LENGTH_MIN = 12
export const PASSWORD_LENGTH_MAX = 256

const email = () =>
  Type.String({
    maxLength: EMAIL_LENGTH_MAX,
    pattern: EMAIL_PATTERN,
    allowed: 'an e-mail address',
  })
const newPassword = () =>
  Type.String({
    minLength: PASSWORD_LENGTH_MIN,
    maxLength: PASSWORD_LENGTH_MAX,
    allowed: `a password of ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
  })
/** One that is only compared: whatever it is, it is right or wrong. */
const password = () => Type.String({ maxLength: 4096, allowed: 'a password' })
const token = () => Type.String({ minLength: 1, maxLength: 64, allowed: 'the code of a link' })

export const Account = object({
  id: Type.String(),
  email: Type.String(),
  role: Type.Enum(['administrator', 'member'], { type: 'string' }),
  /** The plans that it may choose for a key. */
  plans: Type.Array(Type.Enum(PLANS, { type: 'string' })),
  createdAt: Timestamp,
})
export type Account = Static<typeof Account>

/** GET /start (no session needed): what to show to somebody who is not signed in. */
export const Start = object({
  /** Whether the first account is still to be made, with the link that the first start printed. */
  needsSetUp: Type.Boolean(),
  signUpIsOpen: Type.Boolean(),
  /** False over plain HTTP on an address that is not loopback: nobody can sign in like that. */
  connectionIsSafe: Type.Boolean(),
  version: Type.String(),
})
export type Start = Static<typeof Start>

/** GET /session: 401 NOT_SIGNED_IN without one. Also what sign-in, sign-up and links answer. */
export const SignedIn = object({
  account: Account,
  session: object({
    id: Type.String(),
    createdAt: Timestamp,
    /** It ends then, whatever happens; and earlier after `idleMs` without a request. */
    endsAt: Timestamp,
    idleMs: Type.Integer(),
  }),
})
export type SignedIn = Static<typeof SignedIn>

/** POST /sign-in → SignedIn. May take seconds after failed tries: the answer is held back. */
export const SignIn = object({ email: email(), password: password() })
export type SignIn = Static<typeof SignIn>
/** POST /sign-up → SignedIn (201); SIGN_UP_CLOSED unless the setting opens it. */
export const SignUp = object({ email: email(), password: newPassword() })
export type SignUp = Static<typeof SignUp>
/** POST /sign-out, body {} → {}. */

/**
 * POST /links/look → LinkInfo, POST /links/use → SignedIn (201). A link is
 * `<origin>/console/link#<token>`; the part behind # is the token and never reaches a server log.
 */
export const LookAtLink = object({ token: token() })
export type LookAtLink = Static<typeof LookAtLink>
export const LinkInfo = object({
  kind: Type.Enum(['set-up', 'invitation', 'reset'], { type: 'string' }),
  /** Whom it is for; null for set-up, where the address is still to be chosen. */
  email: nullable(Type.String()),
  expiresAt: Timestamp,
})
export type LinkInfo = Static<typeof LinkInfo>
export const UseLink = object({
  token: token(),
  password: newPassword(),
  /** For set-up only, where it is required. */
  email: Type.Optional(email()),
})
export type UseLink = Static<typeof UseLink>

/** POST /password → SignedIn. All other sessions end; this one goes on under a new cookie. */
export const ChangePassword = object({ currentPassword: password(), newPassword: newPassword() })
export type ChangePassword = Static<typeof ChangePassword>

/** GET /sessions → { items }. POST /sessions/:id/end {} → {}. POST /sessions/end-others {} → {}. */
export const Session = object({
  id: Type.String(),
  isCurrent: Type.Boolean(),
  createdAt: Timestamp,
  /** Exact to a minute. */
  lastSeenAt: Timestamp,
  endsAt: Timestamp,
  address: Type.String(),
  userAgent: Type.String(),
})
export type Session = Static<typeof Session>
export type Sessions = { items: Session[] }

// For administrators; others get NOT_ADMINISTRATOR.

/** GET /accounts → { items: Account[] }. POST /accounts/:id/reset-link {} → IssuedLink (201). */
export type Accounts = { items: Account[] }
/** POST /invitations → IssuedLink (201). */
export const Invite = object({ email: email(), plans: Type.Optional(Plans) })
export type Invite = Static<typeof Invite>
export const IssuedLink = object({
  id: Type.String(),
  /** Shown only now. */
  url: Type.String(),
  email: Type.String(),
  expiresAt: Timestamp,
})
export type IssuedLink = Static<typeof IssuedLink>
/** GET /invitations → { items }, open ones. POST /invitations/:id/withdraw {} → {}. */
export const Invitation = object({
  id: Type.String(),
  email: Type.String(),
  plans: Type.Array(Type.Enum(PLANS, { type: 'string' })),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type Invitation = Static<typeof Invitation>
export type Invitations = { items: Invitation[] }

// Keys

export const Key = object({
  id: Type.String(),
  /** A few characters of the id, enough to tell keys apart in a list. */
  shortId: Type.String(),
  name: Type.String(),
  /** The first characters of the key; null for keys made before the console knew them. */
  prefix: nullable(Type.String()),
  plan: Plan,
  status: Type.Enum(['active', 'revoked'], { type: 'string' }),
  createdAt: Timestamp,
  lastUsedAt: nullable(Timestamp),
  usage: object({
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
export const CreateKey = object({ name: keyName(), plan: Plan })
export type CreateKey = Static<typeof CreateKey>
/** `secret` is the key itself, shown only now. */
export const NewKey = object({ key: Key, secret: Type.String() })
export type NewKey = Static<typeof NewKey>
/** GET /keys/:key → KeyDetails. */
export const KeyDetails = object({
  key: Key,
  data: object({
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
export const RotateKey = object({ name: Type.Optional(keyName()) })
export type RotateKey = Static<typeof RotateKey>
/**
 * POST /keys/:key/purge → Purge. Works a second or so, then answers what is left: ask again, with
 * the name again, until `isDone`. KEY_ACTIVE, KEY_REPLACED, NAME_DOES_NOT_MATCH.
 */
export const PurgeKey = object({ name: Type.String({ maxLength: 1024, allowed: 'a text' }) })
export type PurgeKey = Static<typeof PurgeKey>
export const Purge = object({ isDone: Type.Boolean(), remaining: KeyDetails.properties.data })
export type Purge = Static<typeof Purge>

/** GET /keys/:key/first-request: cheap, ask every second or two. Does not keep a session alive. */
export const FirstRequest = object({
  /** Where the API is, such as http://127.0.0.1:8080. */
  baseAddress: Type.String(),
  prefix: nullable(Type.String()),
  /** Of the key's latest request; null until the first one arrives. */
  lastUsedAt: nullable(Timestamp),
})
export type FirstRequest = Static<typeof FirstRequest>

// Usage

/** GET /keys/:key/usage?month=2026-11 → Usage; the running month unless given. Days are UTC. */
export const UsageQuery = object({
  month: Type.Optional(
    Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', allowed: 'a month such as 2026-11' }),
  ),
})
export type UsageQuery = Static<typeof UsageQuery>
const Counts = Type.Record(Type.String(), Type.Integer())
export const UsageDay = object({
  /** `2026-11-21`. */
  day: Type.String(),
  /** Successful requests by OperationId, and memories.import for each imported memory. entities.list and relations.list draw on no quota. */
  operations: Counts,
  /** Requests that were refused with 429. */
  rateLimited: Type.Integer(),
  /** Other errors by code. */
  errors: Counts,
})
export type UsageDay = Static<typeof UsageDay>
export const Usage = object({
  month: Type.String(),
  /** Months that have figures and the running one, newest first. */
  months: Type.Array(Type.String()),
  /** What drew on the quota in that month. */
  used: Type.Integer(),
  limit: nullable(Type.Integer()),
  /** When the quota of that month resets: the first instant of the next one. */
  resetAt: Timestamp,
  /** Every day of the month up to today, those without a request too. */
  days: Type.Array(UsageDay),
})
export type Usage = Static<typeof Usage>

// Memories
//
// GET  /keys/:key/memories?userId&agentId&tags=a,b&page&limit → List<MemoryListItem>
// GET  /keys/:key/memories/:id → Memory
// POST /keys/:key/memories NewMemory → Memory (201); KEY_REVOKED
// POST /keys/:key/memories/:id/delete {} → Deleted

/** POST /keys/:key/memories/search → Playground. Nothing is cut off: results under the threshold too. */
export const PlaygroundSearch = object({
  query: MemorySearch.properties.query,
  userId: MemorySearch.properties.userId,
  agentId: MemorySearch.properties.agentId,
  tags: Type.Optional(tags()),
  /** 20 unless given. */
  limit: Type.Optional(integer(1, 100)),
})
export type PlaygroundSearch = Static<typeof PlaygroundSearch>

/** Why a memory has its score. Offsets are UTF-16 positions in `content`. */
export const Explanation = object({
  score: Type.Number(),
  /** The sentence of the content that fits best. */
  piece: object({ start: Type.Integer(), end: Type.Integer() }),
  terms: Type.Array(
    object({ text: Type.String(), isMatched: Type.Boolean(), weight: Type.Number() }),
  ),
  /**
   * `kind` is 'meaning', 'words', 'names' or 'askingMemory'; the last takes something away, and has
   * no share. The other shares add up to 1.
   */
  parts: Type.Array(object({ kind: Type.String(), value: Type.Number(), share: Type.Number() })),
})
export type Explanation = Static<typeof Explanation>
export const PlaygroundResult = object({
  ...SearchResult.properties,
  explanation: nullable(Explanation),
})
export type PlaygroundResult = Static<typeof PlaygroundResult>
export const Playground = object({
  /** Best first. */
  results: Type.Array(PlaygroundResult),
  /** Where a search without a threshold of its own cuts. */
  defaultThreshold: Type.Number(),
})
export type Playground = Static<typeof Playground>

// Graph
//
// GET  /keys/:key/entities?type&search&page&limit → List<EntityListItem>
// GET  /keys/:key/entities/:id → Entity
// POST /keys/:key/entities NewEntity → Entity (201); KEY_REVOKED
// POST /keys/:key/entities/:id/delete {} → Deleted; its relations go along
// GET  /keys/:key/relations?sourceId&targetId&type&page&limit → List<RelationListItem>
// GET  /keys/:key/relations/:id → Relation
// POST /keys/:key/relations NewRelation → CreatedRelation (201); KEY_REVOKED
// POST /keys/:key/relations/:id/delete {} → Deleted

export const DEPTH_MAX = 3
export const GRAPH_NODES_MAX = 5_000

export const GraphNode = object({
  ...RelationEnd.properties,
  /** How many relations it has, counted up to 1,000. */
  degree: Type.Integer(),
  /** Steps from the entity that was asked for; 0 in a graph that was asked for as a whole. */
  depth: Type.Integer(),
})
export type GraphNode = Static<typeof GraphNode>
export const GraphEdge = object({
  id: Type.String(),
  sourceId: Type.String(),
  targetId: Type.String(),
  type: Type.String(),
})
export type GraphEdge = Static<typeof GraphEdge>
export const Graph = object({
  nodes: Type.Array(GraphNode),
  /** Between the nodes above alone. */
  edges: Type.Array(GraphEdge),
  /** False when a bound left something out. */
  isComplete: Type.Boolean(),
})
export type Graph = Static<typeof Graph>

/** GET /keys/:key/entities/:id/neighbourhood?depth=1&limit=200 → Graph. */
export const NeighbourhoodQuery = object({
  depth: Type.Optional(integer(1, DEPTH_MAX)),
  limit: Type.Optional(integer(1, 1_000)),
})
export type NeighbourhoodQuery = Static<typeof NeighbourhoodQuery>
/** GET /keys/:key/graph?limit=5000&type → WholeGraph: the newest entities. */
export const WholeGraphQuery = object({
  limit: Type.Optional(integer(1, GRAPH_NODES_MAX)),
  type: Type.Optional(Type.Enum(ENTITY_TYPES, { type: 'string', allowed: 'a type of entities' })),
})
export type WholeGraphQuery = Static<typeof WholeGraphQuery>
export const WholeGraph = object({
  ...Graph.properties,
  total: object({ entities: Type.Integer(), relations: Type.Integer() }),
})
export type WholeGraph = Static<typeof WholeGraph>
/** GET /keys/:key/path?from=ent_…&to=ent_… → Path, whatever the direction of the relations. */
export const PathQuery = object({ from: reference(), to: reference() })
export type PathQuery = Static<typeof PathQuery>
export const Path = object({
  /** In order, the first is `from`; null when there is none. `edges[n]` joins nodes n and n + 1. */
  path: nullable(object({ nodes: Type.Array(GraphNode), edges: Type.Array(GraphEdge) })),
  /** False when the search stopped at a bound: there may be a path that is longer. */
  isComplete: Type.Boolean(),
})
export type Path = Static<typeof Path>
/** GET /keys/:key/entities/:id/memories?after → Mentions: newest first. */
export const MentionsQuery = object({
  after: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}\\.\\w{1,48}$', allowed: 'what `next` said' }),
  ),
  limit: Type.Optional(integer(1, 100)),
})
export type MentionsQuery = Static<typeof MentionsQuery>
export type Mentions = {
  items: MemoryListItem[]
  /** Go on with `after=<next>`; null when every memory was looked at. `items` may be empty before. */
  next: string | null
}

/** Beside the codes of contract/errors.ts. `status` is the HTTP status. */
export const CONSOLE_ERRORS = {
  NOT_SIGNED_IN: { status: 401, message: 'Sign in first.' },
  WRONG_CREDENTIALS: { status: 401, message: 'The address or the password is wrong.' },
  WRONG_PASSWORD: { status: 400, message: 'The current password is wrong.' },
  FOREIGN_ORIGIN: { status: 403, message: 'The request does not come from this console.' },
  CONNECTION_NOT_SAFE: {
    status: 403,
    message:
      'Signing in needs https, or a loopback address such as http://127.0.0.1. Behind a proxy ' +
      'that speaks https, name the proxy in MNEMOGRAPH_TRUSTED_PROXIES.',
  },
  NOT_ADMINISTRATOR: { status: 403, message: 'Only an administrator can do this.' },
  SIGN_UP_CLOSED: { status: 403, message: 'Ask an administrator for an invitation.' },
  PLAN_NOT_ALLOWED: { status: 403, message: 'This account cannot choose that plan.' },
  KEY_NOT_FOUND: { status: 404, message: 'There is no key with this id.' },
  ACCOUNT_NOT_FOUND: { status: 404, message: 'There is no account with this id.' },
  SESSION_NOT_FOUND: { status: 404, message: 'There is no session with this id.' },
  INVITATION_NOT_FOUND: { status: 404, message: 'There is no open invitation with this id.' },
  EMAIL_TAKEN: { status: 409, message: 'There is an account with this address already.' },
  KEY_ACTIVE: { status: 409, message: 'Only the data of a revoked key can be purged.' },
  KEY_REVOKED: { status: 409, message: 'The key is revoked: nothing can be added to its data.' },
  KEY_REPLACED: { status: 409, message: 'The data belongs to the key that replaced this one.' },
  KEY_PURGED: { status: 409, message: 'The data of this key was purged.' },
  NAME_DOES_NOT_MATCH: { status: 400, message: 'The name is not the name of the key.' },
  LINK_NOT_VALID: {
    status: 410,
    message: 'This link was used, has run out, or never existed. Ask for a new one.',
  },
  TOO_MANY_ATTEMPTS: { status: 429, message: 'Too many tries at once. Wait a little.' },
} as const satisfies Record<string, { status: number; message: string }>
export type ConsoleErrorCode = keyof typeof CONSOLE_ERRORS

export type ErrorBody = {
  error: {
    code: ConsoleErrorCode | ErrorCode
    message: string
    field?: string
    /** Seconds. */
    retryAfter?: number
  }
}
