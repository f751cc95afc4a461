// The file or folder that a command reads or writes: how a standard stream is named, and what is said when it has
// no name or cannot be read.
import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { errorCodeOf } from '../error-code.ts'
import { CommandFailure } from './failure.ts'

/** In the place of a file: stdin, or stdout where a command writes. */
export const STANDARD_STREAM = '-'

/** For commander. A variable that is not set is no name, though Node takes it for the working directory. */
const nameOf =
  (kind: 'file' | 'folder') =>
  (text: string): string => {
    if (text === '') throw new InvalidArgumentError(`It is empty: name a ${kind}.`)
    return text
  }

export const fileName = nameOf('file')
export const folderName = nameOf('folder')

/** The text of a file. Throws a CommandFailure when it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw explainedFile(error, file)
  }
}

/** A failure of reading `file`, in words for whoever named it; any other error as it is. */
export function explainedFile(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error
  const code = errorCodeOf(error)
  if (code === 'EISDIR') return folderFailure(file)
  if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE') {
    return new CommandFailure(
      `The file ${file} is too large to be read whole: at most 512 MB. Divide it into several.`,
    )
  }
  if (!('path' in error)) return error
  return new CommandFailure(`The file ${file} cannot be read (${error.message}).`)
}

export const folderFailure = (file: string): CommandFailure =>
  new CommandFailure(`${file} is a folder. Name a file in it.`)
