import { expect, test } from 'vitest'
import { createIdentify } from '../core/ids.ts'
import type { ConsoleStore } from '../storage/console-store.ts'
import { runService } from '../testing/running-service.ts'
import { setClock } from '../testing/set-clock.ts'
import { Accounts } from './accounts.ts'
import { Passwords } from './passwords.ts'
import { Sessions } from './sessions.ts'
import { Throttle } from './throttle.ts'

const VISITOR = { address: '127.0.0.1', userAgent: '' }

/** Remembers with what passwords were compared. */
class SeenPasswords extends Passwords {
  readonly compared: (string | undefined)[] = []

  override verify(password: string, stored: string | undefined): Promise<boolean> {
    this.compared.push(stored)
    return super.verify(password, stored)
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
