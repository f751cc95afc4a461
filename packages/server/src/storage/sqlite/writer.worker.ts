// The only thread of the server that writes. Whatever arrived since the last commit goes into the
// next one; answers leave after the commit, which synchronous=FULL has brought to the disk. The
// search index hears of the changes before the caller does, so that a created memory is found at
// once. The answer to a deletion also waits until the deleted text is out of the files.
// decisions/2026-11-21-embedded-store.md, decisions/2026-11-21-deletion-leaves-no-trace.md
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Checkpoint, type DatabaseFile } from './checkpoint.ts'
import { isFatal } from './failure.ts'
import { groupCommit } from './group-commit.ts'
import type { IndexChange } from './index/indexed.ts'
import { dropSnapshots } from './index/snapshots.ts'
import { openDatabase } from './open-database.ts'
import type { Call, Reply } from './worker-calls.ts'
import { logBytes } from './write-ahead-log.ts'
import { DELETIONS, openWrites } from './writes.ts'

export type WriterData = { file: DatabaseFile; searcher: MessagePort }

const BATCH_MAX = 512
const LOG_BYTES_MAX = 8 * 1024 * 1024
const CHECKPOINT_RETRY_MS = 20
/** Others write to the log too, such as `mnemograph reembed`. */
const LOG_CHECK_MS = 1_000
/** A reader that stays longer, such as an operator's backup, holds up no answer any more. */
const ERASURE_WAIT_MAX_MS = 5_000

if (parentPort === null) throw new Error('This file runs as a worker thread.')
const port = parentPort
const { file, searcher }: WriterData = workerData

const db = openDatabase(file.path)
const changes: IndexChange[] = []
const commitTogether = groupCommit(db, openWrites(db, changes), changes)
const checkpoint = new Checkpoint(db, file)
/** Answers to deletions that are committed but may still be in the files. */
const erasing: { reply: Reply; answerByMs: number }[] = []
let retry: NodeJS.Timeout | undefined

emptyLog()
const logCheck = setInterval(() => {
  if (logBytes(file.path) > LOG_BYTES_MAX) emptyLog()
}, LOG_CHECK_MS)

port.on('message', (call: Call) => {
  const batch = [call]
  while (batch.length < BATCH_MAX) {
    const next: { message: Call } | undefined = receiveMessageOnPort(port)
    if (next === undefined) break
    batch.push(next.message)
  }
  const closing = batch.find(({ name }) => name === 'close')
  write(batch.filter((each) => each !== closing))
  if (closing) close(closing)
})

function write(calls: Call[]): void {
  if (calls.length === 0) return
  const replies = commitTogether(calls)
  const committed = changes.splice(0)
  for (const change of committed) searcher.postMessage(change)
  const removals = committed.filter(({ kind }) => kind === 'removed')
  dropSnapshots(file.path, new Set(removals.map(({ space }) => space)))
  const answerByMs = performance.now() + ERASURE_WAIT_MAX_MS
  for (const [index, reply] of replies.entries()) {
    const hasDeleted = DELETIONS.has(calls[index]?.name ?? '') && 'result' in reply && reply.result
    if (hasDeleted) erasing.push({ reply, answerByMs })
    else port.postMessage(reply)
  }
  if (erasing.length > 0 || logBytes(file.path) > LOG_BYTES_MAX) emptyLog()
}

function emptyLog(): void {
  clearTimeout(retry)
  const isEmpty = tryCheckpoint()
  if (!isEmpty) retry = setTimeout(emptyLog, CHECKPOINT_RETRY_MS)
  const nowMs = performance.now()
  while (erasing[0] && (isEmpty || erasing[0].answerByMs <= nowMs)) {
    port.postMessage(erasing.shift()?.reply)
  }
}

/** What was committed stays so whether or not this works; a full disk is tried again as well. */
function tryCheckpoint(): boolean {
  try {
    return checkpoint.run()
  } catch (error) {
    if (isFatal(error)) throw error
    return false
  }
}

function close({ id }: Call): void {
  emptyLog()
  clearTimeout(retry)
  clearInterval(logCheck)
  for (const { reply } of erasing.splice(0)) port.postMessage(reply)
  db.close()
  searcher.close()
  port.postMessage({ id, result: undefined } satisfies Reply)
  port.close()
}
