// The row that tells how far an import has come. While it says that the import is unfinished, nothing
// else opens the database: a key or a memory made meanwhile could get in the way of what still comes.
// decisions/2026-11-21-moving.md
import type { ImportProgress, ImportState } from '../archive.ts'
import { StoreRefusal } from '../store.ts'
import { prepared, type Transaction } from './connection/transaction.ts'

const READ = prepared<ImportState>(
  `SELECT archive, blocks, checksum, finished AS "isFinished" FROM import_progress`,
)
const BEGIN = prepared(
  "INSERT INTO import_progress (one, archive, blocks, checksum, finished) VALUES (1, $1, 0, '', false)",
)
const MOVE = prepared('UPDATE import_progress SET blocks = $1, checksum = $2')
const FINISH = prepared('UPDATE import_progress SET finished = true')

export const importProgress = {
  read: (transaction: Transaction) => transaction.one(READ, []),
  begin: (transaction: Transaction, archive: string) => transaction.run(BEGIN, [archive]),
  move: (transaction: Transaction, { blocks, checksum }: ImportProgress) =>
    transaction.run(MOVE, [blocks, checksum]),
  finish: (transaction: Transaction) => transaction.run(FINISH, []),
}

/** Throws a StoreRefusal while an import is unfinished. The schema must be this version's. */
export async function expectNoUnfinishedImport(transaction: Transaction): Promise<void> {
  const state = await importProgress.read(transaction)
  if (state === undefined || state.isFinished) return
  throw new StoreRefusal(
    'An import into this database is unfinished. Run `mnemograph import` with the same archive again: ' +
      'it goes on where it stopped. Or begin anew with an empty database.',
  )
}
