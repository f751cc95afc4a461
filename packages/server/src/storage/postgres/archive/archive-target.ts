// Fills an empty database from the records of an archive. Each batch is one transaction together with
// the progress, so that a process that dies leaves a database from which the same import goes on.
import type { ArchiveRecord, ArchiveTarget, ImportProgress } from '../../archive.ts'
import type { VectorModel } from '../../generation.ts'
import { StoreRefusal } from '../../store.ts'
import { foldAlike } from '../accounts/accounts.ts'
import type { Database } from '../connection/database.ts'
import { asOwner } from '../connection/owner.ts'
import { onClient, prepared, type Transaction } from '../connection/transaction.ts'
import { importProgress } from '../import-progress.ts'
import { addGeneration, findGeneration, holdGenerationAlone } from '../reembedding/generations.ts'
import { LARGE_SPACES } from '../upkeep/term-counts.ts'
import type { LookAfter } from '../upkeep/upkeep.ts'
import { insertRecords } from './archive-rows.ts'

/** A store that was ever used has a row in one of these. */
const IS_EMPTY = prepared<{ isEmpty: boolean }>(
  `SELECT NOT EXISTS (SELECT 1 FROM spaces) AND NOT EXISTS (SELECT 1 FROM accounts)
     AND NOT EXISTS (SELECT 1 FROM generations) AS "isEmpty"`,
)
// The next space has to have a number of its own.
const GO_ON_AFTER_SPACES = prepared(
  `SELECT setval(pg_get_serial_sequence('spaces', 'no'), max(no)) FROM spaces HAVING max(no) > 0`,
)

/** `lookAfter` gives the vectors of a large space their places in the index. */
export function archiveTarget(
  database: Database,
  url: string,
  lookAfter: LookAfter,
): Omit<ArchiveTarget, 'close'> {
  let generation = 0

  async function begun(transaction: Transaction, archive: string) {
    const state = await importProgress.read(transaction)
    if (state === undefined) return undefined
    if (state.archive !== archive) throw state.isFinished ? holdsData() : otherArchive()
    return state
  }

  return {
    begin: async (archive: string, model: VectorModel | undefined) => {
      const state = await asOwner(url, async (owner) => {
        const transaction = onClient(owner)
        await holdGenerationAlone(transaction)
        const known = await begun(transaction, archive)
        if (known !== undefined) return known
        if (!(await transaction.one(IS_EMPTY, []))?.isEmpty) throw holdsData()
        await importProgress.begin(transaction, archive)
        if (model !== undefined) await addGeneration(owner, 'current', model)
        return { blocks: 0, checksum: '', isFinished: false }
      })
      const current = await database.transaction((transaction) =>
        findGeneration(transaction, 'current'),
      )
      generation = current?.number ?? 0
      return state
    },

    add: (records: readonly ArchiveRecord[], progress: ImportProgress) =>
      database.transaction(async (transaction) => {
        await insertRecords(transaction, records, generation)
        await importProgress.move(transaction, progress)
      }),

    async finish() {
      for (const { space } of await database.query(LARGE_SPACES, [generation])) {
        await lookAfter(space, generation)
      }
      await database.transaction(foldAlike)
      await asOwner(url, async (owner) => {
        const transaction = onClient(owner)
        await transaction.all(GO_ON_AFTER_SPACES, [])
        await importProgress.finish(transaction)
        await owner.query('ANALYZE')
      })
    },
  }
}

const holdsData = (): StoreRefusal =>
  new StoreRefusal(
    'The database holds data already, and an archive is a whole store. Import it into an empty one: ' +
      'name a new database with DATABASE_URL.',
  )

const otherArchive = (): StoreRefusal =>
  new StoreRefusal(
    'The import of another archive into this database is unfinished. Finish it with that archive, ' +
      'or begin anew in an empty database.',
  )
