// What the console's browser side and the server say to each other: JSON under /console/api, with a
// session cookie, and nothing of it is public or stable. The browser side imports no schema of it.
//
// Reads are GET. Every write is POST with `Content-Type: application/json` and at least `{}`, from
// the same origin (Origin and Sec-Fetch-Site are looked at). What makes a memory, an entity or a relation
// may carry an Idempotency-Key, as under /v1. An error is `{ error: { code, message, field?, retryAfter? } }`:
// a code of errors.ts beside this file, or one that /v1 has too. `:key` is the id of a key of the signed-in
// account, also of a revoked one; what belongs to somebody else answers exactly like what does not exist.
// What is asked for has a schema, by which it is validated; what is answered is a type, and answers.ts says which
// request is answered with which. Times are those of contract/timestamp.ts.
// decisions/2026-11-21-console-interface.md

// The same records as under /v1; the console adds nothing to them.
export type { Entity, EntityListItem, NewEntity } from '../../contract/entities.ts'
export type { ErrorCode } from '../../contract/errors.ts'
export type { Memory, MemoryListItem, NewMemory } from '../../contract/memories.ts'
export type { OperationId } from '../../contract/operations.ts'
export type { Deleted, List, Pagination } from '../../contract/page.ts'
export type { Plan } from '../../contract/plans.ts'
export type {
  CreatedRelation,
  NewRelation,
  Relation,
  RelationListItem,
} from '../../contract/relations.ts'

export const API_PREFIX = '/console/api'
