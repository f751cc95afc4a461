// The thread that moves the write-ahead log beside the writer, when the writer asks for it. It is started
// by the first time that the writer asks.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { mayPass } from '../failure.ts'
import type { DatabaseFile } from '../log/checkpoint.ts'
import { logCopier } from '../log/copy-log.ts'
import type { LogPlace } from '../log/write-ahead-log.ts'
import { openDatabase } from '../opening/open-database.ts'

export type CopierData = { file: DatabaseFile; writer: MessagePort }
/** Undefined when it did not work this time. */
export type Copied = { done: LogPlace | undefined }

if (parentPort === null) throw new Error('This file runs as a worker thread.')
const { file, writer }: CopierData = workerData
const db = openDatabase(file.path)
const guard = openDatabase(file.path)
const copyLog = logCopier({ db, guard }, file)

const copy = (): void => writer.postMessage({ done: tryToCopy() } satisfies Copied)
copy()
writer.on('message', copy)
writer.on('close', () => {
  guard.close()
  db.close()
})

/** A full disk, for example, may have room again the next time. */
function tryToCopy(): LogPlace | undefined {
  try {
    return copyLog()
  } catch (error) {
    if (!mayPass(error)) throw error
    return undefined
  }
}
