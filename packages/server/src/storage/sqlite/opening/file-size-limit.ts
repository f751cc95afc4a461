// What a process may write is often bounded for each file (`ulimit -f`). SQLite says the same about that as about
// a disk that fails, so the bound is looked for once that was said.
import { readFileSync } from 'node:fs'
import { errorCodeOf } from '../../../error-code.ts'
import { StoreRefusal } from '../../store.ts'

/** The error, or what to do when there is such a bound and a write has failed. */
export function withFileSizeLimit(file: string, error: unknown): unknown {
  const bytesMax = errorCodeOf(error) === 'SQLITE_IOERR_WRITE' ? fileBytesMax() : undefined
  if (bytesMax === undefined) return error
  return new StoreRefusal(
    `The database ${file} could not be written, and no file of this process may be longer than ` +
      `${bytesMax} bytes. Raise that limit (ulimit -f, LimitFSIZE=).`,
    error,
  )
}

/** Undefined where there is none, or where the system does not tell. */
function fileBytesMax(): number | undefined {
  try {
    const [, bytes] = /^Max file size +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return bytes === undefined ? undefined : Number(bytes)
  } catch {
    return undefined
  }
}
