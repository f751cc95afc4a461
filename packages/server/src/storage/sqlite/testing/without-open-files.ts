// A process of its own that may open few files and has taken them all but some, while threads of the store
// are wanted that have not begun. Says on its standard output what came of it, as JSON: how the questions
// ended meanwhile, and of which deaths the store told.
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf, NO_RECEIPT, pieceOf, queryOf } from '../../conformance/records.ts'
import { insertedKey, MODEL, newKey } from '../../conformance/subject.ts'
import { type Store, StoreError } from '../../store.ts'
import { openSqliteStore } from '../open-store.ts'

export type Outcome = { meanwhile: string[]; afterwards: string[]; deaths: string[] }

/** From none to enough to begin with the file of a thread, but not to read all that it imports. */
const FREE = [0, 1, 3, 5]
/** Together more than the log may have before it is copied. */
const WRITES = 500
const CONTENT = 'words and '.repeat(900)
/** For a thread that has begun to come to its end. */
const WHILE_MS = 200

async function run(directory: string): Promise<Outcome> {
  const deaths: string[] = []
  const store = await openSqliteStore({ directory, onDeath: (error) => deaths.push(String(error)) })
  const ask = await questions(store)
  // Of the threads that begin with the store each has begun by now.
  await ask.each()
  const meanwhile: string[] = []
  for (const free of FREE) {
    const taken = takeAllBut(free)
    meanwhile.push(await ask.count())
    await ask.write(WRITES)
    await sleep(WHILE_MS)
    for (const descriptor of taken) closeSync(descriptor)
  }
  const afterwards = [await ask.count(), await ask.write(WRITES)]
  await store.close()
  return { meanwhile, afterwards, deaths }
}

async function questions(store: Store) {
  const { spaceId } = await insertedKey(store, newKey())
  const { number: generation } = await store.generations.adopt(MODEL)
  const { memories, graph } = store.forSpace(spaceId)
  const write = () =>
    memories.insert(memoryOf({ content: CONTENT }), [pieceOf(CONTENT)], NO_RECEIPT, generation)
  return {
    each: async () => {
      await write()
      await memories.page({}, { page: 1, limit: 1 })
      await memories.search(queryOf([1, 0, 0, 0]), {}, { limit: 1, threshold: 0 }, generation)
    },
    count: () => kindOf(graph.counts()),
    write: (count: number) => kindOf(Promise.all(Array.from({ length: count }, write))),
  }
}

async function kindOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'answered'
  } catch (error) {
    return error instanceof StoreError ? error.kind : String(error)
  }
}

function takeAllBut(free: number): number[] {
  const taken: number[] = []
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    for (const descriptor of taken.splice(0, free)) closeSync(descriptor)
    return taken
  }
}

const [, file = '', directory] = process.argv
if (directory !== undefined && import.meta.filename === file) {
  process.stdout.write(JSON.stringify(await run(directory)))
}
