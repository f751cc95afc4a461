// The thread that ranks. Before each search it takes in every change that the writer has sent:
// those of acknowledged writes were sent before the acknowledgement, so a search that follows the
// answer to a create or a delete sees it. What was not sent it reads from the rows.
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { ExpectedQuestion, Question, SearchQuery } from '../../../retrieval/evidence.ts'
import { Questions } from '../../questions.ts'
import type { ScoredMemory, SpaceId } from '../../records.ts'
import type { MemoryFilter, SearchCut } from '../../store.ts'
import { IndexedSpaces } from '../index/indexed-spaces.ts'
import type { IndexChange } from '../index/tables/indexed.ts'
import { openDatabase } from '../opening/open-database.ts'
import { searches } from '../searches.ts'
import { serveCalls } from './serve-calls.ts'
import type { Later } from './worker-calls.ts'

export type SearcherData = { file: string; changes: MessagePort; indexed: SharedArrayBuffer }

const { file, changes, indexed }: SearcherData = workerData
const db = openDatabase(file)
const { apply, expect, search, close } = searches(db, {
  indexed: new IndexedSpaces(indexed),
  takeIn: takeInChanges,
})
const questions = new Questions()

changes.on('message', applyAll)

/** Those of one commit. */
function applyAll(committed: IndexChange[]): void {
  for (const change of committed) apply(change)
}

function takeInChanges(): void {
  for (;;) {
    const next: { message: IndexChange[] } | undefined = receiveMessageOnPort(changes)
    if (next === undefined) return
    applyAll(next.message)
  }
}

const procedures = {
  expectSearch(space: SpaceId, question: ExpectedQuestion, generation: number): Later<void> {
    const query = questions.expect(space, question, generation)
    return () => expect(space, query, generation)
  },

  search(
    space: SpaceId,
    asked: Question | SearchQuery,
    filter: MemoryFilter,
    cut: SearchCut,
    generation: number,
  ): Later<ScoredMemory[]> {
    const query = questions.read(space, asked, generation)
    return (leaving) => search(space, query, filter, cut, generation, leaving)
  },
}
export type SearchProcedures = typeof procedures

serveCalls(procedures, {
  onClose: () => {
    takeInChanges()
    close()
    changes.close()
    db.close()
  },
})
