// The console's part of the store. What belongs to an account is reached through `forAccount` alone.
import type { ConsoleStore } from '../console-store.ts'
import { accountKeyStore } from './accounts/account-keys.ts'
import { accountStore } from './accounts/accounts.ts'
import { linkStore } from './accounts/links.ts'
import { sessionStore } from './accounts/sessions.ts'
import type { Database } from './connection/database.ts'
import { statisticsStore } from './statistics.ts'

export const consoleStore = (database: Database, closing: AbortSignal): ConsoleStore => ({
  accounts: accountStore(database),
  sessions: sessionStore(database),
  links: linkStore(database),
  statistics: statisticsStore(database, closing),
  forAccount: (accountId) => accountKeyStore(database, accountId),
})
