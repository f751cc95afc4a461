// Accounts that an earlier version has let in, as no insertion leaves them any more, and one of many keys.
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

test.skipIf(server === undefined)(
  'the keys of an account are listed with their usage however often one was replaced',
  async () => {
    const { ask, store, newSpace } = await ownedDatabase(server ?? '')
    const [space, replacements, month] = [await newSpace(), 1_500, '2026-11']
    await ask("INSERT INTO accounts VALUES ('acc_1', 'a@b.c', 'a@b.c', 'member', '[]', '', 1)")
    await ask(
      `INSERT INTO keys (id, space_no, name, hash, plan, status, created_at, account_id, replaces_id)
       SELECT 'key_' || no, $1, '', int8send(no), 'free', 'revoked', no, 'acc_1',
         CASE WHEN no > 0 THEN 'key_' || no - 1 END
       FROM generate_series(0::bigint, $2) AS no`,
      [space, replacements],
    )
    await ask("INSERT INTO usage SELECT id, $1, 2 FROM keys WHERE account_id = 'acc_1'", [month])
    const keys = await store.console.forAccount('acc_1').list(month)
    expect(keys).toHaveLength(1 + replacements)
    expect(keys.map(({ used }) => used)).toEqual(
      Array.from(keys, (_, place) => 2 * (1 + replacements - place)),
    )
  },
)
