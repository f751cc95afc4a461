// Rows of accounts and their keys, sessions and links, in the columns that every driver has.
import type { Plan } from '../contract/plans.ts'
import type {
  AccountRecord,
  AccountRole,
  LinkKind,
  LinkRecord,
  OwnedKey,
  ShownSession,
} from './console-store.ts'
import { KEY_COLUMNS, type KeyRow, toKey } from './record-rows.ts'

/** The column holds what `JSON.stringify` made of a list of plans. */
const parsePlans = (json: string): Plan[] => JSON.parse(json)

export type AccountRow = {
  id: string
  email: string
  role: AccountRole
  plans: string
  password: string
  created_at: number
}

export const ACCOUNT_COLUMNS = 'id, email, role, plans, password, created_at'

export const toAccount = (row: AccountRow): AccountRecord => ({
  id: row.id,
  email: row.email,
  role: row.role,
  plans: parsePlans(row.plans),
  password: row.password,
  createdAt: row.created_at,
})

export type OwnedKeyRow = KeyRow & {
  prefix: string | null
  replaced_by: string | null
  purged_at: number | null
}

export const OWNED_KEY_COLUMNS = `${KEY_COLUMNS}, prefix, purged_at,
  (SELECT id FROM keys AS newer WHERE newer.replaces_id = keys.id) AS replaced_by`

export const toOwnedKey = (row: OwnedKeyRow): OwnedKey => ({
  ...toKey(row),
  prefix: row.prefix ?? undefined,
  replacedBy: row.replaced_by ?? undefined,
  purgedAt: row.purged_at ?? undefined,
})

export type SessionRow = {
  id: string
  account_id: string
  created_at: number
  last_seen_at: number
  ends_at: number
  address: string
  user_agent: string
}

export const SESSION_COLUMNS =
  'id, account_id, created_at, last_seen_at, ends_at, address, user_agent'

export const toSession = (row: SessionRow): ShownSession => ({
  id: row.id,
  accountId: row.account_id,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  endsAt: row.ends_at,
  address: row.address,
  userAgent: row.user_agent,
})

export type LinkRow = {
  id: string
  kind: LinkKind
  email: string | null
  plans: string
  account_id: string | null
  created_at: number
  expires_at: number
}

export const LINK_COLUMNS = 'id, kind, email, plans, account_id, created_at, expires_at'

export const toLink = (row: LinkRow): LinkRecord => ({
  id: row.id,
  kind: row.kind,
  email: row.email ?? undefined,
  plans: parsePlans(row.plans),
  accountId: row.account_id ?? undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
