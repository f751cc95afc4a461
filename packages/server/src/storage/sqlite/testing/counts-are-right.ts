import { findWrongCounts } from '../lists/check-counts.ts'
import type { Connection } from '../opening/open-database.ts'

export const countsAreRight = (db: Connection): boolean =>
  [...findWrongCounts(db)].every((wrong) => wrong === undefined)
