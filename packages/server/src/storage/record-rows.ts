// Rows of keys, entities, relations and idempotency records, in the columns that every driver has.
import type { EntityType } from '../contract/entities.ts'
import type { Plan } from '../contract/plans.ts'
import { foldName } from '../retrieval/fold.ts'
import type { GraphEdgeRecord } from './console-store.ts'
import type {
  EntityRecord,
  ExpandedRelation,
  KeyChange,
  KeyRecord,
  KeyStatus,
  NewKey,
  Page,
  RelationEndRecord,
  SpaceId,
} from './records.ts'
import type { IdempotencyRecord } from './store.ts'

export type KeyRow = {
  id: string
  space_no: SpaceId
  name: string
  plan: Plan
  read_limit: number | null
  write_limit: number | null
  search_limit: number | null
  status: KeyStatus
  created_at: number
  last_used_at: number | null
  account_id: string | null
}

export const KEY_COLUMNS = `id, space_no, name, plan, read_limit, write_limit, search_limit, status,
  created_at, last_used_at, account_id`

export const toKey = (row: KeyRow): KeyRecord => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  limits: {
    read: row.read_limit ?? undefined,
    write: row.write_limit ?? undefined,
    search: row.search_limit ?? undefined,
  },
  status: row.status,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  spaceId: row.space_no,
  accountId: row.account_id ?? undefined,
})

/** Whose a new key is, and whose space it gets. */
export type KeyOrigin = { accountId?: string; replaces?: Pick<KeyRecord, 'id' | 'spaceId'> }

export const NEW_KEY_COLUMNS = `id, space_no, name, hash, plan, read_limit, write_limit, search_limit,
  created_at, prefix, replaces_id, account_id`

/** What a key may be given later. */
export const CHANGEABLE_KEY_COLUMNS = 'plan, read_limit, write_limit, search_limit'

/** In the order of CHANGEABLE_KEY_COLUMNS. */
export function changedKeyValues(key: KeyRecord, { plan, limits }: KeyChange) {
  const limitOf = (name: keyof KeyRecord['limits']): number | null => {
    const limit = limits[name] ?? key.limits[name] ?? 'default'
    return limit === 'default' ? null : limit
  }
  return [plan ?? key.plan, limitOf('read'), limitOf('write'), limitOf('search')]
}

/** In the order of NEW_KEY_COLUMNS. */
export const newKeyValues = (key: NewKey, space: number, { accountId, replaces }: KeyOrigin) => [
  key.id,
  space,
  key.name,
  // Between threads a Buffer becomes a Uint8Array.
  Buffer.from(key.hash),
  key.plan,
  key.limits.read ?? null,
  key.limits.write ?? null,
  key.limits.search ?? null,
  key.createdAt,
  key.prefix ?? null,
  replaces?.id ?? null,
  accountId ?? null,
]

export type EntityRow = {
  id: string
  name: string
  type: EntityType
  description: string | null
  metadata: string | null
  created_at: number
}

export const toEntity = (row: EntityRow): EntityRecord => ({
  id: row.id,
  name: row.name,
  type: row.type,
  description: row.description ?? undefined,
  metadata: row.metadata ?? undefined,
  createdAt: row.created_at,
})

/** Only the empty search matches every name. decisions/2026-11-21-entity-name-search.md */
export const searchedPart = (search: string | undefined): string | undefined =>
  search === undefined || search === '' ? undefined : foldName(search)

/** With the number of all that were found. */
export type NamedRow = RelationEndRecord & { total: number }

export const toNamed = (rows: readonly NamedRow[]): Page<RelationEndRecord> => ({
  items: rows.map(({ id, name, type }) => ({ id, name, type })),
  total: rows[0]?.total ?? 0,
})

export type RelationRow = {
  id: string
  source_id: string
  source_name: string
  source_type: EntityType
  target_id: string
  target_name: string
  target_type: EntityType
  type: string
  metadata: string | null
  created_at: number
}

/** Of a relation beside its ends, `source` and `target`. */
export const RELATION_COLUMNS = `
  relations.id, relations.type, relations.metadata, relations.created_at,
  source_id, source.name AS source_name, source.type AS source_type,
  target_id, target.name AS target_name, target.type AS target_type`

export const toRelation = (row: RelationRow): ExpandedRelation => ({
  id: row.id,
  sourceId: row.source_id,
  targetId: row.target_id,
  type: row.type,
  metadata: row.metadata ?? undefined,
  createdAt: row.created_at,
  source: { id: row.source_id, name: row.source_name, type: row.source_type },
  target: { id: row.target_id, name: row.target_name, type: row.target_type },
})

/** Without the entities at its ends. */
export type EdgeRow = { id: string; source_id: string; target_id: string; type: string }

export const toEdge = (row: EdgeRow): GraphEdgeRecord => ({
  id: row.id,
  sourceId: row.source_id,
  targetId: row.target_id,
  type: row.type,
})

export type IdempotencyRow = {
  key_id: string
  idempotency_key: string
  fingerprint: string
  record_id: string
  created_at: number
}

export const IDEMPOTENCY_COLUMNS = 'key_id, idempotency_key, fingerprint, record_id, created_at'

export const toIdempotency = (row: IdempotencyRow): IdempotencyRecord => ({
  keyId: row.key_id,
  idempotencyKey: row.idempotency_key,
  fingerprint: row.fingerprint,
  recordId: row.record_id,
  createdAt: row.created_at,
})
