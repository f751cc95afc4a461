// What a store keeps of a space and of its keys, as it takes it and gives it back. Both storage/store.ts
// and what is part of it (console-store.ts, shared-limits.ts) are written in these terms.
import type { EntityType } from '../contract/entities.ts'
import type { Plan } from '../contract/plans.ts'
import type { Explanation } from '../retrieval/explanation.ts'

/** The isolated data of one or more keys. Never leaves the server. */
export type SpaceId = number & { readonly kind: 'space' }

// Of a space

export type MemoryRecord = {
  id: string
  content: string
  userId: string
  agentId: string | undefined
  tags: string[]
  /** Compact JSON, or undefined when the caller gave none. */
  metadata: string | undefined
  createdAt: number
}

export type EntityRecord = {
  id: string
  name: string
  type: EntityType
  description: string | undefined
  metadata: string | undefined
  createdAt: number
}

export type RelationRecord = {
  id: string
  sourceId: string
  targetId: string
  type: string
  metadata: string | undefined
  createdAt: number
}

export type RelationEndRecord = { id: string; name: string; type: EntityType }
export type ExpandedRelation = RelationRecord & {
  source: RelationEndRecord
  target: RelationEndRecord
}

export type ScoredMemory = Omit<MemoryRecord, 'metadata'> & {
  score: number
  /** Only when asked for. */
  explanation?: Explanation | undefined
}

/** Items newest first; equal times are ordered by id, descending. `total` counts all pages. */
export type Page<Item> = { items: Item[]; total: number }

// Of a key

export type KeyStatus = 'active' | 'revoked'

export type KeyRecord = {
  id: string
  name: string
  plan: Plan
  /** A limit of its own for a class; undefined means the default. */
  limits: { read: number | undefined; write: number | undefined; search: number | undefined }
  status: KeyStatus
  createdAt: number
  lastUsedAt: number | undefined
  spaceId: SpaceId
  /** Undefined for one of the command line, as long as there is no administrator. */
  accountId: string | undefined
}

/** What is absent stays. `default`: the class has no limit of its own any more. */
export type KeyChange = {
  plan?: Plan | undefined
  limits: { [Class in keyof KeyRecord['limits']]?: number | 'default' | undefined }
}

/** What operations are counted by: a key, and a UTC calendar month as `YYYY-MM`. */
export type KeyMonth = { keyId: string; month: string }

export type NewKey = Pick<KeyRecord, 'id' | 'name' | 'plan' | 'limits' | 'createdAt'> & {
  /** SHA-256 of the key; the key itself is never stored. */
  hash: Buffer
  /** The first characters of the key, by which its owner knows it again. */
  prefix?: string | undefined
}
