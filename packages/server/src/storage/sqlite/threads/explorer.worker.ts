// A thread for the console's questions over many rows, so that they never delay an answer of /v1.
// It starts with the first question.
import { workerData } from 'node:worker_threads'
import { graphReads } from '../graph.ts'
import { mentionReads } from '../mentions.ts'
import { type Connection, openDatabase } from '../opening/open-database.ts'
import { serveCalls } from './serve-calls.ts'

export type ExploreProcedures = ReturnType<typeof openExploration> & { close: () => void }

const openExploration = (db: Connection) => ({ ...graphReads(db), ...mentionReads(db) })

const { file }: { file: string } = workerData
const db = openDatabase(file)
serveCalls(openExploration(db), { onClose: () => db.close() })
