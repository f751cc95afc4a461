// The folder with the data, its database file, and what a person is told who has to do something
// about them.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCodeOf } from '../../../error-code.ts'
import { StoreRefusal } from '../../store.ts'
import { withFileSizeLimit } from './file-size-limit.ts'

export const databaseFile = (directory: string): string => join(directory, 'mnemograph.db')

/**
 * False when nobody has made one yet. What hides it, such as a folder of others, is told by whoever opens
 * it.
 */
export function hasDatabase(directory: string): boolean {
  try {
    statSync(databaseFile(directory))
    return true
  } catch (error) {
    return errorCodeOf(error) !== 'ENOENT'
  }
}

const noFolder = (directory: string, cause?: unknown): StoreRefusal =>
  new StoreRefusal(
    `${directory} is a file; the data goes into a folder. Name one with MNEMOGRAPH_DATA_DIR.`,
    cause,
  )

/** False where it cannot be told, too. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The database of a folder that must have one. Throws a StoreRefusal. */
export function existingFile(directory: string): string {
  if (hasDatabase(directory)) {
    if (isFile(directory)) throw noFolder(directory)
    return databaseFile(directory)
  }
  throw new StoreRefusal(
    `There is no store in ${directory}. Name its folder with MNEMOGRAPH_DATA_DIR.`,
  )
}

/**
 * Only its owner may look into the folder, which holds people's texts, and into its database: a folder
 * that was there before may be open to everybody. What SQLite keeps beside the file has its mode.
 */
export function createDirectory(directory: string): void {
  try {
    makeFolder(directory)
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'EEXIST') throw noFolder(directory, error)
    throw new StoreRefusal(
      `The data folder ${directory} cannot be created (${code}). Choose another one with MNEMOGRAPH_DATA_DIR.`,
      error,
    )
  }
  const file = databaseFile(directory)
  refuseLink(file)
  createFile(file)
}

/**
 * SQLite keeps its log beside the file that a link leads to, where nobody here looks for it, and two folders
 * would not hear of each other. One that leads nowhere yet would be made for everybody to read.
 */
function refuseLink(file: string): void {
  if (!isLink(file)) return
  throw new StoreRefusal(
    `${file} is a symbolic link. Name the folder that holds the database itself with MNEMOGRAPH_DATA_DIR, ` +
      'or make the whole folder a link.',
  )
}

/** Throws a StoreRefusal where it cannot be told, such as in a folder of somebody else. */
function isLink(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  } catch (error) {
    throw toRefusal(file, error)
  }
}

/** And those above it. Node's own `recursive` tries without end where nothing can be made (/proc). */
function makeFolder(directory: string): void {
  const above = dirname(directory)
  if (above !== directory && !existsSync(above)) makeFolder(above)
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if (!isFolder(directory)) throw error
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Which its owner alone may read and write; one that is there stays as it is. */
export function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // It is there, or whoever opens it next is told why that cannot be.
  }
}

/**
 * SQLite opens a database that it may only read all the same, and fails with the first write. It cannot be tried
 * by opening the file here: closing it again would end the locks of this process's connections.
 */
export function expectWritable(file: string): void {
  if (existsSync(file)) accessSync(file, constants.W_OK)
}

/** Whoever may write to it may put another database in the place of this one. A group is there on purpose. */
export const mayOthersWrite = (directory: string): boolean =>
  ((statSync(directory, { throwIfNoEntry: false })?.mode ?? 0) & 0o002) !== 0

export const damaged = (file: string, finding: unknown): StoreRefusal =>
  new StoreRefusal(
    `The database ${file} is damaged and was not opened. Restore it from a backup, or move it away.`,
    finding,
  )

/** Why the database could not be opened, in words that say what to do. */
export function toRefusal(file: string, failure: unknown): StoreRefusal {
  const error = withFileSizeLimit(file, failure)
  if (error instanceof StoreRefusal) return error
  const code = errorCodeOf(error)
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return damaged(file, error)
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new StoreRefusal(
      `The database ${file} is being used by another process. Try again in a moment.`,
      error,
    )
  }
  if (/^SQLITE_(FULL|IOERR_SHMSIZE)/.test(code)) {
    return new StoreRefusal(`There is no room left on the disk of ${file}. Make room.`, error)
  }
  return new StoreRefusal(
    `The database ${file} cannot be opened for reading and writing ` +
      `(${error instanceof Error ? error.message : String(error)}). ` +
      'See who owns it and its folder, and what they may do with it.',
    error,
  )
}
