// What a process may write is often bounded for each file (`ulimit -f`). SQLite says the same about that as about
// a disk that fails, so the bound is looked for once that was said.
import { errorCodeOf } from '../../../error-code.ts'
import { processLimit } from '../../../process-limit.ts'
import { StoreRefusal } from '../../store.ts'

/** The error, or what to do when there is such a bound and a write has failed. */
export function withFileSizeLimit(file: string, error: unknown): unknown {
  const isOfWrite = errorCodeOf(error) === 'SQLITE_IOERR_WRITE'
  const bytesMax = isOfWrite ? processLimit('Max file size') : undefined
  if (bytesMax === undefined) return error
  return new StoreRefusal(
    `The database ${file} could not be written, and no file of this process may be longer than ` +
      `${bytesMax} bytes. Raise that limit (ulimit -f, LimitFSIZE=).`,
    error,
  )
}
