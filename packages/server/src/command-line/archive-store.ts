// Which store an archive is made of, and which one it is brought into: the one that the settings name.
import type { Config } from '../config.ts'
import type { ArchiveSource, ArchiveTarget } from '../storage/archive.ts'
import { openSqliteArchiveSource, openSqliteArchiveTarget } from '../storage/sqlite/open-archive.ts'

/** Also while servers use it. Throws a StoreRefusal. */
export const openArchiveSource = async ({ dataDirectory }: Config): Promise<ArchiveSource> =>
  openSqliteArchiveSource(dataDirectory)

/** Throws a StoreRefusal, also when a server uses it. */
export const openArchiveTarget = async ({ dataDirectory }: Config): Promise<ArchiveTarget> =>
  openSqliteArchiveTarget(dataDirectory)
