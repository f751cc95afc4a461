// What moves a store's data to another store, of the same driver or of another one. A source reads
// everything that has to survive the move, also while callers write; a target takes the records in
// batches and notes with each how far it has come, so that a move that was killed goes on from there.
//
// Moved: spaces, accounts, keys, usage, statistics, idempotency records, memories with the vectors
// and terms of the generation in use, entities and relations. Not moved: sessions and one-time links
// (people sign in again), and a generation that grows or is being removed.
// decisions/2026-11-21-moving.md
import type { EntityType } from '../contract/entities.ts'
import type { Plan } from '../contract/plans.ts'
import type { AccountRecord } from './console-store.ts'
import type { VectorModel } from './generation.ts'
import type { KeyMonth, KeyStatus } from './records.ts'
import type { IdempotencyRecord } from './store.ts'

/** In the order of an archive: whatever a record refers to comes before it. */
export const ARCHIVE_KINDS = [
  'space',
  'account',
  'key',
  'usage',
  'statistics',
  'idempotency',
  'memory',
  'entity',
  'relation',
] as const
export type ArchiveKind = (typeof ARCHIVE_KINDS)[number]
export type ArchiveCounts = Record<ArchiveKind, number>

export const noCounts = (): ArchiveCounts => ({
  space: 0,
  account: 0,
  key: 0,
  usage: 0,
  statistics: 0,
  idempotency: 0,
  memory: 0,
  entity: 0,
  relation: 0,
})

/** Of all kinds together. */
export const allOf = (counts: Readonly<ArchiveCounts>): number =>
  ARCHIVE_KINDS.reduce((sum, kind) => sum + counts[kind], 0)

/** Which space a record belongs to. Says nothing beyond the archive. What is absent is null. */
type InSpace = { space: number }

export type ArchivedSpace = InSpace & { kind: 'space'; createdAt: number }

export type ArchivedAccount = AccountRecord & { kind: 'account' }

export type ArchivedKey = InSpace & {
  kind: 'key'
  id: string
  name: string
  /** SHA-256 of the key, in hexadecimal digits. */
  hash: string
  plan: Plan
  readLimit: number | null
  writeLimit: number | null
  searchLimit: number | null
  status: KeyStatus
  createdAt: number
  lastUsedAt: number | null
  accountId: string | null
  prefix: string | null
  /** That key comes before this one. */
  replacesId: string | null
  purgedAt: number | null
}

export type ArchivedUsage = KeyMonth & { kind: 'usage'; operations: number }

export type ArchivedStatistics = {
  kind: 'statistics'
  keyId: string
  day: string
  /** What was counted, by its name in contract/statistics.ts. */
  counted: string
  count: number
}

export type ArchivedIdempotency = IdempotencyRecord & { kind: 'idempotency' }

/** A row of a memory's pieces: a piece has terms, the rows without terms after it are its sentences. */
export type ArchivedPiece = {
  start: number
  end: number
  commonness: number | null
  /** Separated by spaces. */
  terms: string | null
  vector: Float32Array
}

export type ArchivedMemory = InSpace & {
  kind: 'memory'
  id: string
  content: string
  userId: string
  agentId: string | null
  tags: string[]
  /** Compact JSON, exactly as it is stored. */
  metadata: string | null
  createdAt: number
  pieces: ArchivedPiece[]
}

export type ArchivedEntity = InSpace & {
  kind: 'entity'
  id: string
  name: string
  type: EntityType
  description: string | null
  metadata: string | null
  createdAt: number
}

export type ArchivedRelation = InSpace & {
  kind: 'relation'
  id: string
  sourceId: string
  targetId: string
  type: string
  metadata: string | null
  createdAt: number
}

export type ArchiveRecord =
  | ArchivedSpace
  | ArchivedAccount
  | ArchivedKey
  | ArchivedUsage
  | ArchivedStatistics
  | ArchivedIdempotency
  | ArchivedMemory
  | ArchivedEntity
  | ArchivedRelation

/**
 * What was in the store when the source was opened, and nothing that came later, except that usage and
 * statistics may be those of the moment at which they are read. A memory, an entity or a relation that is
 * deleted while it is read may be missing; what a record refers to never is.
 */
export interface ArchiveSource {
  /** Undefined in a store that has no vectors yet. */
  readonly model: VectorModel | undefined
  /** When it was opened. */
  readonly counts: ArchiveCounts
  /**
   * In the order of ARCHIVE_KINDS, and within a kind always in the same one. Read once. Throws a
   * StoreError, `outdated` when the vectors were replaced by those of another generation meanwhile.
   */
  records(): AsyncIterable<ArchiveRecord>
  close(): Promise<void>
}

/** How far an import has come: the blocks of the archive that are in the store. */
export type ImportProgress = {
  blocks: number
  /** Of the archive up to the end of the last block; empty before the first one. */
  checksum: string
}

/** Of which archive, and whether all of it is in the store. */
export type ImportState = ImportProgress & { archive: string; isFinished: boolean }

/** A store that is being filled. Nothing else may use it until it is finished. */
export interface ArchiveTarget {
  /**
   * Starts the import of the archive with this name, or goes on with it. Throws a StoreRefusal when
   * the store holds anything that this archive did not bring.
   */
  begin(
    archive: string,
    model: VectorModel | undefined,
  ): Promise<ImportProgress & { isFinished: boolean }>
  /** Adds the records of a block and notes the progress, in one commit. */
  add(records: readonly ArchiveRecord[], progress: ImportProgress): Promise<void>
  /** From here on the store can be used. */
  finish(): Promise<void>
  close(): Promise<void>
}
