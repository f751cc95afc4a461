// Searches over all spaces: the index of a space ranks its memories, and their rows make the answer. What is
// ranked is what the index has heard of when the search begins, and nothing in an answer is gone at its end,
// where the rows are read in one snapshot: what was deleted meanwhile leaves its place to the next best.
//
// A search that takes long goes in slices, each in a snapshot of its own, between which others are searched
// and the log can be cut. Rows of a memory never change, so it does not matter in which of them they are read.
// decisions/2026-11-25-long-searches-in-slices.md
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExpectedQuery, SearchQuery } from '../../retrieval/evidence.ts'
import type { Explanation } from '../../retrieval/explanation.ts'
import { LongReads } from '../long-reads.ts'
import type { ScoredMemory, SpaceId } from '../records.ts'
import type { MemoryFilter, SearchCut } from '../store.ts'
import { IndexedSpaces } from './index/indexed-spaces.ts'
import type { Answer, Steps } from './index/search/rows-ranking.ts'
import type { SearchIndex } from './index/search-index.ts'
import { SpaceIndexes } from './index/space-indexes.ts'
import type { IndexChange, IndexedPiece } from './index/tables/indexed.ts'
import { type MemoryRow, parseTags } from './memories.ts'
import type { Connection } from './opening/open-database.ts'
import { pieceStatements } from './pieces.ts'
import { generationReads, type PieceTable } from './reembedding/generations.ts'
import type { Leaving } from './threads/leaving.ts'

/** Of the indexes that are in memory at a time. */
const BYTES_MAX = 1024 * 1024 * 1024
/** Of a search, before others come. Nearly all are over by then. */
const SLICE_MS = 10
/** Until a long search begins. */
const WAIT_MS_MAX = 60_000

type Asked = { space: SpaceId; query: SearchQuery; filter: MemoryFilter; cut: SearchCut }
type Results = ScoredMemory[]
type ResultRow = Omit<MemoryRow, 'metadata'>

/**
 * `indexed`: where the writer looks for whom it has to send changes. `takeIn`: has `apply` take in those that
 * it has sent.
 */
