// A process of its own that writes to the store of a folder, from many sides at once, until it is killed.
// Says on its standard output, which is to be a file (a full pipe refuses what is written), what was
// answered, a line each: `created N`, `deleted N`, and before it `deletes N`. Records are numbered from the
// second argument on.
import { writeSync } from 'node:fs'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { insertedKey, MODEL, newKey } from '../../conformance/subject.ts'
import { openSqliteStore } from '../open-store.ts'
import { canaryOf } from './canaries.ts'

const WRITERS = 32
/** So long that the log is full within a second or two. */
const WORDS = 400
/** One of so many creates is followed by a deletion, which lets the log be cut. */
const CREATES_A_DELETION = 500

export const contentOf = (record: number): string =>
  `${canaryOf(record)} ${'words and '.repeat(WORDS)}${canaryOf(record)}`
export const idOf = (record: number): string => `mem_${canaryOf(record)}`

const say = (line: string): void => void writeSync(1, `${line}\n`)

async function run(directory: string, first: number): Promise<void> {
  const store = await openSqliteStore({
    directory,
    onDeath(error) {
      throw error
    },
  })
  const [known] = await store.keys.list()
  const { spaceId } = known ?? (await insertedKey(store, newKey()))
  const { number: generation } = await store.generations.adopt(MODEL)
  const { memories } = store.forSpace(spaceId)
  let record = first
  const write = async (): Promise<never> => {
    for (;;) {
      const own = record
      record += 1
      const content = contentOf(own)
      const memory = memoryOf({ id: idOf(own), content })
      await memories.insert(memory, [pieceOf(content)], NO_RECEIPT, generation)
      say(`created ${own}`)
      if (own % CREATES_A_DELETION !== 0) continue
      say(`deletes ${own}`)
      if (await memories.remove(idOf(own), NO_RECEIPT)) say(`deleted ${own}`)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

const [, file = '', directory, first] = process.argv
if (directory !== undefined && import.meta.filename === file) await run(directory, Number(first))
