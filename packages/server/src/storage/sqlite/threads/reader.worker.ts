// A thread that reads rows, so that the event loop never waits for the disk. What looks at many of them is the
// explorer's (explorer.worker.ts).
import { workerData } from 'node:worker_threads'
import { openDatabase } from '../opening/open-database.ts'
import { openReads } from './reads.ts'
import { serveCalls } from './serve-calls.ts'

const { file }: { file: string } = workerData
const db = openDatabase(file)
serveCalls(openReads(db), { onClose: () => db.close() })
