import { expect, test } from 'vitest'
import { createIdentify } from '../core/ids.ts'
import type { SessionStore } from '../storage/console-store.ts'
import { setClock } from '../testing/set-clock.ts'
import { Sessions } from './sessions.ts'

test('where nothing can be written a session still opens the door', async () => {
  const clock = setClock()
  const full = new Error('The storage is full.')
  const account = { id: 'acc_1', email: 'a@example.com', role: 'member', plans: [] } as const
  let stored: Awaited<ReturnType<SessionStore['findByHash']>>
  const store: SessionStore = {
    findByHash: async () => stored,
    list: async () => [],
    touch: async () => {
      throw full
    },
    end: async () => false,
    endOthers: async () => undefined,
    expire: async () => undefined,
  }
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const sessions = new Sessions(store, { clock, identify: createIdentify(clock), onError })
  const { token, session } = sessions.begin({ address: '127.0.0.1', userAgent: '' })
  stored = {
    session: { ...session, accountId: account.id },
    account: { ...account, plans: [], password: '', createdAt: 0 },
  }
  clock.pass(60_000)
  expect(await sessions.find(token, { isActivity: true })).toBe(stored)
  expect(errors).toEqual([full])
})
