// What the console needs from a database besides the records: accounts, sessions, one-time links,
// whose key is whose, and what was asked of a key by day. Part of storage/store.ts and under the
// same promises; the suite in storage/conformance holds every driver to it.
//
// Secrets arrive as hashes only. What must happen once (the first account, the use of a link, the
// replacement of a key) is decided by conditional statements inside one transaction.
import type { EntityType } from '../contract/entities.ts'
import type { Plan } from '../contract/plans.ts'
import type { TextSpan } from '../retrieval/explanation.ts'
import type { KeyRecord, MemoryRecord, NewKey, Page, RelationEndRecord } from './records.ts'

export interface ConsoleStore {
  readonly accounts: AccountStore
  readonly sessions: SessionStore
  readonly links: LinkStore
  readonly statistics: StatisticsStore
  /** The keys of one account: those of others cannot be reached from there. */
  forAccount(accountId: string): AccountKeyStore
}

// Accounts

export type AccountRole = 'administrator' | 'member'

export type AccountRecord = {
  id: string
  email: string
  role: AccountRole
  /** The plans that it may choose for a key. */
  plans: Plan[]
  /** A hash with its algorithm, parameters and salt. */
  password: string
  createdAt: number
}

export type NewAccount = Omit<AccountRecord, 'role'>

export interface AccountStore {
  find(id: string): Promise<AccountRecord | undefined>
  /** Whatever the letter case of the address and the spelling of its domain; its own spelling goes before. */
  findByEmail(email: string): Promise<AccountRecord | undefined>
  /** Oldest first. */
  list(): Promise<AccountRecord[]>
  /** A member with a first session; `email-taken` when there is an account with the address. */
  insert(account: NewAccount, session: SessionRecord): Promise<'inserted' | 'email-taken'>
  /**
   * Begins a session of its account. False, and nothing has happened, when the password is not the
   * `compared` one any more: comparing takes long enough for somebody to change it. `renewed`, the same
   * password hashed anew, takes its place.
   */
  signIn(session: SessionRecord, password: { compared: string; renewed?: string }): Promise<boolean>
  /**
   * Ends every session and every open reset link of the account, and begins the one given. Otherwise nothing
   * has happened: the password is not the `compared` one any more (`outdated`), or the session with the id
   * `asker`, which asks for it, has ended since (`signed-out`).
   */
  changePassword(
    session: SessionRecord,
    change: { asker: string; compared: string; changed: string },
  ): Promise<PasswordChange>
}

export type PasswordChange = 'changed' | 'outdated' | 'signed-out'

// Sessions

export type SessionRecord = {
  id: string
  accountId: string
  /** SHA-256 of the cookie's value. */
  tokenHash: Buffer
  createdAt: number
  lastSeenAt: number
  endsAt: number
  address: string
  userAgent: string
}

export type ShownSession = Omit<SessionRecord, 'tokenHash'>

export interface SessionStore {
  /**
   * Sees what any process committed before the call, such as its end. `network`: where it comes from. Those of
   * one with tokens that nobody knows wait for each other.
   */
  findByHash(
    tokenHash: Buffer,
    network?: string,
  ): Promise<{ session: ShownSession; account: AccountRecord } | undefined>
  /** Newest first. */
  list(accountId: string): Promise<ShownSession[]>
  /** Moves forward only. */
  touch(id: string, lastSeenAt: number): Promise<void>
  /** Whether there was such a session of the account. */
  end(accountId: string, id: string): Promise<boolean>
  endOthers(accountId: string, id: string): Promise<void>
  /** Forgets sessions that were last seen, or had to end, before the given times. */
  expire(before: { lastSeenAt: number; endsAt: number }): Promise<void>
}

// One-time links

export type LinkKind = 'set-up' | 'invitation' | 'reset'

export type LinkRecord = {
  id: string
  kind: LinkKind
  /** Whom it is for; a set-up link is for whoever holds it. */
  email: string | undefined
  /** What the account of an invitation may choose. */
  plans: Plan[]
  /** Whose password a reset link resets. */
  accountId: string | undefined
  createdAt: number
  expiresAt: number
}

export type NewLink = LinkRecord & { tokenHash: Buffer }

/** What comes of a link: an account, or a new password, and a session with it. */
export type LinkUse = {
  tokenHash: Buffer
  now: number
  password: string
  /** For a new account; an invitation has the address and the plans, a set-up every plan. */
  account: { id: string; email: string; plans: Plan[]; createdAt: number }
  /** `accountId` is filled in. */
  session: Omit<SessionRecord, 'accountId'>
}

export type LinkOutcome =
  | { kind: 'used'; account: AccountRecord }
  | { kind: 'not-valid' }
  | { kind: 'email-taken' }

