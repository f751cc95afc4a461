// Moves a store to another generation of vectors, beside a server that writes to the same file.
// Everything is a small transaction, so that the server's writer never waits long, and the state of
// the work is in the rows alone: what has pieces of the new generation is done.
// decisions/2026-11-21-reembedding.md
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodeOf } from '../../../error-code.ts'
import type { Embedded, ReembeddingStore, Unembedded } from '../../generation.ts'
import { withTerms } from '../../pieces-with-terms.ts'
import { embedRest, whyNotSwitched } from '../../rest-of-switch.ts'
import { mayPass, toStoreError } from '../failure.ts'
import type { Connection } from '../opening/open-database.ts'
import { pieceStatements } from '../pieces.ts'
import { generationReads, generationWrites, PIECE_TABLES, type PieceTable } from './generations.ts'
import { unembedded } from './unembedded.ts'

/** What comes after each commit, such as emptying the log, and may have to wait for the next one. */
type AfterCommit = () => Promise<void>

const REMOVED_AT_ONCE = 200
/** How long the lock may be busy before a commit is given up. */
const PATIENCE_MS = 60_000
/** The lock stays free for at least this many times as long as it was held. */
const PAUSES = 3
const PAUSE_MS_MIN = 5

export function reembedding(
  db: Connection,
  afterCommit: AfterCommit,
): Omit<ReembeddingStore, 'close'> {
  const generations = generationReads(db)
  const { add: addGeneration, locateGrowing } = generationWrites(db)
  const pieces = pieceStatements(db)
  const walk = unembedded(db)
  const setState = db.prepare<['current' | 'retired', 'current' | 'growing']>(
    'UPDATE generations SET state = ? WHERE state = ?',
  )
  const forgetRetired = db.prepare("DELETE FROM generations WHERE state = 'retired'")
  const contentOf = db
    .prepare<[number], string>('SELECT content FROM memories WHERE no = ?')
    .pluck()
  const countAll = db.prepare<[], number>('SELECT COUNT(*) FROM memories').pluck()

  const growingTable = (): PieceTable => {
    const growing = generations.place('growing')
    if (growing === undefined) throw new Error('No generation is growing.')
    return growing.table
  }

  function addPieces(table: PieceTable, { ref: { no }, pieces: added }: Embedded): void {
    if (added.length === 0) throw new Error('A memory without a piece could never be found.')
    const content = contentOf.get(no)
    if (content === undefined || pieces.has(table, no)) return
    pieces.insert(table, no, withTerms(content, added))
  }

  /** Runs the work in one transaction, and then leaves the lock to others for a while. */
  async function committed<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const { result, tookMs } = await commit(work)
    await sleep(Math.max(PAUSE_MS_MIN, PAUSES * tookMs))
    try {
      await afterCommit()
    } catch (error) {
      // What was committed stands, and after the next commit this is tried again.
      if (!mayPass(error)) throw toStoreError(error)
    }
    return result
  }

  async function commit<Result>(
    work: () => Result | Promise<Result>,
  ): Promise<{ result: Result; tookMs: number }> {
    const giveUpAtMs = performance.now() + PATIENCE_MS
    for (;;) {
      const startMs = performance.now()
      try {
        db.exec('BEGIN IMMEDIATE')
        // Under the lock nobody overwrites the free bytes of pages (free-bytes.ts). What this
        // connection has read before could bring back bytes that are overwritten by now.
        db.pragma('shrink_memory')
        const result = await work()
        db.exec('COMMIT')
        return { result, tookMs: performance.now() - startMs }
      } catch (error) {
        if (db.inTransaction) db.exec('ROLLBACK')
        const isBusy = errorCodeOf(error).startsWith('SQLITE_BUSY')
        if (!isBusy || performance.now() > giveUpAtMs) throw toStoreError(error)
      }
      await sleep(PAUSE_MS_MIN)
    }
  }

  return {
    state: async () => ({
      current: generations.find('current'),
      growing: generations.find('growing'),
      hasRetired: generations.place('retired') !== undefined,
    }),

    async progress() {
      const growing = generations.place('growing')
      const embedded = growing ? walk.countDone(growing.table) : 0
      return { memories: countAll.get() ?? 0, embedded }
    },

    begin: (model) =>
      committed(() => {
        const current = generations.place('current')
        if (current === undefined) throw new Error('There is nothing to move from.')
        const table = PIECE_TABLES.find((name) => name !== current.table)
        if (table === undefined || pieces.lastMemory(table) > 0) {
          throw new Error('The table for a new generation is in use.')
        }
        walk.restart()
        return addGeneration('growing', table, model)
      }),

    locate: (source) => committed(() => locateGrowing(source)),

    missing: async (limits): Promise<Unembedded[]> => walk.next(growingTable(), limits),

    add: (embedded) =>
      committed(() => {
        const table = growingTable()
        for (const each of embedded) addPieces(table, each)
      }),

    async switchOver({ restMax, waitMsMax, embed }) {
      try {
        return await committed(async () => {
          const table = growingTable()
          const rest = walk.next(table, { memoriesMax: restMax + 1, charactersMax: Infinity })
          if (rest.length > restMax) return false
          const embedded = await embedRest(rest, { waitMsMax, embed })
          for (const each of embedded) addPieces(table, each)
          setState.run('retired', 'current')
          setState.run('current', 'growing')
          return true
        })
      } catch (error) {
        return whyNotSwitched(error)
      }
    },

    discard: () =>
      committed(() => {
        setState.run('retired', 'growing')
      }),

    removeRetired: () =>
      committed(() => {
        const retired = generations.place('retired')
        if (retired === undefined) return false
        if (pieces.removeSome(retired.table, REMOVED_AT_ONCE)) return true
        forgetRetired.run()
        return false
      }),
  }
}
