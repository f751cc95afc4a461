// The file that a command reads: how its standard stream is named, and what is said when it cannot be
// read.
import { errorCodeOf } from '../error-code.ts'
import { CommandFailure } from './failure.ts'

/** In the place of a file: stdin, or stdout where a command writes. */
export const STANDARD_STREAM = '-'

/** A failure of reading `file`, in words for whoever named it; any other error as it is. */
export function explainedFile(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error
  if (errorCodeOf(error) === 'EISDIR') return folderFailure(file)
  if (!('path' in error)) return error
  return new CommandFailure(`The file ${file} cannot be read (${error.message}).`)
}

export const folderFailure = (file: string): CommandFailure =>
  new CommandFailure(`${file} is a folder. Name a file in it.`)
