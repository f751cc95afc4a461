// Opens the store that the settings name: the database of DATABASE_URL, or the data folder. The only
// place, besides their own tests, that knows both drivers. Of each is loaded what is used: a command that
// makes a key needs no index and no second database.
import type { Config } from './config.ts'
import type { ArchiveSource, ArchiveTarget } from './storage/archive.ts'
import type { ReembeddingStore } from './storage/generation.ts'
import type { OnUpgrade } from './storage/migrations.ts'
import { hasDatabase, mayOthersWrite } from './storage/sqlite/opening/data-folder.ts'
import type { Administration, Store } from './storage/store.ts'

export type StoreConfig = Pick<Config, 'dataDirectory' | 'database'>

/** For people. Never holds a password. */
export function placeOf({ dataDirectory, database }: StoreConfig): string {
  if (database === undefined) return dataDirectory
  const { host, pathname } = new URL(database.url)
  return `the database ${pathname.slice(1)} on ${host}`
}

/**
 * Whoever only looks makes no store where there is none: the folder or the address may be mistyped. Throws a
 * StoreRefusal when a database cannot be asked.
 */
export async function hasStore({ dataDirectory, database }: StoreConfig): Promise<boolean> {
  if (database === undefined) return hasDatabase(dataDirectory)
  const { hasPostgresStore } = await import('./storage/postgres/open-store.ts')
  return hasPostgresStore(database.url)
}

/** Whether it is a folder that every user of the machine may write to. */
export const isOpenToAll = ({ dataDirectory, database }: StoreConfig): boolean =>
  database === undefined && mayOthersWrite(dataDirectory)

type StoreEvents = {
  /** Nothing can be trusted any more, the process must end. */
  onDeath: (error: unknown) => void
  /** A failure that no request waits for. */
  onBackgroundError: (error: unknown) => void
  /** Nothing is answered until it is done, or until another instance has done it. */
  onUpgrade?: OnUpgrade
  onWaitForUpgrade?: () => void
}

/**
 * A store that reads, while it gets ready to serve. When `ready` rejects, it is closed already. Throws a
 * StoreRefusal that says what to do.
 */
export async function startStore(
  { dataDirectory, database }: StoreConfig,
  events: StoreEvents,
): Promise<{ store: Store; ready: Promise<void> }> {
  if (database === undefined) {
    const { startSqliteStore } = await import('./storage/sqlite/open-store.ts')
    return startSqliteStore({ directory: dataDirectory, ...events })
  }
  const { openPostgresStore } = await import('./storage/postgres/open-store.ts')
  return { store: await openPostgresStore({ ...database, ...events }), ready: Promise.resolve() }
}

/** Throws a StoreRefusal that says what to do. */
export async function openStore(config: StoreConfig, events: StoreEvents): Promise<Store> {
  const { store, ready } = await startStore(config, events)
  await ready
  return store
}

/** Keys and accounts alone, beside a server. Throws a StoreRefusal that says what to do. */
export async function openAdministration({
  dataDirectory,
  database,
}: StoreConfig): Promise<Administration & { close: () => Promise<void> | void }> {
  if (database === undefined) {
    const { openSqliteAdministration } = await import('./storage/sqlite/open-keys.ts')
    return openSqliteAdministration(dataDirectory)
  }
  const { openPostgresAdministration } = await import('./storage/postgres/open-keys.ts')
  return openPostgresAdministration(database)
}

/** `onlyLook` also works while another process re-embeds. Throws a StoreRefusal. */
export async function openReembedding(
  { dataDirectory, database }: StoreConfig,
  flags: { onlyLook: boolean },
): Promise<ReembeddingStore> {
  if (database === undefined) {
    const { openSqliteReembedding } = await import(
      './storage/sqlite/reembedding/open-reembedding.ts'
    )
    return openSqliteReembedding(dataDirectory, flags)
  }
  const { openPostgresReembedding } = await import(
    './storage/postgres/reembedding/open-reembedding.ts'
  )
  return openPostgresReembedding(database, flags)
}

/** To be exported, also while servers use it. Throws a StoreRefusal. */
export async function openArchiveSource({
  dataDirectory,
  database,
}: StoreConfig): Promise<ArchiveSource> {
  if (database === undefined) {
    const { openSqliteArchiveSource } = await import('./storage/sqlite/archive/open-archive.ts')
    return openSqliteArchiveSource(dataDirectory)
  }
  const { openPostgresArchiveSource } = await import('./storage/postgres/archive/open-archive.ts')
  return openPostgresArchiveSource(database)
}

/** To be filled. Throws a StoreRefusal. */
export async function openArchiveTarget({
  dataDirectory,
  database,
}: StoreConfig): Promise<ArchiveTarget> {
  if (database === undefined) {
    const { openSqliteArchiveTarget } = await import('./storage/sqlite/archive/open-archive.ts')
    return openSqliteArchiveTarget(dataDirectory)
  }
  const { openPostgresArchiveTarget } = await import('./storage/postgres/archive/open-archive.ts')
  return openPostgresArchiveTarget(database)
}