export function searches(
  db: Connection,
  {
    bytesMax = BYTES_MAX,
    indexed = new IndexedSpaces(),
    sliceMs = SLICE_MS,
    takeIn = () => {},
  } = {},
) {
  const pieceRows = pieceStatements(db)
  const selectId = db.prepare<[number], string>('SELECT id FROM memories WHERE no = ?').pluck()
  const selectResult = db.prepare<[SpaceId, number], ResultRow>(
    `SELECT no, id, content, user_id, agent_id, tags, created_at FROM memories
     WHERE space_no = ? AND no = ?`,
  )

  const { tableInUse } = generationReads(db)

  /** Of the generation whose vectors are searched, while a slice of a search is made. */
  let table: PieceTable = 'pieces'
  /** One at a time has begun: what each holds in memory is not held for all that wait. */
  const longSearches = new LongReads({ atOnceMax: 1, waitMsMax: WAIT_MS_MAX })

  const piecesOf = (no: number, hasOneRow: boolean): IndexedPiece[] =>
    hasOneRow ? pieceRows.readOne(table, no) : pieceRows.read(table, no)
  const termsOf = (no: number): string[][] => pieceRows.termsOfPieces(table, no)
  const idOf = (no: number): string => selectId.get(no) ?? ''
  const indexes = new SpaceIndexes(db, { piecesOf, termsOf, idOf }, { bytesMax, indexed })

  /** Undefined when the memory is gone. */
  function explained(answer: Answer, no: number): Explanation | undefined {
    const found = answer.explain(no)
    if (found === undefined) return undefined
    const { sentencePart, ...rest } = found
    const sentence = pieceRows.span(table, no, sentencePart)
    return sentence && { ...rest, sentence }
  }

  const answerOf = (
    index: SearchIndex,
    { space, query, filter, cut }: Asked,
    { mayTakeLong }: { mayTakeLong: boolean },
  ): Steps<Results> =>
    index.search(query, filter, { ...cut, mayTakeLong }, function* (answer) {
      const explanations = new Map<number, Explanation | undefined>()
      for (const { no } of cut.explains ? answer.ranked : []) {
        explanations.set(no, explained(answer, no))
        yield
      }
      // In one step, and so in one snapshot.
      const gone: number[] = []
      const results = answer.ranked.flatMap(({ no, score }) => {
        const row = selectResult.get(space, no)
        if (row === undefined) gone.push(no)
        return row === undefined ? [] : toResult(row, score, explanations.get(no))
      })
      return { results, gone }
    })

  /** The next steps, in one snapshot. Undefined when there are more. */
  const slice = db.transaction((steps: Steps<Results>, queried: number): Results | undefined => {
    table = tableInUse(queried)
    const end = performance.now() + sliceMs
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      if (performance.now() >= end) return undefined
    }
  })

  /** Of an index that has to be searched at once: another one may take its place. */
  async function withIndex<Result>(
    space: SpaceId,
    queried: number,
    work: (index: SearchIndex) => Result,
    leaving?: Leaving,
  ): Promise<Awaited<Result>> {
    for (;;) {
      // Also after a search has waited: what was sent for an index that is gone must not come into the next
      // one, since what followed it may not have been sent.
      takeIn()
      moveTo(queried)
      const index = indexes.use(space)
      if (index !== undefined) return await work(index)
      await indexes.load(space)
      leaving?.signal.throwIfAborted()
    }
  }

  /** Undefined when it takes longer than one slice. */
  function atOnce(index: SearchIndex, asked: Asked, queried: number): Results | undefined {
    const steps = answerOf(index, asked, { mayTakeLong: false })
    try {
      return slice(steps, queried)
    } finally {
      steps.return([])
    }
  }

  async function inSlices(index: SearchIndex, asked: Asked, queried: number): Promise<Results> {
    const steps = answerOf(index, asked, { mayTakeLong: true })
    try {
      for (;;) {
        const results = slice(steps, queried)
        if (results !== undefined) return results
        await nextTurn()
      }
    } finally {
      steps.return([])
    }
  }

  /** Whether it still is in use is looked at in the snapshot of the answer. */
  function moveTo(generation: number): void {
    if (generation === indexes.generation) return
    tableInUse(generation)
    indexes.moveTo(generation)
  }

  return {
    apply: (change: IndexChange): void => indexes.apply(change),

    /** Loads the index of a space that is about to be searched, or has it do what it can until then. */
    async expect(space: SpaceId, query: ExpectedQuery, queried: number): Promise<void> {
      takeIn()
      moveTo(queried)
      const index = indexes.use(space)
      if (index === undefined) await indexes.load(space)
      else index.expect(query)
    },

    /** Rejects when its caller leaves while it waits for a load or for its turn. */
    async search(
      space: SpaceId,
      query: SearchQuery,
      filter: MemoryFilter,
      cut: SearchCut,
      queried: number,
      leaving?: Leaving,
    ): Promise<ScoredMemory[]> {
      const asked = { space, query, filter, cut }
      const begin = (index: SearchIndex) => atOnce(index, asked, queried)
      const results = await withIndex(space, queried, begin, leaving)
      if (results !== undefined) return results
      const inTurn = () => withIndex(space, queried, (index) => inSlices(index, asked, queried))
      return longSearches.run(space, inTurn, leaving?.signal)
    },

    close: (): void => indexes.close(),
  }
}

function toResult(row: ResultRow, score: number, explanation: Explanation | undefined) {
  const result: ScoredMemory = {
    id: row.id,
    content: row.content,
    score,
    userId: row.user_id,
    agentId: row.agent_id ?? undefined,
    tags: parseTags(row.tags),
    createdAt: row.created_at,
  }
  return explanation === undefined ? result : { ...result, explanation }
}
