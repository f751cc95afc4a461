// Runs several operations in one transaction, so that they share one flush to the disk: each in a
// savepoint, so that a failure is its own. Their replies hold once this returns. A group that
// cannot be committed as a whole is tried again one by one: on a full disk a deletion still works
// although it came together with an insertion.
// decisions/2026-11-21-embedded-store.md
import { isFatal, toStoreError } from './failure.ts'
import type { IndexChange } from './index/indexed.ts'
import type { Connection } from './open-database.ts'
import type { Call, Procedures, Reply } from './worker-calls.ts'

/** `changes` is what the procedures noted for the search index; it stays only after a commit. */
export function groupCommit(db: Connection, procedures: Procedures, changes: IndexChange[]) {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const savepoint = db.prepare('SAVEPOINT operation')
  const release = db.prepare('RELEASE operation')
  const undo = db.prepare('ROLLBACK TO operation')

  /** One reply for each call, in their order. Throws when the process must not go on. */
  return function commitTogether(calls: Call[]): Reply[] {
    const changesBefore = changes.length
    let hasBegun = false
    try {
      begin.run()
      hasBegun = true
      const replies = calls.map(runAlone)
      commit.run()
      return replies
    } catch (error) {
      if (isFatal(error)) throw error
      if (db.inTransaction) rollback.run()
      changes.length = changesBefore
      if (hasBegun && calls.length > 1) return calls.flatMap((call) => commitTogether([call]))
      return calls.map(({ id }) => toFailure(id, error))
    }
  }

  function runAlone({ id, name, args }: Call): Reply {
    const changesBefore = changes.length
    savepoint.run()
    try {
      const procedure = procedures[name]
      if (procedure === undefined) throw new Error(`The writer has no procedure ${name}.`)
      // The types of WorkerCalls make sure that the arguments are the procedure's.
      const result = procedure(...(args as never[]))
      release.run()
      return { id, result }
    } catch (error) {
      // A full disk can end the whole transaction: then nothing of it stands.
      if (isFatal(error) || !db.inTransaction) throw error
      undo.run()
      release.run()
      changes.length = changesBefore
      return toFailure(id, error)
    }
  }
}

function toFailure(id: number, error: unknown): Reply {
  const { kind, cause } = toStoreError(error)
  return { id, failure: { kind, cause } }
}
