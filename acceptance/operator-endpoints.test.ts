/**
 * What an operator meets outside /v1: liveness, readiness, metrics and the reference page. None
 * of it needs a key, and none of it shows a user's data.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { Client } from './harness/client.ts'
import { createRecords, type Records } from './harness/operations.ts'
import { anyClient, describeManaged, freshClient, serviceUrl } from './harness/service.ts'

const open = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(serviceUrl + path, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('endpoints for operators', () => {
  test('livez and readyz answer 200 without a key', async () => {
    for (const path of ['/livez', '/readyz']) {
      const answer = await open(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-request-id')).toMatch(/\S/)
      expect((await open(path, { method: 'HEAD' })).status).toBe(200)
    }
  })

  test('liveness is answered quickly while long texts are embedded', async () => {
    const client = await anyClient()
    const content = 'Many words keep the embedder busy for a while. '.repeat(200)
    const busy = Array.from({ length: 8 }, () =>
      client.post('/v1/memories', { content, userId: 'busy' }),
    )
    const times: number[] = []
    for (let index = 0; index < 20; index += 1) {
      const startedAt = performance.now()
      expect((await open('/livez')).status).toBe(200)
      times.push(performance.now() - startedAt)
    }
    await Promise.all(busy)
    const median = times.sort((a, b) => a - b)[10] ?? Number.POSITIVE_INFINITY
    expect(median).toBeLessThan(250)
  })

  test('an unknown path outside /v1 is 404', async () => {
    for (const path of ['/', '/v2/memories', '/admin', '/.env', '/livez/x']) {
      if (path === '/') expect((await open(path)).status).toBeLessThan(500)
      else expect((await open(path)).status).toBe(404)
    }
  })

  test('the reference page works offline: it loads nothing from another host', async () => {
    const page = await open('/docs')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    const loaded = [...page.text.matchAll(/<(?:script|link|img)[^>]*?(?:src|href)="([^"]+)"/g)]
    for (const [, address = ''] of loaded) {
      expect(address).not.toMatch(/^(https?:)?\/\//)
      if (address.startsWith('data:')) continue
      const base = new URL(page.text.includes('<base') ? '/docs/' : '/docs', serviceUrl)
      const part = await fetch(new URL(address, base))
      expect(part.status, address).toBe(200)
    }
  })
})

describeManaged('metrics', () => {
  const canary = 'metricscanary7'
  let records: Records
  let client: Client
  beforeAll(async () => {
    client = await freshClient()
    records = await createRecords(client)
    await client.get(`/v1/memories/${records.memory.id}?x=${canary}`)
    await client.get(`/v1/memories?userId=${canary}`)
    await client.get(`/v1/${canary}/x`)
    await client.get(`/v1/entities/${canary}`)
    await client.post('/v1/memories/search', { query: canary })
  })

  test('metrics are in the text format of Prometheus, with route templates as labels', async () => {
    const { status, headers, text } = await open('/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(text).toMatch(/^# TYPE \S+ histogram$/m)
    expect(text).toMatch(/^# TYPE \S+ counter$/m)
    expect(text).toMatch(/\/v1\/memories\/[:{]id/)
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^($|#|[a-zA-Z_:][\w:]*(\{.*\})? [-+\w.]+$)/)
    }
  })

  test('metrics hold no id, no key and no text of a user', async () => {
    const { text } = await open('/metrics')
    const { memory, source, relation } = records
    for (const secret of [memory.id, source.id, relation.id, client.key, canary]) {
      expect(text).not.toContain(secret)
    }
    expect(text).not.toMatch(/\b(mem|ent|rel)_[0-9A-Za-z]{10,}/)
  })

  test('a foreign method or a made-up path makes no new label', async () => {
    // Other files ask the same service meanwhile, and may be the first on a route.
    const series = async () =>
      [...(await open('/metrics')).text.matchAll(/_count\{.*route="([^/]|.*made-up)/g)].length
    await client.get('/v1/made-up/0')
    await client.call('PATCH', '/v1/made-up/0')
    await open('/made-up/0')
    const before = await series()
    expect(before).toBeGreaterThan(0)
    for (let index = 1; index < 20; index += 1) {
      await client.get(`/v1/made-up/${index}`)
      await client.call('PATCH', `/v1/made-up/${index}`)
      await open(`/made-up/${index}`)
    }
    expect((await series()) - before).toBeLessThan(10)
  })

  test('no endpoint outside /v1 draws on a limit or a quota', async () => {
    const own = await freshClient({ limits: { read: 5 } })
    for (const path of ['/livez', '/readyz', '/metrics', '/openapi.json', '/docs']) {
      const headers = { authorization: `Bearer ${own.key}` }
      for (let index = 0; index < 3; index += 1) {
        expect((await open(path, { headers })).status).toBe(200)
      }
    }
    const answer = await new Client(serviceUrl, own.key).get('/v1/entities')
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('4')
    expect(answer.headers.get('x-quota-used')).toBe('0')
  })
})
