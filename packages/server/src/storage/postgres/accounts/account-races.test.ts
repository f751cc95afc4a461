// What happens to accounts while another instance is about to commit something: whoever comes second waits for it, and
// sees it.
import { describe, expect, inject, test } from 'vitest'
import {
  accountOf,
  linkOf,
  NOW,
  sessionOf,
  setUpLinkOf,
  useOf,
} from '../../conformance/account-records.ts'
import { newKey } from '../../conformance/subject.ts'
import type { NewAccount } from '../../console-store.ts'
import type { Store } from '../../store.ts'
import { beforeCommit } from '../testing/before-commit.ts'
import { ownedDatabase } from '../testing/owned-database.ts'

const server = inject('postgresUrl')

async function member({ console }: Store): Promise<NewAccount> {
  const account = accountOf()
  await console.accounts.insert(account, sessionOf(account.id))
  return account
}

describe.skipIf(server === undefined)('beside what is about to be committed', () => {
  test('a set-up link that is asked for while the first account is made is refused', async () => {
    const { store, options } = await ownedDatabase(server ?? '')
    const [link, late] = [setUpLinkOf(), setUpLinkOf()]
    await store.console.links.insert(link)
    const inserted = await beforeCommit(
      options.url,
      `SELECT 1 FROM links WHERE id = '${link.id}' FOR UPDATE;
       INSERT INTO accounts (id, email, email_folded, role, plans, password, created_at)
       VALUES ('acc_first', 'a@example.com', 'a@example.com', 'administrator', '[]', '', 1);
       DELETE FROM links WHERE id = '${link.id}'`,
      () => store.console.links.insert(late),
    )
    expect(inserted).toBe(false)
    expect(await store.console.links.find(late.tokenHash, NOW)).toBeUndefined()
  })

  test('a key that is being stored while the first account is made is adopted too', async () => {
    const { store, options } = await ownedDatabase(server ?? '')
    const { id } = newKey()
    const link = setUpLinkOf()
    await store.console.links.insert(link)
    const use = useOf(link)
    await beforeCommit(
      options.url,
      `INSERT INTO spaces (created_at) VALUES (1);
       INSERT INTO keys (id, space_no, name, hash, plan, status, created_at)
       SELECT '${id}', no, 'key', '\\x00', 'free', 'active', 1 FROM spaces`,
      () => store.console.links.use(use),
    )
    expect(await store.console.forAccount(use.account.id).find(id)).toMatchObject({ id })
  })

  test('an invitation of somebody who is making an account is refused when it is made', async () => {
    const { store, options } = await ownedDatabase(server ?? '')
    await member(store)
    const link = linkOf({ email: 'making@example.com' })
    await store.console.links.insert(link)
    const inserted = await beforeCommit(
      options.url,
      `SELECT 1 FROM links WHERE id = '${link.id}' FOR UPDATE;
       INSERT INTO accounts (id, email, email_folded, role, plans, password, created_at)
       VALUES ('acc_making', '${link.email}', '${link.email}', 'member', '[]', '', 1);
       DELETE FROM links WHERE id = '${link.id}'`,
      () => store.console.links.insert(linkOf({ email: 'Making@example.com' })),
    )
    expect(inserted).toBe(false)
    const invitations = await store.console.links.invitations(NOW)
    expect(invitations.filter(({ email }) => /making/i.test(email ?? ''))).toEqual([])
  })

  test('a sign-in with a password that is being changed waits for the change, and begins nothing', async () => {
    const { store, options } = await ownedDatabase(server ?? '')
    const { id, password: compared } = await member(store)
    const isBegun = await beforeCommit(
      options.url,
      `UPDATE accounts SET password = 'changed' WHERE id = '${id}';
       DELETE FROM sessions WHERE account_id = '${id}'`,
      () => store.console.accounts.signIn(sessionOf(id), { compared }),
    )
    expect(isBegun).toBe(false)
    expect(await store.console.sessions.list(id)).toEqual([])
  })

  test('a password that is being changed is not changed once more by whoever has compared the old one', async () => {
    const { store, options } = await ownedDatabase(server ?? '')
    const { id, password: compared } = await member(store)
    const [asker] = await store.console.sessions.list(id)
    const change = { asker: asker?.id ?? '', compared, changed: 'of a thief' }
    const outcome = await beforeCommit(
      options.url,
      `UPDATE accounts SET password = 'changed' WHERE id = '${id}'`,
      () => store.console.accounts.changePassword(sessionOf(id), change),
    )
    expect(outcome).toBe('outdated')
    expect(await store.console.accounts.find(id)).toMatchObject({ password: 'changed' })
  })
})