export interface LinkStore {
  /**
   * Takes the place of earlier links of its kind for the same person. False, and nothing stored,
   * for a set-up link when there is an account, for an invitation of somebody who has one or when
   * there is none at all: the first account is the administrator's.
   */
  insert(link: NewLink): Promise<boolean>
  /** The link, unless it ran out before `now`. */
  find(tokenHash: Buffer, now: number): Promise<LinkRecord | undefined>
  /**
   * Of any number of simultaneous uses one succeeds. A set-up makes the administrator, whose are
   * from then on all keys that are nobody's, and works only as long as there is no account at all.
   * A reset ends every session of its account.
   */
  use(use: LinkUse): Promise<LinkOutcome>
  /** Those that have not run out, newest first. */
  invitations(now: number): Promise<LinkRecord[]>
  /** Whether there was such an invitation. */
  withdraw(id: string): Promise<boolean>
  expire(now: number): Promise<void>
}

// Keys of an account

export type OwnedKey = KeyRecord & {
  prefix: string | undefined
  /** The key that has its space now. */
  replacedBy: string | undefined
  purgedAt: number | undefined
}

/** Operations of a month, those of the keys that it replaced included. */
export type MeteredKey = OwnedKey & { used: number }

export type Replacement = 'replaced' | 'not-found' | 'was-replaced' | 'was-purged'
export type PurgeStep = 'not-found' | 'is-active' | 'was-replaced' | { isDone: boolean }

export interface AccountKeyStore {
  /** Newest first, revoked ones too. */
  list(month: string): Promise<MeteredKey[]>
  /** Sees what any process committed before the call. */
  find(id: string): Promise<OwnedKey | undefined>
  insert(key: NewKey): Promise<void>
  revoke(id: string): Promise<OwnedKey | undefined>
  /** Revokes the key and stores a new one for its space, with its plan and limits. */
  replace(id: string, key: Omit<NewKey, 'plan' | 'limits'>): Promise<Replacement>
  /**
   * Removes some of the data of a revoked key; to be repeated until it is done. What was removed
   * leaves the files as after a deletion, and nothing can be inserted any more: what was still being
   * made meanwhile was inserted before and removed as well, or is rejected as `purged`.
   */
  purge(id: string, now: number): Promise<PurgeStep>
}

// What was asked of a key

/** `kind` is a name of contract/statistics.ts. `day` is UTC, `YYYY-MM-DD`. */
export type StatisticsCount = { keyId: string; day: string; kind: string; count: number }

/** Of a key are those of the keys that it replaced too. */
export interface StatisticsStore {
  /** The counts of the days from `from` to `to`, both included. */
  read(keyId: string, days: { from: string; to: string }): Promise<Omit<StatisticsCount, 'keyId'>[]>
  /** Months with any count, newest first, as `YYYY-MM`. */
  months(keyId: string): Promise<string[]>
  /** Forgets the days before `day`. */
  expire(day: string): Promise<void>
}

// The graph of a space

export type GraphNodeRecord = RelationEndRecord & { degree: number; depth: number }
export type GraphEdgeRecord = { id: string; sourceId: string; targetId: string; type: string }
/** `edges` join the nodes and nothing else; `isComplete` is false when a bound left out something. */
export type GraphPart = { nodes: GraphNodeRecord[]; edges: GraphEdgeRecord[]; isComplete: boolean }

/** `place` is where the name stands first in the content, in UTF-16 code units. */
export type MentionRecord = MemoryRecord & { place: TextSpan }

export type SpaceCounts = { memories: number; entities: number; relations: number }

export interface GraphStore {
  counts(): Promise<SpaceCounts>
  /** What is at most `depth` relations away, whatever their direction; nearest first. */
  neighbourhood(
    id: string,
    bounds: { depth: number; nodesMax: number },
  ): Promise<GraphPart | undefined>
  /** The newest entities and the relations between them. */
  newest(bounds: { type?: EntityType | undefined; nodesMax: number }): Promise<GraphPart>
  /**
   * A shortest path, whatever the direction of the relations. `path` is undefined if none is found, the answer
   * if one of the entities is not there.
   */
  path(
    from: string,
    to: string,
  ): Promise<{ path: Omit<GraphPart, 'isComplete'> | undefined; isComplete: boolean } | undefined>
  /**
   * Entities with the text in their name, whatever its case and diacritics: those with this name first, then
   * those whose name begins with it; the newest first. `total` is how many there are.
   */
  named(text: string, max: number): Promise<Page<RelationEndRecord>>
  /**
   * Memories with the name in their content as whole words, whatever case, diacritics and breaks of lines,
   * newest first, from `after` on. Looks at a bounded number of memories: `next` says where to go on.
   */
  mentions(
    name: string,
    page: { after: string | undefined; limit: number },
  ): Promise<{ items: MentionRecord[]; next: string | undefined }>
}
