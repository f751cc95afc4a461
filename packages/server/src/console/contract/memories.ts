// The playground, in which the owner of a key searches its memories. They are listed, read and made as under
// /v1, but deleted by a POST to …/:id/delete; with a revoked key none is made (KEY_REVOKED). Those of a user
// are forgotten as by /forget/memories, at …/memories/forget: ask again until nothing remains.
import { type Static, Type } from 'typebox'
import { integer, tags } from '../../contract/fields.ts'
import { MemorySearch, type SearchResult } from '../../contract/memories.ts'

/** POST /keys/:key/memories/search → Playground. Nothing is cut off: results under the threshold too. */
export const PlaygroundSearch = Type.Object({
  query: MemorySearch.properties.query,
  userId: MemorySearch.properties.userId,
  agentId: MemorySearch.properties.agentId,
  tags: Type.Optional(tags()),
  /** 20 unless given. */
  limit: Type.Optional(integer(1, 100)),
})
export type PlaygroundSearch = Static<typeof PlaygroundSearch>

export const EVIDENCE_KINDS = ['meaning', 'words', 'names', 'askingMemory'] as const

/** Why a memory has its score. Offsets are UTF-16 positions in `content`. */
export type Explanation = {
  score: number
  /** The sentence of the content that fits best. */
  sentence: { start: number; end: number }
  terms: { text: string; isMatched: boolean; weight: number }[]
  /**
   * 'askingMemory' takes something away, and has no share. The other shares add up to 1, or are all 0 where
   * nothing speaks for the memory.
   */
  parts: {
    kind: (typeof EVIDENCE_KINDS)[number]
    value: number
    share: number
  }[]
}
export type PlaygroundResult = SearchResult & {
  explanation: Explanation | null
}
export type Playground = {
  /** Best first. */
  results: PlaygroundResult[]
  /** Where a search without a threshold of its own cuts. */
  defaultThreshold: number
}
