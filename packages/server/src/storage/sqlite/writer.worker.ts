// The only thread of the server that writes. Whatever arrived since the last commit goes into the
// next one (group commit), each operation in a savepoint so that one failure is its own; answers
// leave after the commit, which synchronous=FULL has brought to the disk. The search index hears
// of the changes before the caller does, so that a created memory is found at once.
// decisions/2026-11-21-embedded-store.md
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { StoreError } from '../store.ts'
import { isFatal, toStoreError } from './failure.ts'
import { openDatabase } from './open-database.ts'
import type { IndexChange } from './search-index.ts'
import type { Call, Procedures, Reply } from './worker-calls.ts'
import { DELETIONS, openWrites } from './writes.ts'

export type WriterData = { file: string; searcher: MessagePort }

const BATCH_MAX = 512
const CHECKPOINT_RETRY_MS = 100

if (parentPort === null) throw new Error('This file runs as a worker thread.')
const port = parentPort
const { file, searcher }: WriterData = workerData

const db = openDatabase(file)
const changes: IndexChange[] = []
const writes = openWrites(db, changes)
const procedures: Procedures = writes
const begin = db.prepare('BEGIN IMMEDIATE')
const commit = db.prepare('COMMIT')
const rollback = db.prepare('ROLLBACK')
const savepoint = db.prepare('SAVEPOINT operation')
const release = db.prepare('RELEASE operation')
const undo = db.prepare('ROLLBACK TO operation')

port.on('message', (call: Call) => {
  const batch = [call]
  while (batch.length < BATCH_MAX) {
    const next: { message: Call } | undefined = receiveMessageOnPort(port)
    if (next === undefined) break
    batch.push(next.message)
  }
  const closing = batch.find(({ name }) => name === 'close')
  const replies = commitTogether(batch.filter((each) => each !== closing))
  for (const reply of replies) port.postMessage(reply)
  if (closing) close(closing)
})

function commitTogether(batch: Call[]): Reply[] {
  if (batch.length === 0) return []
  try {
    begin.run()
    const replies = batch.map(runAlone)
    commit.run()
    for (const change of changes.splice(0)) searcher.postMessage(change)
    if (batch.some(({ name }) => DELETIONS.has(name))) eraseFromLog()
    return replies
  } catch (error) {
    if (db.inTransaction) rollback.run()
    changes.length = 0
    stopIfFatal(error)
    const { kind, cause } = toStoreError(error)
    return batch.map(({ id }) => ({ id, failure: { kind, cause } }))
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
    // A full disk or a failed write can end the whole transaction: then nothing of it stands.
    if (!db.inTransaction) throw error
    undo.run()
    release.run()
    changes.length = changesBefore
    stopIfFatal(error)
    const { kind, cause } = toStoreError(error)
    return { id, failure: { kind, cause } }
  }
}

/**
 * The log still holds the pages as they were before a deletion. Moving it into the file and cutting
 * it to nothing is what makes deleted text leave the disk.
 */
function eraseFromLog(): void {
  const [result] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  if (result?.busy === 1) setTimeout(eraseFromLog, CHECKPOINT_RETRY_MS).unref()
}

function stopIfFatal(error: unknown): void {
  if (!isFatal(error)) return
  throw new StoreError('fault', error)
}

function close({ id }: Call): void {
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  searcher.close()
  port.postMessage({ id, result: undefined } satisfies Reply)
  port.close()
}
