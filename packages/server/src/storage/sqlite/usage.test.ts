// Operations that share a commit are written once for all of them, at its end. Each still sees what those
// before it have used.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { accountOf, sessionOf } from '../conformance/account-records.ts'
import { newKey } from '../conformance/subject.ts'
import { groupCommit } from './commit/group-commit.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './opening/open-database.ts'
import { newFolder } from './testing/store-in-folder.ts'
import { openWrites } from './threads/writes.ts'

test('within a commit, too, a key has used what the one that it replaced has, in each month its own', () => {
  const db = openDatabase(join(newFolder(), 'a.db'))
  onTestFinished(() => void db.close())
  migrate(db)
  const { procedures, notes } = openWrites(db, [])
  const commitTogether = groupCommit(db, procedures, notes)
  const commit = (...calls: [name: string, ...args: unknown[]][]) =>
    commitTogether(calls.map(([name, ...args], id) => ({ id, name, args })))
  const [account, old, next] = [accountOf(), newKey(), newKey()]
  commit(
    ['insertAccount', account, sessionOf(account.id)],
    ['insertAccountKey', account.id, old],
    ['replaceAccountKey', account.id, old.id, next],
  )
  const charge = { keyId: next.id, month: '2026-12', limit: 2 }
  const charged = commit(
    ['chargeUsage', { keyId: old.id, month: '2026-11' }],
    ['chargeUsage', { keyId: old.id, month: '2026-12' }],
    ['chargeUsage', charge],
    ['chargeUsage', charge],
  )
  expect(charged).toMatchObject([
    { result: 1 },
    { result: 1 },
    { result: 2 },
    { result: undefined },
  ])
})
