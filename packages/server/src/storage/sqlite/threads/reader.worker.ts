// A thread that reads rows, so that a large list or a count never holds up the event loop.
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../opening/open-database.ts'
import { openReads } from './reads.ts'
import { serveCalls } from './serve-calls.ts'

if (parentPort === null) throw new Error('This file runs as a worker thread.')
const { file }: { file: string } = workerData
const db = openDatabase(file)
serveCalls(parentPort, openReads(db), { onClose: () => db.close() })
