// Turns what SQLite throws into what the store promises to throw.
import { errorCodeOf } from '../../error-code.ts'
import { StoreError } from '../store.ts'

/** Of an error that Node made from what the system said. */
const systemCallOf = (error: unknown): string =>
  error instanceof Error && 'syscall' in error && typeof error.syscall === 'string'
    ? error.syscall
    : ''

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const code = errorCodeOf(error)
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return new StoreError('full', error)
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new StoreError('unavailable', error)
  }
  if (code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CANTOPEN')) {
    return new StoreError('unavailable', error)
  }
  return new StoreError('fault', error)
}

/** Whatever the work throws is thrown as a StoreError. */
export function withStoreErrors<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw toStoreError(error)
  }
}

/**
 * After a failed fsync nobody knows what is on the disk, and a second try can report success for
 * data that was dropped. The only safe answer is to stop and let the next start recover the WAL.
 */
export const isFatal = (error: unknown): boolean =>
  /^SQLITE_(IOERR_(FSYNC|DIR_FSYNC|WRITE|TRUNCATE)|CORRUPT|NOTADB)/.test(errorCodeOf(error)) ||
  /^f(data)?sync$/.test(systemCallOf(error))

/** What the disk, the system or SQLite may say otherwise the next time. Anything else is a bug. */
export const mayPass = (error: unknown): boolean =>
  !isFatal(error) &&
  (/^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|NOMEM|PROTOCOL|READONLY)/.test(errorCodeOf(error)) ||
    systemCallOf(error) !== '')
