// The thread that moves the write-ahead log beside the writer, when the writer asks for it. It is started
// by the first time that the writer asks.
import { workerData } from 'node:worker_threads'
import { mayPass } from '../failure.ts'
import type { DatabaseFile } from '../log/checkpoint.ts'
import { logCopier } from '../log/copy-log.ts'
import type { LogPlace } from '../log/write-ahead-log.ts'
import { openDatabase } from '../opening/open-database.ts'
import { serveCalls } from './serve-calls.ts'

export type CopierData = { file: DatabaseFile }
/** Undefined when it did not work this time. */
export type Copied = { done: LogPlace | undefined }

const { file }: CopierData = workerData
const db = openDatabase(file.path)
const guard = openDatabase(file.path)
const copyLog = logCopier({ db, guard }, file)

const procedures = {
  /** A full disk, for example, may have room again the next time. */
  copy(): Copied {
    try {
      return { done: copyLog() }
    } catch (error) {
      if (!mayPass(error)) throw error
      return { done: undefined }
    }
  },
}
export type CopyProcedures = typeof procedures & { close: () => void }

serveCalls(procedures, {
  onClose: () => {
    guard.close()
    db.close()
  },
})
