// Opens the store that the settings name: the database of DATABASE_URL, or the data folder. The only
// place, beside their own tests, that knows both drivers.
import type { Config } from './config.ts'
import type { ArchiveSource, ArchiveTarget } from './storage/archive.ts'
import type { ConsoleStore } from './storage/console-store.ts'
import type { ReembeddingStore } from './storage/generation.ts'
import {
  openPostgresArchiveSource,
  openPostgresArchiveTarget,
} from './storage/postgres/open-archive.ts'
import { openPostgresKeys } from './storage/postgres/open-keys.ts'
import { openPostgresReembedding } from './storage/postgres/open-reembedding.ts'
import { openPostgresStore } from './storage/postgres/open-store.ts'
import { openSqliteArchiveSource, openSqliteArchiveTarget } from './storage/sqlite/open-archive.ts'
import { openSqliteAccounts, openSqliteKeys } from './storage/sqlite/open-keys.ts'
import { openSqliteReembedding } from './storage/sqlite/open-reembedding.ts'
import { openSqliteStore } from './storage/sqlite/open-store.ts'
import type { KeyStore, Store } from './storage/store.ts'

export type StoreConfig = Pick<Config, 'dataDirectory' | 'database'>

/** For people. Never holds a password. */
export function placeOf({ dataDirectory, database }: StoreConfig): string {
  if (database === undefined) return dataDirectory
  const { host, pathname } = new URL(database.url)
  return `the database ${pathname.slice(1)} on ${host}`
}

export type StoreEvents = {
  /** Nothing can be trusted any more, the process must end. */
  onDeath: (error: unknown) => void
  /** A failure that no request waits for. */
  onBackgroundError: (error: unknown) => void
}

/** Throws a StoreRefusal that says what to do. */
export function openStore(
  { dataDirectory, database }: StoreConfig,
  events: StoreEvents,
): Promise<Store> {
  return database === undefined
    ? openSqliteStore({ directory: dataDirectory, ...events })
    : openPostgresStore({ ...database, ...events })
}

type Closing = { close: () => Promise<void> | void }

/** Beside a server. Throws a StoreRefusal that says what to do. */
export async function openKeys({
  dataDirectory,
  database,
}: StoreConfig): Promise<Closing & { keys: KeyStore }> {
  return database === undefined ? openSqliteKeys(dataDirectory) : openPostgresKeys(database)
}

export type Accounts = Closing & {
  accounts: Pick<ConsoleStore['accounts'], 'list' | 'findByEmail'>
  links: Pick<ConsoleStore['links'], 'insert'>
}

/** Beside a server. Throws a StoreRefusal that says what to do. */
export async function openAccounts({ dataDirectory, database }: StoreConfig): Promise<Accounts> {
  return database === undefined ? openSqliteAccounts(dataDirectory) : openPostgresKeys(database)
}

/** `onlyLook` also works while another process re-embeds. Throws a StoreRefusal. */
export async function openReembedding(
  { dataDirectory, database }: StoreConfig,
  flags: { onlyLook: boolean },
): Promise<ReembeddingStore> {
  return database === undefined
    ? openSqliteReembedding(dataDirectory, flags)
    : openPostgresReembedding(database, flags)
}

/** To be exported, also while servers use it. Throws a StoreRefusal. */
export async function openArchiveSource({
  dataDirectory,
  database,
}: StoreConfig): Promise<ArchiveSource> {
  return database === undefined
    ? openSqliteArchiveSource(dataDirectory)
    : openPostgresArchiveSource(database)
}

/** To be filled. Throws a StoreRefusal. */
export async function openArchiveTarget({
  dataDirectory,
  database,
}: StoreConfig): Promise<ArchiveTarget> {
  return database === undefined
    ? openSqliteArchiveTarget(dataDirectory)
    : openPostgresArchiveTarget(database)
}
