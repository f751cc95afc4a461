// The row that tells how far an import has come. While it says that the import is unfinished, nothing
// else opens the store: a key or a memory made meanwhile could get in the way of what still comes.
// decisions/2026-11-21-moving.md
import type { ImportProgress, ImportState } from '../archive.ts'
import { StoreRefusal } from '../store.ts'
import type { Connection } from './opening/open-database.ts'

type Row = { archive: string; blocks: number; checksum: string; finished: 0 | 1 }

export function importProgress(db: Connection) {
  const select = db.prepare<[], Row>(
    'SELECT archive, blocks, checksum, finished FROM import_progress',
  )
  const insert = db.prepare<[string]>(
    "INSERT INTO import_progress (one, archive, blocks, checksum, finished) VALUES (1, ?, 0, '', 0)",
  )
  const update = db.prepare<[number, string]>('UPDATE import_progress SET blocks = ?, checksum = ?')
  const finish = db.prepare('UPDATE import_progress SET finished = 1')
  return {
    read(): ImportState | undefined {
      const row = select.get()
      return row && { ...row, isFinished: row.finished === 1 }
    },
    begin: (archive: string): void => {
      insert.run(archive)
    },
    move: ({ blocks, checksum }: ImportProgress): void => {
      update.run(blocks, checksum)
    },
    finish: (): void => {
      finish.run()
    },
  }
}

/** Throws a StoreRefusal while an import is unfinished. The schema must be this version's. */
export function expectNoUnfinishedImport(db: Connection): void {
  const state = importProgress(db).read()
  if (state === undefined || state.isFinished) return
  throw new StoreRefusal(
    'An import into this store is unfinished. Run `mnemograph import` with the same archive again: ' +
      'it goes on where it stopped. Or begin anew with an empty MNEMOGRAPH_DATA_DIR.',
  )
}
