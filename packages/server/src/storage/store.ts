// What the service needs from a database, and nothing of any one database. A driver implements
// this page; the suite in storage/conformance holds every driver to it.
//
// Isolation by construction: memories, entities and relations are reached only through
// `forSpace(spaceId)`, so a query without a space cannot be written.
// Durability: a promise of a write resolves after the commit that a power cut does not undo, and
// everything that belongs to the write (row, vectors, terms, usage, idempotency) is in that commit.
// Time is milliseconds since the epoch. Texts come back exactly as they were given.
// decisions/2026-11-21-spaces-and-isolation.md
import type { EntityType } from '../contract/entities.ts'
import type { PageRequest } from '../contract/page.ts'
import type { ExpectedQuestion, Piece, Question, SearchQuery } from '../retrieval/evidence.ts'
import type { ConsoleStore, GraphStore, StatisticsCount } from './console-store.ts'
import type { GenerationStore } from './generation.ts'
import type {
  EntityRecord,
  ExpandedRelation,
  KeyChange,
  KeyMonth,
  KeyRecord,
  MemoryRecord,
  NewKey,
  Page,
  RelationRecord,
  ScoredMemory,
  SpaceId,
} from './records.ts'
import type { Charge, SharedLimits } from './shared-limits.ts'

export interface Store {
  /**
   * The data of one space. Cheap: it opens nothing. `left`: whoever asks has left. A read that waits for its turn
   * then is not made, and rejects with the signal's reason.
   */
  forSpace(spaceId: SpaceId, left?: AbortSignal): SpaceStore
  readonly keys: KeyStore
  readonly usage: UsageStore
  readonly idempotency: IdempotencyStore
  /** What only the console needs. */
  readonly console: ConsoleStore
  /** Which model's vectors are in use. */
  readonly generations: GenerationStore
  /** Of a store that several instances share; undefined where one process has it to itself. */
  readonly sharedLimits: SharedLimits | undefined
  /** Rejects with a StoreError when the database cannot read and write right now. */
  check(): Promise<void>
  /** Finishes what was accepted, then closes. No call may follow. */
  close(): Promise<void>
}

/** Whatever is to be inserted into a space that was purged is rejected as `purged`. */
export interface SpaceStore {
  readonly spaceId: SpaceId
  /** As given to `forSpace`, for what has to be given up besides reads. */
  readonly left: AbortSignal | undefined
  readonly memories: MemoryStore
  readonly entities: EntityStore
  readonly relations: RelationStore
  /** Questions over many entities at once. They hold up no other call. */
  readonly graph: GraphStore
}

// Data of a space

/** A `bulk` is never refused because much of it is waiting, as long as any of it comes through. */
export type Pace = 'bulk' | undefined

export type MemoryFilter = {
  userId?: string | undefined
  agentId?: string | undefined
  /** A memory must have all of them. */
  tags?: string[] | undefined
}

/** What is returned of a ranking; with `explains`, each with the reasons for its score. */
export type SearchCut = { limit: number; threshold: number; explains?: boolean }

export interface MemoryStore {
  /**
   * Stores the memory with its pieces; it is found by the next search. Rejects as `outdated`, and
   * stores nothing, when the generation that the pieces belong to is not the one in use.
   */
  insert(
    memory: MemoryRecord,
    pieces: Piece[],
    receipt: Receipt,
    generation: number,
    pace?: Pace,
  ): Promise<void>
  find(id: string): Promise<MemoryRecord | undefined>
  page(filter: MemoryFilter, page: PageRequest): Promise<Page<MemoryRecord>>
  /**
   * Ranks every memory that passes the filter by `scoreOf` of the retrieval layer and returns the
   * best `limit` whose rounded score is at least `threshold`: highest score first, newest first
   * within equal scores. Rejects as `outdated` when the generation that the query's vectors belong
   * to is not the one in use: an answer never mixes the vectors of two models. A SearchQuery, whose words
   * are taken already, is for suites and measurements.
   */
  search(
    query: Question | SearchQuery,
    filter: MemoryFilter,
    cut: SearchCut,
    generation: number,
  ): Promise<ScoredMemory[]>
  /**
   * The question will be asked as soon as it has its vectors: what a search needs besides them is made
   * ready meanwhile. Changes no answer, and never fails.
   */
  expectSearch(question: ExpectedQuestion, generation: number): void
  /**
   * Whether there was such a memory. No query finds it any more. When its text, vectors and terms leave the
   * files is the driver's: decisions/2026-11-21-deletion-leaves-no-trace.md
   */
  remove(id: string, receipt: Receipt): Promise<boolean>
}

export type EntityFilter = {
  type?: EntityType | undefined
  /** A part of the name, whatever its case and diacritics. Empty matches every name. */
  search?: string | undefined
}

export interface EntityStore {
  insert(entity: EntityRecord, receipt: Receipt): Promise<void>
  find(id: string): Promise<EntityRecord | undefined>
  page(filter: EntityFilter, page: PageRequest): Promise<Page<EntityRecord>>
  /** Also removes the entity's relations, in the same transaction. */
  remove(id: string, receipt: Receipt): Promise<boolean>
}

