// A file that has its name only when it is complete and on the disk, that takes no other file's place, and
// that only its owner may read. Several may be written to one name at once: the first one gets it.
import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandFailure } from './failure.ts'
import { folderFailure } from './input-file.ts'

/** Throws a CommandFailure when the name is taken. */
export function expectNoFile(file: string): void {
  if (!existsSync(file)) return
  throw statSync(file).isDirectory() ? folderFailure(file) : nameIsTaken(file)
}

/** Throws a CommandFailure when the name is taken, and leaves nothing behind when it fails. */
export async function writeWhole(file: string, text: AsyncIterable<string>): Promise<void> {
  const partial = `${file}.${randomUUID()}.partial`
  try {
    // Before the text is asked for, which may take minutes.
    const handle = await open(partial, 'wx', 0o600)
    // `flush`: what has the name of the whole file is on the disk.
    await pipeline(Readable.from(text), handle.createWriteStream({ flush: true }))
    giveName(partial, file)
  } finally {
    rmSync(partial, { force: true })
  }
}

/** Unlike a new name, a link never takes the place of a file that came meanwhile. */
function giveName(partial: string, file: string): void {
  try {
    linkSync(partial, file)
  } catch {
    // Or the file system has no links.
    expectNoFile(file)
    renameSync(partial, file)
  }
}

const nameIsTaken = (file: string): CommandFailure =>
  new CommandFailure(`There is a file ${file} already. Move it away, or name another one.`)
