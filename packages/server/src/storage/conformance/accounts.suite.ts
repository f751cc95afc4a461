// Accounts of the console and their sessions.
import { describe, expect, test } from 'vitest'
import type { NewAccount } from '../console-store.ts'
import {
  accountOf,
  hashOf,
  linkOf,
  NOW,
  newMember,
  resetOf,
  sessionOf,
  setUpLinkOf,
  useOf,
} from './account-records.ts'
import type { Subject } from './subject.ts'

export function accountsSuite(subject: () => Subject): void {
  const store = () => subject().store.console
  const member = (given?: Partial<NewAccount>) => newMember(subject(), given)

  // First: it looks at a store without any account.
  describe('the first account', () => {
    test('nobody is invited before it, or a member would be there and no administrator', async () => {
      const invitation = linkOf()
      expect(await store().links.insert(invitation)).toBe(false)
      expect(await store().links.find(invitation.tokenHash, NOW)).toBeUndefined()
    })

    test('of twenty uses of a set-up link one succeeds, and it adopts keys that are nobody’s', async () => {
      const { keyId } = await subject().newSpace()
      const link = setUpLinkOf()
      expect(await store().links.insert(link)).toBe(true)
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => store().links.use(useOf(link))),
      )
      const used = outcomes.filter((outcome) => outcome.kind === 'used')
      expect(used).toHaveLength(1)
      expect(outcomes.filter(({ kind }) => kind === 'not-valid')).toHaveLength(19)
      const accounts = await store().accounts.list()
      expect(accounts).toEqual(used.map(({ account }) => account))
      expect(accounts[0]?.role).toBe('administrator')
      const later = await subject().newSpace()
      const owned = store().forAccount(accounts[0]?.id ?? '')
      expect(await owned.find(keyId)).toMatchObject({ id: keyId, status: 'active' })
      expect(await owned.find(later.keyId)).toMatchObject({ id: later.keyId })
    })

    test('with any account there is no set-up any more', async () => {
      expect(await store().links.insert(setUpLinkOf())).toBe(false)
    })

    test('a key that is nobody’s is the administrator’s, whoever else has an account', async () => {
      const first = accountOf({ id: 'acc_000000' })
      await store().accounts.insert(first, sessionOf(first.id))
      const { keyId } = await subject().newSpace()
      const accounts = await store().accounts.list()
      const administrator = accounts.find(({ role }) => role === 'administrator')
      expect(
        await store()
          .forAccount(administrator?.id ?? '')
          .find(keyId),
      ).toBeDefined()
      expect(await store().forAccount(first.id).find(keyId)).toBeUndefined()
    })
  })

  describe('accounts', () => {
    test('come back as given, whatever the letter case of the address', async () => {
      const { account } = await member()
      const record = { ...account, role: 'member' }
      expect(await store().accounts.find(account.id)).toStrictEqual(record)
      expect(await store().accounts.findByEmail(account.email.toUpperCase())).toStrictEqual(record)
      expect(await store().accounts.list()).toContainEqual(record)
      expect(await store().accounts.find('acc_none')).toBeUndefined()
      expect(await store().accounts.findByEmail('none@example.com')).toBeUndefined()
    })

    test('have one address, whichever way its domain is written', async () => {
      const [typed, sent] = ['Dóra@ПРИМЕР.РФ', 'dóra@xn--e1afmkfd.xn--p1ai']
      const { account } = await member({ email: typed })
      const record = { ...account, role: 'member' }
      for (const email of [typed, sent, 'do\u0301ra@пример.рф']) {
        expect(await store().accounts.findByEmail(email), email).toStrictEqual(record)
        const another = accountOf({ email })
        const inserted = store().accounts.insert(another, sessionOf(another.id))
        expect(await inserted).toBe('email-taken')
        expect(await store().links.insert(linkOf({ email }))).toBe(false)
      }
    })

    test('have one address also where it is typed with signs that no domain keeps', async () => {
      // As an input method for Japanese gives them, and as a browser sends them.
      const [typed, sent] = ['ken@ｅxample。com', 'ken@example.com']
      const { account } = await member({ email: typed })
      expect(await store().accounts.findByEmail(sent)).toMatchObject({ id: account.id })
      const another = accountOf({ email: sent })
      expect(await store().accounts.insert(another, sessionOf(another.id))).toBe('email-taken')
      expect(await store().links.insert(linkOf({ email: sent }))).toBe(false)
    })

    test('are listed in the order in which they were made, whatever their ids', async () => {
      const ids = ['acc_z', 'acc_y']
      for (const id of ids) await store().accounts.insert(accountOf({ id }), sessionOf(id))
      const listed = (await store().accounts.list()).map(({ id }) => id)
      expect(listed.slice(-2)).toEqual(ids)
    })

    test.each(['id\0', '', '%'])(
      'an id that nothing has finds and ends nothing: %j',
      async (id) => {
        const { account, session } = await member()
        const link = linkOf()
        await store().links.insert(link)
        expect(await store().accounts.find(id)).toBeUndefined()
        expect(await store().sessions.end(account.id, id)).toBe(false)
        expect(await store().links.withdraw(id)).toBe(false)
        expect(await store().sessions.list(account.id)).toMatchObject([{ id: session.id }])
        expect(await store().links.find(link.tokenHash, NOW)).toMatchObject({ id: link.id })
      },
    )

    test('of simultaneous ones with one address one is stored, with its session', async () => {
      const email = 'same@example.com'
      const all = Array.from({ length: 10 }, (_, n) =>
        accountOf({ email: n % 2 === 0 ? email : email.toUpperCase() }),
      )
      const sessions = all.map(({ id }) => sessionOf(id))
      const outcomes = await Promise.all(
        all.map((account, n) => store().accounts.insert(account, sessions[n] ?? sessionOf(''))),
      )
      expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1)
      const found = await Promise.all(
        sessions.map(({ tokenHash }) => store().sessions.findByHash(tokenHash)),
      )
      expect(found.filter((each) => each !== undefined)).toHaveLength(1)
    })

    test('a changed password ends every session and reset link of its account, and begins the given one', async () => {
      const [{ account, session }, other] = [await member(), await member()]
      const [reset, otherReset] = [resetOf(account), resetOf(other.account)]
      await store().links.insert(reset)
      await store().links.insert(otherReset)
      const next = sessionOf(account.id)
      const change = { asker: session.id, compared: account.password, changed: 'new hash' }
      expect(await store().accounts.changePassword(next, change)).toBe('changed')
      expect(await store().accounts.find(account.id)).toMatchObject({ password: 'new hash' })
      expect(await store().sessions.findByHash(session.tokenHash)).toBeUndefined()
      expect(await store().sessions.findByHash(next.tokenHash)).toBeDefined()
      expect(await store().links.find(reset.tokenHash, NOW)).toBeUndefined()
      expect(await store().sessions.findByHash(other.session.tokenHash)).toBeDefined()
      expect(await store().links.find(otherReset.tokenHash, NOW)).toBeDefined()
    })

    test('who has compared a password that was changed since begins no session and changes nothing', async () => {
      const { account, session } = await member()
      const [late, later] = [sessionOf(account.id), sessionOf(account.id)]
      const own = sessionOf(account.id)
      const compared = account.password
      const asker = session.id
      await store().accounts.changePassword(own, { asker, compared, changed: 'new hash' })
      const renewed = 'the old password, hashed anew'
      expect(await store().accounts.signIn(late, { compared, renewed })).toBe(false)
      expect(await store().accounts.signIn(late, { compared })).toBe(false)
      const change = { asker: own.id, compared, changed: 'x' }
      expect(await store().accounts.changePassword(later, change)).toBe('outdated')
      expect(await store().accounts.find(account.id)).toMatchObject({ password: 'new hash' })
      const sessions = await store().sessions.list(account.id)
      expect(sessions.map(({ id }) => id)).toEqual([own.id])
      expect(await store().sessions.findByHash(session.tokenHash)).toBeUndefined()
    })

    test('who has signed out since begins no session with a changed password and changes nothing', async () => {
      const { account, session } = await member()
      const elsewhere = sessionOf(account.id)
      await store().accounts.signIn(elsewhere, { compared: account.password })
      await store().links.insert(resetOf(account))
      await store().sessions.end(account.id, session.id)
      const change = { asker: session.id, compared: account.password, changed: 'new hash' }
      const late = sessionOf(account.id)
      expect(await store().accounts.changePassword(late, change)).toBe('signed-out')
      expect(await store().accounts.find(account.id)).toMatchObject({ password: account.password })
      const sessions = await store().sessions.list(account.id)
      expect(sessions.map(({ id }) => id)).toEqual([elsewhere.id])
    })

    test('a password that is hashed anew takes the place of the old hash', async () => {
      const { account } = await member()
      const passwords = { compared: account.password, renewed: 'hashed anew' }
      expect(await store().accounts.signIn(sessionOf(account.id), passwords)).toBe(true)
      expect(await store().accounts.find(account.id)).toMatchObject({ password: 'hashed anew' })
    })
  })

  describe('sessions', () => {
    test('are found by their hash alone, with their account, and listed newest first', async () => {
      const { account, session } = await member()
      const second = sessionOf(account.id)
      expect(await store().accounts.signIn(second, { compared: account.password })).toBe(true)
      const { tokenHash, ...shown } = session
      const found = await store().sessions.findByHash(tokenHash)
      expect(found?.session).toStrictEqual(shown)
      expect(found?.account).toStrictEqual({ ...account, role: 'member' })
      expect(await store().sessions.findByHash(hashOf('nothing'))).toBeUndefined()
      const listed = await store().sessions.list(account.id)
      expect(listed.map(({ id }) => id)).toEqual([second.id, session.id])
    })

    test('are ended by their account only', async () => {
      const [mine, other] = [await member(), await member()]
      expect(await store().sessions.end(other.account.id, mine.session.id)).toBe(false)
      await store().sessions.endOthers(other.account.id, other.session.id)
      expect(await store().sessions.findByHash(mine.session.tokenHash)).toBeDefined()
      expect(await store().sessions.end(mine.account.id, mine.session.id)).toBe(true)
      expect(await store().sessions.end(mine.account.id, mine.session.id)).toBe(false)
      expect(await store().sessions.findByHash(mine.session.tokenHash)).toBeUndefined()
    })

    test('all but one of an account are ended at once, and none of another', async () => {
      const [{ account, session }, other] = [await member(), await member()]
      const compared = account.password
      const [kept, third] = [sessionOf(account.id), sessionOf(account.id)]
      for (const each of [kept, third]) await store().accounts.signIn(each, { compared })
      await store().sessions.endOthers(account.id, kept.id)
      expect((await store().sessions.list(account.id)).map(({ id }) => id)).toEqual([kept.id])
      expect(await store().sessions.findByHash(session.tokenHash)).toBeUndefined()
      expect(await store().sessions.findByHash(other.session.tokenHash)).toBeDefined()
    })

    test('were last seen at the latest time given, and expire by either time', async () => {
      const { account } = await member()
      const [idle, over, alive] = [
        sessionOf(account.id, { lastSeenAt: 10, endsAt: NOW }),
        sessionOf(account.id, { lastSeenAt: 1000, endsAt: 50 }),
        sessionOf(account.id, { lastSeenAt: 1000, endsAt: NOW }),
      ]
      const compared = account.password
      for (const each of [idle, over, alive]) await store().accounts.signIn(each, { compared })
      await store().sessions.touch(alive.id, 2000)
      await store().sessions.touch(alive.id, 1500)
      await store().sessions.expire({ lastSeenAt: 100, endsAt: 100 })
      const left = await store().sessions.list(account.id)
      expect(left.map(({ id }) => id)).not.toContain(idle.id)
      expect(left.map(({ id }) => id)).not.toContain(over.id)
      expect(left.find(({ id }) => id === alive.id)?.lastSeenAt).toBe(2000)
    })
  })
}
