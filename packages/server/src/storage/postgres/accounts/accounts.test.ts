// Accounts that an earlier version has let in, as no insertion leaves them any more.
import { expect, inject, test } from 'vitest'
import { accountOf, linkOf } from '../../conformance/account-records.ts'
import { ownedDatabase } from '../testing/owned-database.ts'

const server = inject('postgresUrl')

test.skipIf(server === undefined)(
  'accounts from before the spellings of a domain were one are found by both, and by their own first',
  async () => {
    const { ask, store } = await ownedDatabase(server ?? '')
    const [alone, first, second] = [
      'anna@пример.рф',
      'dora@пример.рф',
      'dora@xn--e1afmkfd.xn--p1ai',
    ].map((email) => accountOf({ email }))
    for (const account of [alone, first, second]) {
      await ask(
        `INSERT INTO accounts (id, email, email_folded, role, plans, password, created_at)
         VALUES ($1, $2, $2, 'member', '[]', '', 1)`,
        [account?.id, account?.email],
      )
    }
    const { accounts, links } = store.console
    const found = async (email: string) => (await accounts.findByEmail(email))?.id
    expect(await found('Anna@xn--e1afmkfd.xn--p1ai')).toBe(alone?.id)
    expect(await found('anna@ПРИМЕР.РФ')).toBe(alone?.id)
    expect(await links.insert(linkOf({ email: 'anna@xn--e1afmkfd.xn--p1ai' }))).toBe(false)
    expect(await found('dora@Пример.рф')).toBe(first?.id)
    expect(await found('dora@XN--E1AFMKFD.xn--p1ai')).toBe(second?.id)
  },
)
