// What has run out is no longer valid anyway; here it is gone from the store as well, without anybody asking.
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashToken } from './console/secrets.ts'
import { apiClient } from './testing/api-client.ts'
import { setUpConsole } from './testing/console-client.ts'
import { runService } from './testing/running-service.ts'
import { setClock } from './testing/set-clock.ts'

const HOUR_MS = 60 * 60 * 1000

test('a running service forgets every hour what has run out: sessions, links and answers to repeated creates', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const clock = setClock()
  await using service = await runService({ clock })
  const { store } = service.service
  await setUpConsole(service)
  const [account] = await store.console.accounts.list()
  const invitation = hashToken((await service.console.links.invite('bea@example.com'))?.token ?? '')
  const { id, key } = await service.newKey()
  const made = await apiClient(service.address, key)('POST', '/v1/entities', {
    json: { name: 'a', type: 'OTHER' },
    headers: { 'idempotency-key': 'once' },
  })
  expect(made.status).toBe(201)
  // As long as something is kept it is found by an earlier time.
  const kept = async () => [
    (await store.console.sessions.list(account?.id ?? '')).length,
    (await store.console.links.find(invitation, 0)) !== undefined,
    (await store.idempotency.find(id, 'once', 0)) !== undefined,
  ]
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  expect(await kept()).toEqual([1, true, true])
  clock.pass(7 * 24 * HOUR_MS + 1)
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  await expect.poll(kept).toEqual([0, false, false])
})
