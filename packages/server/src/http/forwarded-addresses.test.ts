// Behind a proxy, whoever fails again and again is known by the address that the proxy names, however
// it writes it.
import { afterAll, expect, test } from 'vitest'
import { FAILED_AUTHENTICATIONS_MAX } from '../contract/plans.ts'
import { apiClient } from '../testing/api-client.ts'
import { runService } from '../testing/running-service.ts'

const service = await runService({ settings: { MNEMOGRAPH_TRUSTED_PROXIES: '127.0.0.1' } })
afterAll(() => service[Symbol.asyncDispose]())

const remainingFor = async (forwardedFor: string): Promise<number> => {
  const headers = { 'x-forwarded-for': forwardedFor }
  const answer = await apiClient(service.address)('GET', '/v1/memories', { headers })
  return Number(answer.headers.get('x-ratelimit-remaining'))
}

test.each([
  ['the port of each connection', (port: number) => `192.0.2.7:${port}`],
  ['brackets and the port', (port: number) => `[2001:db8::${port}]:${port}`],
  ['a name of its own for each request', (port: number) => `unknown-${port}`],
  ['brackets behind other addresses', (port: number) => `192.0.2.${port}, [2001:db8:1::]:${port}`],
])('a proxy that writes %s opens one bucket for its caller', async (_, text) => {
  expect(await remainingFor(text(1))).toBe(FAILED_AUTHENTICATIONS_MAX - 1)
  expect(await remainingFor(text(2))).toBe(FAILED_AUTHENTICATIONS_MAX - 2)
})
