// A process of its own, which is started with a limit on the size of its files: opens a store and writes into it
// until a thread has died. Says on its standard output why it could not be opened, or of which death it was told.

import { entityOf, NO_RECEIPT } from '../../conformance/records.ts'
import { insertedKey, MODEL, newKey } from '../../conformance/subject.ts'
import { openSqliteStore } from '../open-store.ts'

const METADATA = JSON.stringify({ long: 'words and '.repeat(1_500) })

function end(error: unknown): never {
  process.stdout.write(error instanceof Error ? error.message : String(error))
  process.exit()
}

async function fill(directory: string): Promise<void> {
  const store = await openSqliteStore({ directory, onDeath: end })
  await store.generations.adopt(MODEL)
  const { spaceId } = await insertedKey(store, newKey())
  const { entities } = store.forSpace(spaceId)
  for (;;) await entities.insert(entityOf({ metadata: METADATA }), NO_RECEIPT)
}

const [, file = '', directory] = process.argv
if (directory !== undefined && import.meta.filename === file) await fill(directory).catch(end)
