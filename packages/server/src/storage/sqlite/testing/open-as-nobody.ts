// A process of its own, without the right to write what belongs to others: opens the store of a folder for a
// server, its keys for a command, and all of it to be filled from an archive. Says on its standard output why
// each of them could not be done.
import Database from 'better-sqlite3'
import { openSqliteArchiveTarget } from '../archive/open-archive.ts'
import { openSqliteAdministration } from '../open-keys.ts'
import { openSqliteStore } from '../open-store.ts'

/** Whoever may do everything gives that up; whatever is loaded may lie where others cannot read. */
function becomeNobody(): void {
  new Database(':memory:').close()
  if (process.getuid?.() === 0) process.setuid?.(NOBODY)
}

const NOBODY = 65_534

const refusal = (error: unknown): void => void process.stdout.write(`${String(error)}\n`)

const directory = process.argv[2] ?? ''
becomeNobody()
await openSqliteStore({ directory, onDeath: refusal }).catch(refusal)
for (const open of [openSqliteAdministration, openSqliteArchiveTarget]) {
  try {
    await open(directory).close()
  } catch (error) {
    refusal(error)
  }
}
process.exit()
