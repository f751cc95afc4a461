// Browsers of the configured origins may call and read every header that matters, and nobody else is invited.
// The whole service answers here, since it matters what is answered before the key is looked at.
import { expect, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { runService } from '../../testing/running-service.ts'

const ORIGIN = 'https://app.example.com'
const preflight = (origin: string) => ({
  headers: {
    origin,
    'access-control-request-method': 'DELETE',
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
  },
})

test('without configured origins a preflight is a wrong method, and no answer invites browsers', async () => {
  await using service = await runService()
  const { key } = await service.newKey()
  const call = apiClient(service.address, key)
  const answer = await call('OPTIONS', '/v1/memories', preflight(ORIGIN))
  expect(answer).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' })
  expect(await apiClient(service.address)('OPTIONS', '/v1/memories')).toMatchObject({ status: 401 })
  const list = await call('GET', '/v1/entities', { headers: { origin: ORIGIN } })
  for (const { headers } of [answer, list]) {
    expect(headers.has('access-control-allow-origin')).toBe(false)
  }
})

test('with configured origins their browsers may call, and no others', async () => {
  await using service = await runService({ settings: { MNEMOGRAPH_CORS_ORIGINS: ORIGIN } })
  const { key } = await service.newKey()
  const call = apiClient(service.address, key)
  const anyone = apiClient(service.address)

  const allowed = await anyone('OPTIONS', '/v1/memories/mem_x', preflight(ORIGIN))
  expect(allowed.status).toBe(204)
  expect(allowed.headers.get('access-control-allow-origin')).toBe(ORIGIN)
  expect(allowed.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, DELETE')
  expect(allowed.headers.get('access-control-allow-headers')).toContain('idempotency-key')
  expect(allowed.headers.get('x-request-id')).toBeTruthy()
  expect(allowed.headers.get('x-ratelimit-limit')).toBe('20')
  expect(allowed.headers.get('x-ratelimit-remaining')).toBe('20')

  const foreign = await anyone('OPTIONS', '/v1/memories', preflight('https://evil.example.com'))
  expect(foreign.headers.has('access-control-allow-origin')).toBe(false)

  for (const [method, path] of [
    ['GET', '/v1/entities'],
    ['GET', '/v1/memories/nobody'],
    ['GET', '/v1/nothing'],
  ] as const) {
    const answer = await call(method, path, { headers: { origin: ORIGIN } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining')
    expect(answer.headers.get('vary')).toContain('Origin')
  }
  const refused = await anyone('GET', '/v1/entities', { headers: { origin: ORIGIN } })
  expect(refused).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
  expect(refused.headers.get('access-control-allow-origin')).toBe(ORIGIN)
})

test('a script may read everything that a refusal says about waiting and quota', async () => {
  await using service = await runService({ settings: { MNEMOGRAPH_CORS_ORIGINS: ORIGIN } })
  const limits = { read: 1, write: 1, search: 1 }
  const { key } = await service.newKey({ plan: 'free', limits })
  const list = () =>
    apiClient(service.address, key)('GET', '/v1/entities', { headers: { origin: ORIGIN } })
  await list()
  const refused = await list()
  expect(refused).toMatchObject({ status: 429 })
  const exposed = refused.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
  const told = [...refused.headers.keys()].filter((name) => /^(x|retry)-/.test(name))
  expect(told).toHaveLength(8)
  expect(exposed).toEqual(expect.arrayContaining(told))
})

test('an OPTIONS that is no preflight is a wrong method or an unknown path, with CORS as without', async () => {
  await using service = await runService({ settings: { MNEMOGRAPH_CORS_ORIGINS: ORIGIN } })
  const { key } = await service.newKey()
  const call = apiClient(service.address, key)
  const known = await call('OPTIONS', '/v1/memories', { headers: { origin: ORIGIN } })
  expect(known).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' })
  const { origin: _, ...ofNobody } = preflight(ORIGIN).headers
  const withoutOrigin = await call('OPTIONS', '/v1/memories', { headers: ofNobody })
  expect(withoutOrigin).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' })
  expect(await call('OPTIONS', '/v1/nothing')).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  expect(await call('OPTIONS', '/v1/memories/')).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  expect(await apiClient(service.address)('OPTIONS', '/v1/nothing')).toMatchObject({ status: 401 })
})
