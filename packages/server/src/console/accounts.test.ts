// What no answer shows: that an unknown address is compared too, that a password which changes during its
// comparison is worth nothing, and who is expected where passwords are hashed. The comparison takes notes, and
// lets things happen meanwhile.
import { expect, test } from 'vitest'
import { createIdentify } from '../core/ids.ts'
import type { ConsoleStore } from '../storage/console-store.ts'
import { PASSWORD, setUpConsole } from '../testing/console-client.ts'
import { runService } from '../testing/running-service.ts'
import { setClock } from '../testing/set-clock.ts'
import { Accounts } from './accounts.ts'
import { LinkIssue } from './links.ts'
import { Passwords } from './passwords.ts'
import { Sessions } from './sessions.ts'
import { Throttle } from './throttle.ts'

const VISITOR = { address: '127.0.0.1', network: '127.0.0.1', userAgent: '' }

/** Remembers with what passwords were compared, and for whom there was work, expected or not. */
class SeenPasswords extends Passwords {
  readonly compared: (string | undefined)[] = []
  #applicants: boolean[] = []
  /** What somebody else does while a password is compared. */
  meanwhile = async (): Promise<void> => undefined

  override async verify(...given: Parameters<Passwords['verify']>): Promise<boolean> {
    const [, stored, { isExpected }] = given
    this.compared.push(stored)
    this.#applicants.push(isExpected)
    await this.meanwhile()
    return super.verify(...given)
  }

  override async hash(...given: Parameters<Passwords['hash']>): Promise<string> {
    const [, { isExpected }] = given
    this.#applicants.push(isExpected)
    return super.hash(...given)
  }

  /** Whether each was expected, of those since it was asked before. */
  expected(): boolean[] {
    return this.#applicants.splice(0)
  }
}

function accountsOf(store: ConsoleStore) {
  const clock = setClock()
  const identify = createIdentify(clock)
  const passwords = new SeenPasswords({ log2N: 2, r: 1, p: 1 })
  const onError = (error: unknown): never => {
    throw error
  }
  const sessions = new Sessions(store.sessions, { clock, identify, onError })
  const throttle = new Throttle(clock, async () => undefined)
  return {
    passwords,
    sessions,
    links: new LinkIssue(store.links, identify),
    accounts: new Accounts({ store, clock, identify, passwords, sessions, throttle }),
  }
}

test('an unknown address costs the comparison of a password like a known one', async () => {
  await using service = await runService()
  const { passwords, accounts } = accountsOf(service.service.store.console)
  const wrong = { code: 'WRONG_CREDENTIALS' }
  await expect(accounts.signIn('nobody@example.com', 'x', VISITOR)).rejects.toMatchObject(wrong)
  expect(passwords.compared).toEqual([undefined])
})

test('a password that is changed while it is compared lets nobody in any more, and is not changed back', async () => {
  await using service = await runService()
  const store = service.service.store.console
  const { passwords, sessions, accounts } = accountsOf(store)
  await setUpConsole(service, 'anna@example.com')
  const account = await store.accounts.findByEmail('anna@example.com')
  if (account === undefined) throw new Error('There is no account.')
  const owner = sessions.begin(VISITOR).session
  const [session] = await store.sessions.list(account.id)
  if (session === undefined) throw new Error('Nobody is signed in.')
  passwords.meanwhile = async () => {
    const exchange = { asker: session.id, compared: account.password, changed: 'another hash' }
    await store.accounts.changePassword({ ...owner, accountId: account.id }, exchange)
  }
  const change = { currentPassword: PASSWORD, newPassword: 'a password of a thief' }
  // One after the other: a sign-in that began when the password is changed already would compare the new one.
  const signIn = accounts.signIn(account.email, PASSWORD, VISITOR)
  await expect(signIn).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
  const changing = accounts.changePassword({ account, session }, change, VISITOR)
  await expect(changing).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  expect(await store.accounts.find(account.id)).toMatchObject({ password: 'another hash' })
  expect((await store.sessions.list(account.id)).map(({ id }) => id)).toEqual([owner.id])
})

test('whoever signs out while a password is compared is not signed in again by its change', async () => {
  await using service = await runService()
  const store = service.service.store.console
  const { passwords, accounts, links } = accountsOf(store)
  const { token = '' } = (await links.setUp()) ?? {}
  const entry = await accounts.useLink(
    { token, email: 'anna@example.com', password: PASSWORD },
    VISITOR,
  )
  const { account, session } = entry
  passwords.meanwhile = async () => void (await store.sessions.end(account.id, session.id))
  const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' }
  const changing = accounts.changePassword(entry, change, VISITOR)
  await expect(changing).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(await store.sessions.list(account.id)).toEqual([])
  expect(await store.accounts.find(account.id)).toMatchObject({ password: account.password })
})

test('whoever shows more than a password is expected at the hash; whoever comes from anywhere is a stranger', async () => {
  await using service = await runService()
  const { passwords, accounts, links } = accountsOf(service.service.store.console)
  const [home, elsewhere] = [VISITOR, { ...VISITOR, address: '192.0.2.1' }]
  const secret = { password: PASSWORD }
  const { token = '' } = (await links.setUp()) ?? {}
  const entry = await accounts.useLink({ token, email: 'anna@example.com', ...secret }, elsewhere)
  expect(passwords.expected(), 'with a link').toEqual([true])
  const change = { currentPassword: PASSWORD, newPassword: PASSWORD }
  await accounts.changePassword(entry, change, elsewhere)
  expect(passwords.expected(), 'with a session').toEqual([true, true])
  const signIn = (from: typeof VISITOR) => accounts.signIn('anna@example.com', PASSWORD, from)
  await signIn(home)
  expect(passwords.expected(), 'signing in for the first time').toEqual([false])
  await signIn(home)
  expect(passwords.expected(), 'signing in again').toEqual([true])
  await signIn(elsewhere)
  expect(passwords.expected(), 'signing in from elsewhere').toEqual([false])
  await accounts.signUp('bea@example.com', PASSWORD, home)
  expect(passwords.expected(), 'signing up').toEqual([false])
})

test('a link that opens nothing costs no hash', async () => {
  await using service = await runService()
  const { passwords, accounts } = accountsOf(service.service.store.console)
  const use = { token: 'guessed', email: 'anna@example.com', password: PASSWORD }
  await expect(accounts.useLink(use, VISITOR)).rejects.toMatchObject({ code: 'LINK_NOT_VALID' })
  expect(passwords.expected()).toEqual([])
})
