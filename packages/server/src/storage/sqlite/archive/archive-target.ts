// Fills an empty store from the records of an archive. Each batch is one transaction together with
// the progress, so that a process that dies leaves a store from which the same import goes on.
import type { ArchiveRecord, ArchiveTarget, ImportProgress } from '../../archive.ts'
import type { VectorModel } from '../../generation.ts'
import { StoreRefusal } from '../../store.ts'
import { foldAlike } from '../accounts/accounts.ts'
import { toStoreError } from '../failure.ts'
import { importProgress } from '../import-progress.ts'
import { countWrites } from '../lists/counts.ts'
import type { Connection } from '../opening/open-database.ts'
import { generationWrites } from '../reembedding/generations.ts'
import { archiveRows } from './archive-rows.ts'

/** A store that was ever used has a row in one of these. */
const FIRST_TABLES = ['spaces', 'accounts', 'generations'] as const

export function archiveTarget(
  db: Connection,
  afterCommit: () => void,
): Omit<ArchiveTarget, 'close'> {
  const progress = importProgress(db)
  const { adopt } = generationWrites(db)
  const counts = countWrites(db)
  const addRow = archiveRows(db, counts)
  const begin = db.transaction((archive: string, model: VectorModel | undefined) => {
    const state = progress.read()
    if (state === undefined) {
      if (!isEmpty(db)) throw holdsData()
      progress.begin(archive)
      if (model !== undefined) adopt(model)
      return { blocks: 0, checksum: '', isFinished: false }
    }
    if (state.archive === archive) return state
    throw state.isFinished ? holdsData() : otherArchive()
  })
  const add = db.transaction((records: readonly ArchiveRecord[], to: ImportProgress) => {
    for (const record of records) addRow(record)
    counts.notes.settle()
    progress.move(to)
  })
  const finish = db.transaction(() => {
    foldAlike(db)
    progress.finish()
  })
  const attempt = <Result>(work: () => Result): Result => {
    try {
      const result = work()
      afterCommit()
      return result
    } catch (error) {
      counts.notes.undoTo(0)
      throw error instanceof StoreRefusal ? error : toStoreError(error)
    }
  }
  return {
    begin: async (archive, model) => attempt(() => begin.immediate(archive, model)),
    add: async (records, to) => attempt(() => add.immediate(records, to)),
    finish: async () => attempt(() => finish.immediate()),
  }
}

/** Whether there is an archive that could come in: into an empty store, or one that is being filled. */
export function mayBeFilled(db: Connection): boolean {
  const state = importProgress(db).read()
  return state === undefined ? isEmpty(db) : !state.isFinished
}

const isEmpty = (db: Connection): boolean =>
  FIRST_TABLES.every((table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined)

const holdsData = (): StoreRefusal =>
  new StoreRefusal(
    'The store holds data already, and an archive is a whole store. Import it into an empty one: ' +
      'name a new folder with MNEMOGRAPH_DATA_DIR.',
  )

const otherArchive = (): StoreRefusal =>
  new StoreRefusal(
    'The import of another archive into this store is unfinished. Finish it with that archive, or ' +
      'begin anew in a new folder with MNEMOGRAPH_DATA_DIR.',
  )