export type RelationFilter = {
  sourceId?: string | undefined
  targetId?: string | undefined
  type?: string | undefined
}

export type RelationInsertion = 'inserted' | 'source-missing' | 'target-missing'

export interface RelationStore {
  /** Stores nothing when an end does not exist in this space; the source is looked at first. */
  insert(relation: RelationRecord, receipt: Receipt): Promise<RelationInsertion>
  find(id: string): Promise<ExpandedRelation | undefined>
  page(filter: RelationFilter, page: PageRequest): Promise<Page<ExpandedRelation>>
  remove(id: string, receipt: Receipt): Promise<boolean>
}

// What is committed together with a write that changed something

/** What a write settles with its own commit. If any of it is refused, nothing of the write is stored. */
export type Receipt = {
  /**
   * One operation, counted unless the write changes nothing. A store with shared limits rejects the write as
   * `exhausted` when the month is used up; where one process has the store to itself, that process does.
   */
  charge?: Charge | undefined
  /** Told what the month has used with the charge, by a store with shared limits alone. */
  onCharged?: ((used: number) => void) | undefined
  /** The write rejects as `repeated` when the key has a record that has not run out yet. */
  idempotency?: IdempotencyRecord | undefined
}

/**
 * Remembers that a create was answered, without its text: the answer is rebuilt from the body that
 * a replay has to bring along. decisions/2026-11-21-idempotency-stores-no-text.md
 */
export type IdempotencyRecord = {
  keyId: string
  idempotencyKey: string
  /** Tells one request from another: SHA-256 over the operation and its input. */
  fingerprint: string
  recordId: string
  /** It runs out when IDEMPOTENCY_TTL_MS have passed since then. */
  createdAt: number
}

export interface IdempotencyStore {
  /** The record, unless it was made before `notBefore`, which a store with a clock of its own may set earlier. */
  find(
    keyId: string,
    idempotencyKey: string,
    notBefore: number,
    pace?: Pace,
  ): Promise<IdempotencyRecord | undefined>
  /** Forgets the records made before `time`; a shared store only those that ran out by its own clock. */
  expire(time: number): Promise<void>
}

// Keys and usage

export interface KeyStore {
  /** Stores the key with a new, empty space. It is the administrator's, as soon as there is one. */
  insert(key: NewKey): Promise<void>
  /** The same, unless there is any key: of several servers that start at once, one makes the first. */
  insertFirst(key: NewKey): Promise<boolean>
  /** Sees what any process committed before the call, such as a revocation. */
  findByHash(hash: Buffer): Promise<KeyRecord | undefined>
  /** All keys, newest first, revoked ones too. */
  list(): Promise<KeyRecord[]>
  /** The key after the change, or undefined when there is no such key. */
  change(id: string, change: KeyChange): Promise<KeyRecord | undefined>
  /** The key after its revocation, or undefined when there is no such key. Idempotent. */
  revoke(id: string): Promise<KeyRecord | undefined>
}

/** What the command line does, beside servers. */
export type Administration = {
  keys: Pick<KeyStore, 'insert' | 'list' | 'change' | 'revoke'>
  accounts: Pick<ConsoleStore['accounts'], 'list' | 'findByEmail'>
  links: Pick<ConsoleStore['links'], 'insert'>
}

/** Operations that reads made since the last flush, and when the key was last used. */
export type UsageDelta = KeyMonth & { operations: number; lastUsedAt: number }

export interface UsageStore {
  /** Operations that a key made in a month, those of the keys that it replaced included. */
  read(month: KeyMonth): Promise<number>
  /** Adds the deltas of reads and the statistics of all requests, in one commit. */
  add(deltas: UsageDelta[], counts?: StatisticsCount[]): Promise<void>
}

/**
 * What a driver throws. `full`: no room left. `unavailable`: the database is away or too busy, and
 * a later try may succeed. `outdated`: the vectors belong to a generation that is not in use.
 * `exhausted`: the month of the charge is used up. `repeated`: the idempotency key has a record.
 * `purged`: the space was emptied for good while the record was being made.
 * `fault`: a bug or damage. The cause is for operators.
 */
export class StoreError extends Error {
  override readonly name: string = 'StoreError'
  readonly kind: 'full' | 'unavailable' | 'outdated' | 'exhausted' | 'repeated' | 'purged' | 'fault'

  constructor(kind: StoreError['kind'], cause: unknown) {
    super(`The store answered: ${kind}.`, { cause })
    this.kind = kind
  }
}

/** Nothing failed: the store has too much to do and refuses by choice. The message says why. */
export class StoreOverloaded extends StoreError {
  override readonly name = 'StoreOverloaded'

  constructor(message: string) {
    super('unavailable', undefined)
    this.message = message
  }
}

/** The store cannot be opened, and a person has to do something. The message says what. */
export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal'

  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}
