// Where the copies of indexes lie, and how they go (copies.ts). Apart from what reads and writes them, since
// the writer's thread only removes them: without the rest of the index it starts in three quarters of the time.
import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SpaceId } from '../../records.ts'

const beginningOf = (databaseFile: string): string => `${databaseFile}-index-`
export const pathOf = (databaseFile: string, space: SpaceId): string =>
  `${beginningOf(databaseFile)}${space}`
export const draftOf = (path: string): string => `${path}.draft`

/** Afterwards nothing of the space is in a copy, nor will be of what was deleted before. */
export function dropCopies(databaseFile: string, spaces: ReadonlySet<SpaceId>): void {
  for (const space of spaces) {
    const path = pathOf(databaseFile, space)
    // In this order: a draft that is renamed meanwhile is found under its name.
    rmSync(draftOf(path), { force: true })
    rmSync(path, { force: true })
  }
}

/** Before other rows take the place of those that they were made of. */
export function dropAllCopies(databaseFile: string): void {
  for (const path of copiesBeside(databaseFile)) rmSync(path, { force: true })
}

export function copiesBeside(databaseFile: string): string[] {
  const folder = dirname(databaseFile)
  const beginning = basename(beginningOf(databaseFile))
  return readdirSync(folder)
    .filter((name) => name.startsWith(beginning))
    .map((name) => join(folder, name))
}
