// One-time links: invitations, resets of a password, and the set-up of the first account.
import { beforeAll, describe, expect, test } from 'vitest'
import { accountOf, linkOf, NOW, newMember, resetOf, sessionOf, useOf } from './account-records.ts'
import type { Subject } from './subject.ts'

export function linksSuite(subject: () => Subject): void {
  const store = () => subject().store.console
  const member = () => newMember(subject())

  describe('links', () => {
    // Nobody is invited where there is no account.
    beforeAll(() => member())

    test('come back until they run out, and are used once', async () => {
      const [link, other] = [linkOf({ plans: ['free', 'enterprise'] }), linkOf()]
      const { tokenHash, ...shown } = link
      expect(await store().links.insert(link)).toBe(true)
      expect(await store().links.insert(other)).toBe(true)
      expect(await store().links.find(tokenHash, NOW + 999)).toStrictEqual(shown)
      expect(await store().links.find(tokenHash, NOW + 1000)).toBeUndefined()
      expect(await store().links.use(useOf(link, NOW + 1000))).toEqual({ kind: 'not-valid' })
      const uses = await Promise.all(
        Array.from({ length: 10 }, () => store().links.use(useOf(link))),
      )
      expect(uses.filter(({ kind }) => kind === 'used')).toHaveLength(1)
      expect(await store().links.find(other.tokenHash, NOW)).toMatchObject({ id: other.id })
      const account = await store().accounts.findByEmail(link.email ?? '')
      expect(account).toMatchObject({ email: link.email, plans: link.plans, role: 'member' })
    })

    test('an invitation takes the place of an earlier one of its person, and is not for those with an account', async () => {
      const email = 'twice@example.com'
      const [first, second] = [linkOf({ email }), linkOf({ email: email.toUpperCase() })]
      const other = linkOf()
      for (const link of [other, first, second]) await store().links.insert(link)
      expect(await store().links.find(other.tokenHash, NOW)).toBeDefined()
      expect(await store().links.find(first.tokenHash, NOW)).toBeUndefined()
      expect(await store().links.find(second.tokenHash, NOW)).toBeDefined()
      const { account } = await member()
      expect(await store().links.insert(linkOf({ email: account.email.toLowerCase() }))).toBe(false)
    })

    test.each(['invitation', 'reset'] as const)(
      'of one address there is one %s, in whatever letters it is written, and nothing of an earlier one',
      async (kind) => {
        const [other, { account }] = [await member(), await member()]
        const accountIds = [other.account.id, other.account.id, account.id]
        // Composed and small, composed and large, decomposed; the domain in its letters and in Punycode.
        const domains = ['bücher.example', 'xn--bcher-kva.example', 'BÜCHER.example']
        const links = ['ömer', 'Ömer', 'O\u0308mer'].map((name, n) =>
          linkOf({
            kind,
            email: `${name}@${domains[n]}`,
            accountId: kind === 'reset' ? accountIds[n] : undefined,
            plans: n === 2 ? ['hobby', 'free'] : ['free'],
            createdAt: NOW + n,
            expiresAt: NOW + 1_000 + n,
          }),
        )
        for (const link of links) await store().links.insert(link)
        const found = await Promise.all(
          links.map(({ tokenHash }) => store().links.find(tokenHash, NOW)),
        )
        const [, , last = linkOf()] = links
        const { tokenHash: _, ...shown } = last
        expect(found).toStrictEqual([undefined, undefined, shown])
      },
    )

    test('an invitation of somebody who got an account meanwhile stays as it was, as does the account', async () => {
      const link = linkOf({ email: 'meanwhile@example.com' })
      await store().links.insert(link)
      const account = accountOf({ email: 'Meanwhile@example.com' })
      await store().accounts.insert(account, sessionOf(account.id))
      expect(await store().links.use(useOf(link))).toEqual({ kind: 'email-taken' })
      expect(await store().accounts.findByEmail('meanwhile@example.com')).toMatchObject({
        id: account.id,
        password: account.password,
      })
      expect(await store().links.find(link.tokenHash, NOW)).toMatchObject({ id: link.id })
    })

    test('a reset sets the password of its account once, and ends its sessions but the new one', async () => {
      const [{ account, session }, other] = [await member(), await member()]
      const link = resetOf(account)
      await store().links.insert(link)
      const use = useOf(link)
      expect(await store().links.use(use)).toMatchObject({
        kind: 'used',
        account: { id: account.id, password: use.password },
      })
      expect(await store().sessions.findByHash(session.tokenHash)).toBeUndefined()
      expect(await store().sessions.findByHash(use.session.tokenHash)).toMatchObject({
        account: { id: account.id },
      })
      expect(await store().sessions.findByHash(other.session.tokenHash)).toMatchObject({
        account: { id: other.account.id, password: other.account.password },
      })
      expect(await store().links.use(useOf(link))).toEqual({ kind: 'not-valid' })
      expect(await store().accounts.find(account.id)).toMatchObject({ password: use.password })
    })

    test('a link that is no invitation is not listed as one, and not withdrawn', async () => {
      const { account } = await member()
      const reset = resetOf(account)
      await store().links.insert(reset)
      const listed = await store().links.invitations(NOW)
      expect(listed.map(({ id }) => id)).not.toContain(reset.id)
      expect(await store().links.withdraw(reset.id)).toBe(false)
      expect(await store().links.find(reset.tokenHash, NOW)).toMatchObject({ id: reset.id })
    })

    test('open invitations are listed newest first, can be withdrawn, and expire', async () => {
      const [open, gone] = [linkOf(), linkOf({ createdAt: NOW + 1, expiresAt: NOW + 10 })]
      await store().links.insert(open)
      await store().links.insert(gone)
      const listed = async (now: number) =>
        (await store().links.invitations(now)).map(({ id }) => id)
      const both = [gone.id, open.id]
      expect((await listed(NOW)).filter((id) => both.includes(id))).toEqual(both)
      expect(await listed(NOW + 10)).not.toContain(gone.id)
      await store().links.expire(NOW + 10)
      expect(await listed(NOW)).not.toContain(gone.id)
      expect(await store().links.withdraw(open.id)).toBe(true)
      expect(await store().links.withdraw(open.id)).toBe(false)
      expect(await store().links.use(useOf(open))).toEqual({ kind: 'not-valid' })
    })
  })
}
