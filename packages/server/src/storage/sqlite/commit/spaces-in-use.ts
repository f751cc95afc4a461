// A space that was purged stays empty: a create may have been admitted long before its turn to write. Whether
// one was is looked up once in each transaction: within one, only this thread could purge it, and says so.
import type { SpaceId } from '../../records.ts'
import { StoreError } from '../../store.ts'
import type { Connection } from '../opening/open-database.ts'
import { notesOfTransaction } from './group-commit.ts'

export type SpacesInUse = ReturnType<typeof spacesInUse>

export function spacesInUse(db: Connection) {
  const isPurged = db
    .prepare<[SpaceId], 1>(
      'SELECT 1 FROM keys WHERE space_no = ? AND purged_at IS NOT NULL LIMIT 1',
    )
    .pluck()
  const known = new Set<SpaceId>()
  const forget = (): void => known.clear()
  return {
    notes: notesOfTransaction(forget),
    /** Throws as `purged`. */
    expect(space: SpaceId): void {
      if (known.has(space)) return
      if (isPurged.get(space) !== undefined) throw new StoreError('purged', undefined)
      known.add(space)
    },
    /** After a purge. */
    forget,
  }
}
