// The console's part of the store, each call handed to the thread that answers it. Sessions and the
// keys of an account are looked up on the calling thread, like the keys of /v1: point reads that
// see what any process committed, such as the end of a session.
import type { ConsoleStore } from '../console-store.ts'
import { untilDone } from '../until-done.ts'
import { accountKeyReads } from './account-keys.ts'
import { accountReads } from './accounts/accounts.ts'
import { sessionReads } from './accounts/sessions.ts'
import { withStoreErrors } from './failure.ts'
import type { Connection } from './opening/open-database.ts'
import type { Threads } from './threads/threads.ts'

export function consoleStore(
  db: Connection,
  { writer, reader }: Threads,
  closing: AbortSignal,
): ConsoleStore {
  const sessions = sessionReads(db)
  const accounts = accountReads(db)
  const keys = accountKeyReads(db)
  return {
    accounts: {
      find: (id) => reader.call('findAccount', id),
      findByEmail: (email) => reader.call('findAccountByEmail', email),
      list: () => reader.call('listAccounts'),
      insert: (account, session) => writer.call('insertAccount', account, session),
      signIn: (...args) => writer.call('signIn', ...args),
      changePassword: (...args) => writer.call('changePassword', ...args),
    },
    sessions: {
      findByHash: async (hash) =>
        withStoreErrors(() => {
          const session = sessions.findByHash(hash)
          const account = session && accounts.find(session.accountId)
          return session && account && { session, account }
        }),
      list: (accountId) => reader.call('listSessions', accountId),
      touch: (id, lastSeenAt) => writer.call('touchSession', id, lastSeenAt),
      end: (accountId, id) => writer.call('endSession', accountId, id),
      endOthers: (accountId, id) => writer.call('endOtherSessions', accountId, id),
      expire: (before) => writer.call('expireSessions', before),
    },
    links: {
      insert: (link) => writer.call('insertLink', link),
      find: (tokenHash, now) => reader.call('findLink', tokenHash, now),
      use: (use) => writer.call('useLink', use),
      invitations: (now) => reader.call('listInvitations', now),
      withdraw: (id) => writer.call('withdrawInvitation', id),
      expire: (now) => writer.call('expireLinks', now),
    },
    statistics: {
      read: (keyId, days) => reader.call('readStatistics', keyId, days),
      months: (keyId) => reader.call('listStatisticsMonths', keyId),
      expire: (day) => untilDone(() => writer.call('expireStatistics', day), closing),
    },
    forAccount: (accountId) => ({
      list: (month) => reader.call('listAccountKeys', accountId, month),
      find: async (id) => withStoreErrors(() => keys.find(accountId, id)),
      insert: (key) => writer.call('insertAccountKey', accountId, key),
      revoke: (id) => writer.call('revokeAccountKey', accountId, id),
      replace: (id, key) => writer.call('replaceAccountKey', accountId, id, key),
      purge: (id, now) => writer.call('purgeAccountKey', accountId, id, now),
    }),
  }
}
