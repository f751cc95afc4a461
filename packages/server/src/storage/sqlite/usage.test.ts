// Operations that share a commit are written once for all of them, at its end. Each still sees what those
// before it have used.
import { expect, test } from 'vitest'
import { accountOf, sessionOf } from '../conformance/account-records.ts'
import { newKey } from '../conformance/subject.ts'
import { groupedWrites } from './testing/grouped-writes.ts'

test('within a commit, too, a key has used what the one that it replaced has, in each month its own', () => {
  const { commit } = groupedWrites()
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
