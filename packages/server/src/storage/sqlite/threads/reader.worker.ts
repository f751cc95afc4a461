// A thread that reads rows, so that a large list or a count never holds up the event loop.
import { workerData } from 'node:worker_threads'
import { openDatabase } from '../opening/open-database.ts'
import { openReads } from './reads.ts'
import { serveCalls } from './serve-calls.ts'

const { file }: { file: string } = workerData
const db = openDatabase(file)
serveCalls(openReads(db), { onClose: () => db.close() })
