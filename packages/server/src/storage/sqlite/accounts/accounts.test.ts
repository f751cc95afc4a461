// Accounts that an earlier version has let in, as no insertion leaves them any more.
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { accountOf, linkOf } from '../../conformance/account-records.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { openIn } from '../testing/store-in-folder.ts'

test('accounts from before the spellings of a domain were one are found by both, and by their own first', async () => {
  const directory = newFolder()
  const store = await openIn(directory)
  const db = openDatabase(databaseFile(directory))
  onTestFinished(() => {
    db.close()
  })
  const [alone, first, second] = [
    'anna@пример.рф',
    'dora@пример.рф',
    'dora@xn--e1afmkfd.xn--p1ai',
  ].map((email) => accountOf({ email }))
  const insert = db.prepare(
    `INSERT INTO accounts (id, email, email_folded, role, plans, password, created_at)
     VALUES (:id, :email, :email, 'member', '[]', '', 1)`,
  )
  for (const account of [alone, first, second]) {
    insert.run({ id: account?.id, email: account?.email })
  }
  const { accounts, links } = store.console
  const found = async (email: string) => (await accounts.findByEmail(email))?.id
  expect(await found('Anna@xn--e1afmkfd.xn--p1ai')).toBe(alone?.id)
  expect(await found('anna@ПРИМЕР.РФ')).toBe(alone?.id)
  expect(await links.insert(linkOf({ email: 'anna@xn--e1afmkfd.xn--p1ai' }))).toBe(false)
  expect(await found('dora@Пример.рф')).toBe(first?.id)
  expect(await found('dora@XN--E1AFMKFD.xn--p1ai')).toBe(second?.id)
})
