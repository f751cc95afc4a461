// The thread that ranks. Before each search it takes in every change that the writer has sent:
// those of acknowledged writes were sent before the acknowledgement, so a search that follows the
// answer to a create or a delete sees it.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { IndexChange } from './index/indexed.ts'
import { openDatabase } from './open-database.ts'
import { searches } from './searches.ts'
import { serveCalls } from './serve-calls.ts'

export type SearcherData = { file: string; changes: MessagePort }

if (parentPort === null) throw new Error('This file runs as a worker thread.')
const { file, changes }: SearcherData = workerData
const db = openDatabase(file)
const { apply, search, close } = searches(db)

changes.on('message', apply)

function takeInChanges(): void {
  for (;;) {
    const next: { message: IndexChange } | undefined = receiveMessageOnPort(changes)
    if (next === undefined) return
    apply(next.message)
  }
}

const procedures = {
  search(...args: Parameters<typeof search>): ReturnType<typeof search> {
    takeInChanges()
    return search(...args)
  },
}
export type SearchProcedures = typeof procedures

serveCalls(parentPort, procedures, {
  onClose: () => {
    takeInChanges()
    close()
    changes.close()
    db.close()
  },
})
