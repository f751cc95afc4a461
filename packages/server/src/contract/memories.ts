// Memories on the wire: what is accepted, and what comes back. The order of the properties is the
// contract's; it decides which of several wrong fields is reported.
// decisions/2026-11-21-response-shapes.md
import { type Static, Type } from 'typebox'
import {
  CONTENT_LENGTH_MAX,
  LIMIT_MAX,
  QUERY_LENGTH_MAX,
  SEARCH_LIMIT_DEFAULT,
  THRESHOLD_DEFAULT,
} from './bounds.ts'
import {
  absentOrNull,
  identifier,
  integer,
  meaningfulText,
  metadata,
  tagList,
  tags,
} from './fields.ts'
import { listOf, pageParameters } from './page.ts'
import { Timestamp } from './timestamp.ts'

export const NewMemory = Type.Object({
  content: meaningfulText(CONTENT_LENGTH_MAX, { tooLongCode: 'CONTENT_TOO_LONG' }),
  userId: identifier({ code: 'INVALID_USER_ID' }),
  agentId: absentOrNull(identifier()),
  tags: absentOrNull(tags()),
  metadata: absentOrNull(metadata()),
})
export type NewMemory = Static<typeof NewMemory>

export const MemorySearch = Type.Object({
  query: meaningfulText(QUERY_LENGTH_MAX),
  userId: Type.Optional(identifier()),
  agentId: Type.Optional(identifier()),
  tags: Type.Optional(tags()),
  limit: Type.Optional(Type.Integer({ ...integer(1, LIMIT_MAX), default: SEARCH_LIMIT_DEFAULT })),
  threshold: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: THRESHOLD_DEFAULT,
      allowed: 'a number from 0 to 1',
    }),
  ),
})
export type MemorySearch = Static<typeof MemorySearch>

export const MemoryListQuery = Type.Object({
  userId: Type.Optional(identifier()),
  agentId: Type.Optional(identifier()),
  tags: Type.Optional(tagList()),
  ...pageParameters,
})
export type MemoryListQuery = Static<typeof MemoryListQuery>

const shared = {
  id: Type.String(),
  content: Type.String(),
  userId: Type.String(),
  agentId: Type.Optional(Type.String()),
  tags: Type.Array(Type.String()),
}

export const Memory = Type.Object({
  ...shared,
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Memory = Static<typeof Memory>

/** A list item has no metadata. */
export const MemoryListItem = Type.Object({ ...shared, createdAt: Timestamp, updatedAt: Timestamp })
export type MemoryListItem = Static<typeof MemoryListItem>

export const SearchResult = Type.Object({
  id: Type.String(),
  content: Type.String(),
  score: Type.Number({ minimum: 0, maximum: 1 }),
  userId: Type.String(),
  agentId: Type.Optional(Type.String()),
  tags: Type.Array(Type.String()),
  createdAt: Timestamp,
})
export type SearchResult = Static<typeof SearchResult>

export const SearchResults = Type.Object({ results: Type.Array(SearchResult) })
export type SearchResults = Static<typeof SearchResults>

export const MemoryList = listOf(MemoryListItem)
