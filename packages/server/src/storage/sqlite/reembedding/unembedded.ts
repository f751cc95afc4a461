// Finds the memories that have no pieces of a generation yet. It walks by the memories' numbers,
// which only grow: what was passed needs no second look, and what is created meanwhile lies ahead.
// It goes in short steps, since a long reader would hold up the checkpoints of a running server.
import type { Unembedded } from '../../generation.ts'
import type { SpaceId } from '../../records.ts'
import type { Connection } from '../opening/open-database.ts'
import { PARTS_MAX } from '../pieces.ts'
import type { PieceTable } from './generations.ts'

const STEP = 2_000

type Seen = { no: number; isDone: 0 | 1 }

export function unembedded(db: Connection) {
  const prepare = (table: PieceTable) =>
    db.prepare<[number, number], Seen>(
      `SELECT no,
         EXISTS (SELECT 1 FROM ${table} AS piece
           WHERE piece.no BETWEEN memories.no * ${PARTS_MAX}
             AND memories.no * ${PARTS_MAX} + ${PARTS_MAX - 1}) AS isDone
       FROM memories WHERE no > ? ORDER BY no LIMIT ?`,
    )
  const step = { pieces: prepare('pieces'), pieces_beside: prepare('pieces_beside') }
  const memoryOf = db.prepare<[number], { space: SpaceId; id: string; content: string }>(
    'SELECT space_no AS space, id, content FROM memories WHERE no = ?',
  )
  /** Every memory up to this number has pieces, or is gone. */
  let passed = 0

  function contentsOf(rows: Seen[], charactersMax: number): Unembedded[] {
    const found: Unembedded[] = []
    let characters = 0
    for (const { no } of rows) {
      const memory = memoryOf.get(no)
      // Deleted since the step.
      if (memory === undefined) continue
      characters += memory.content.length
      if (found.length > 0 && characters > charactersMax) break
      const { space, ...text } = memory
      found.push({ ref: { space, no }, ...text })
    }
    return found
  }

  return {
    restart(): void {
      passed = 0
    },

    next(
      table: PieceTable,
      { memoriesMax, charactersMax }: { memoriesMax: number; charactersMax: number },
    ): Unembedded[] {
      for (;;) {
        const seen = step[table].all(passed, STEP)
        const missing = seen.filter(({ isDone }) => isDone === 0)
        const last = seen.at(-1)
        if (last === undefined) return []
        passed = missing[0] ? missing[0].no - 1 : last.no
        const found = contentsOf(missing.slice(0, memoriesMax), charactersMax)
        if (found.length > 0) return found
      }
    },

    /** How many memories have pieces. */
    countDone(table: PieceTable): number {
      let done = 0
      for (let last = 0; ; ) {
        const seen = step[table].all(last, STEP)
        if (seen.length === 0) return done
        done += seen.filter(({ isDone }) => isDone === 1).length
        last = seen.at(-1)?.no ?? last
      }
    },
  }
}
