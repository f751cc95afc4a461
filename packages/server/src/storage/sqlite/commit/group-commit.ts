// Runs several operations in one transaction, so that they share one flush to the disk. Replies hold once this
// returns.
// - An operation that fails, fails alone: its group is undone and run again with a savepoint around each, which
//   would cost too much to be there always.
// - How much a deletion writes is known only when it has run: after much of that the commit ends early.
// - A group that cannot be committed as a whole is tried again one by one: on a full disk a deletion works, though
//   it came together with an insertion.
// decisions/2026-11-21-embedded-store.md, decisions/2026-11-25-group-commit.md
import { isFatal, toStoreError } from '../failure.ts'
import type { Connection } from '../opening/open-database.ts'
import type { Call, Procedures, Reply } from '../threads/worker-calls.ts'
import { changedRows, DELETED_ROWS_MAX } from './changed-rows.ts'

/** What operations note besides their own rows. Of an operation that is undone nothing stays. */
export interface Notes {
  /** How far they are, to be gone back to. */
  mark(): number
  undoTo(mark: number): void
  /** In the transaction, before it commits: writes what the notes of all its operations add up to. */
  settle?(): void
}

/** In a list, for whoever reads it after the commit. */
export const notesInList = (list: unknown[]): Notes => ({
  mark: () => list.length,
  undoTo(mark) {
    list.length = mark
  },
})

/** Of the transaction alone, and looked up again after anything was undone. */
export const notesOfTransaction = (forget: () => void): Notes => ({
  mark: () => 0,
  undoTo: forget,
  settle: forget,
})

/** A group holds up its neighbours as a whole, so one of them failed when this is thrown. */
class OneFailed extends Error {}

/**
 * `notes` stay, beyond the commit, for whoever reads them; what was noted before is not touched. `deletions`
 * are the procedures that delete.
 */
export function groupCommit(
  db: Connection,
  procedures: Procedures,
  notes: readonly Notes[],
  deletions: { has: (procedure: string) => boolean } = new Set(),
) {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const savepoint = db.prepare('SAVEPOINT operation')
  const release = db.prepare('RELEASE operation')
  const undo = db.prepare('ROLLBACK TO operation')
  const rowsChanged = changedRows(db)

  /**
   * One reply for each call, in their order; fewer when the commit is full, and then the others have not run.
   * What `more` returns, when all have run, joins them: it is asked until there is nothing. Throws when the
   * process must not go on.
   */
  return function commitTogether(
    calls: readonly Call[],
    more: () => readonly Call[] = () => [],
  ): Reply[] {
    const all = [...calls]
    const marks = marksOf()
    for (const run of calls.length > 1 ? [runBare, runAlone] : [runAlone]) {
      let hasBegun = false
      try {
        begin.run()
        hasBegun = true
        const replies: Reply[] = []
        const rowsMax = rowsChanged() + DELETED_ROWS_MAX
        let isFull = false
        for (let call = all[0]; call !== undefined && !isFull; call = all[replies.length]) {
          replies.push(run(call))
          isFull = deletions.has(call.name) && rowsChanged() >= rowsMax
          if (replies.length === all.length && !isFull) all.push(...more())
        }
        for (const note of notes) note.settle?.()
        commit.run()
        return replies
      } catch (error) {
        if (isFatal(error)) throw error
        if (db.inTransaction) rollback.run()
        undoTo(marks)
        if (error instanceof OneFailed) continue
        if (hasBegun && all.length > 1) break
        return all.map(({ id }) => toFailure(id, error))
      }
    }
    return all.flatMap((call) => commitTogether([call]))
  }

  function runBare(call: Call): Reply {
    try {
      return { id: call.id, result: resultOf(call) }
    } catch (error) {
      if (isFatal(error) || !db.inTransaction) throw error
      throw new OneFailed('An operation of the group failed.', { cause: error })
    }
  }

  function runAlone(call: Call): Reply {
    const marks = marksOf()
    savepoint.run()
    try {
      const result = resultOf(call)
      release.run()
      return { id: call.id, result }
    } catch (error) {
      // A full disk can end the whole transaction: then nothing of it stands.
      if (isFatal(error) || !db.inTransaction) throw error
      undo.run()
      release.run()
      undoTo(marks)
      return toFailure(call.id, error)
    }
  }

  function resultOf({ name, args }: Call): unknown {
    const procedure = procedures[name]
    if (procedure === undefined) throw new Error(`The writer has no procedure ${name}.`)
    // The types of WorkerCalls make sure that the arguments are the procedure's.
    return procedure(...(args as never[]))
  }

  function marksOf(): number[] {
    return notes.map((each) => each.mark())
  }

  function undoTo(marks: number[]): void {
    for (const [index, each] of notes.entries()) each.undoTo(marks[index] ?? 0)
  }
}

function toFailure(id: number, error: unknown): Reply {
  const { kind, cause } = toStoreError(error)
  return { id, failure: { kind, cause } }
}
