// A place for an embedded store, for the suites of moving and exporting.
import { newFolder } from '../../../testing/new-folder.ts'
import type { StorePlace } from '../../conformance/moved-archive.ts'
import { openSqliteArchiveSource, openSqliteArchiveTarget } from '../archive/open-archive.ts'
import { openSqliteStore } from '../open-store.ts'

const onDeath = (error: unknown): never => {
  throw error
}

export async function newSqlitePlace(): Promise<StorePlace> {
  const directory = newFolder()
  return {
    open: () => openSqliteStore({ directory, onDeath }),
    openSource: async () => openSqliteArchiveSource(directory),
    openTarget: async () => openSqliteArchiveTarget(directory),
  }
}
