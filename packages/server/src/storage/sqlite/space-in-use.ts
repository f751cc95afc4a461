// A space that was purged stays empty: a create may have been admitted long before its turn to write.
import { type SpaceId, StoreError } from '../store.ts'
import type { Connection } from './open-database.ts'

/** Throws as `purged`. */
type ExpectInUse = (space: SpaceId) => void

export function spaceInUse(db: Connection): ExpectInUse {
  const isPurged = db
    .prepare<[SpaceId], 1>(
      'SELECT 1 FROM keys WHERE space_no = ? AND purged_at IS NOT NULL LIMIT 1',
    )
    .pluck()
  return (space) => {
    if (isPurged.get(space) !== undefined) throw new StoreError('purged', undefined)
  }
}
