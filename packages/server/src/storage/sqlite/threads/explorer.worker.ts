// A thread for what looks at many rows, the console's questions and the lists that the reader passes on, so
// that it never delays a get, or a list that is short. It starts with the first of them.
import { workerData } from 'node:worker_threads'
import { entityReads } from '../entities.ts'
import { graphReads } from '../graph.ts'
import { memoryReads } from '../memories.ts'
import { mentionReads } from '../mentions.ts'
import { type Connection, openDatabase } from '../opening/open-database.ts'
import { relationReads } from '../relations.ts'
import { serveCalls } from './serve-calls.ts'

export type ExploreProcedures = ReturnType<typeof openExploration> & { close: () => void }

const openExploration = (db: Connection) => ({
  ...graphReads(db),
  ...mentionReads(db),
  pageMemories: memoryReads(db).page,
  pageEntities: entityReads(db).page,
  pageRelations: relationReads(db).page,
})

const { file }: { file: string } = workerData
const db = openDatabase(file)
serveCalls(openExploration(db), { onClose: () => db.close() })
