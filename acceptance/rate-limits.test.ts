/**
 * The fixed windows: their sizes, which request draws on which, and what the headers tell. That a
 * window opens again after a minute is seen in waiting.test.ts, beside the other cases that wait.
 */
import { beforeAll, expect, test } from 'vitest'
import { type Answer, header, numberHeader } from './harness/answer.ts'
import type { Client } from './harness/client.ts'
import { expectRateLimited } from './harness/errors.ts'
import { defaultLimits, type RateClass } from './harness/operations.ts'
import { describeManaged, freshClient } from './harness/service.ts'

const remaining = (answer: Answer) => numberHeader(answer, 'x-ratelimit-remaining')
const reset = (answer: Answer) => numberHeader(answer, 'x-ratelimit-reset')

/** One request per class; the searches and writes are invalid on purpose, for they count too. */
const draw: Record<RateClass, (client: Client) => Promise<Answer>> = {
  read: (client) => client.get('/v1/entities?limit=1'),
  write: (client) => client.post('/v1/entities', {}),
  search: (client) => client.post('/v1/memories/search', {}),
}

describeManaged('the default limits', () => {
  let client: Client
  beforeAll(async () => {
    client = await freshClient({ plan: 'free', limits: 'default' })
  })

  test.each(Object.entries(defaultLimits).map(([name, limit]) => ({ name, limit })))(
    'a key may make $limit $name requests in a window, and the next is refused',
    async (row) => {
      const { name, limit } = row
      if (name !== 'read' && name !== 'write' && name !== 'search') throw new Error(name)
      const startedAt = Date.now()
      const answers = [await draw[name](client)]
      const answeredAt = Date.now()
      while (answers.length < limit) answers.push(await draw[name](client))
      expect(answers.map((answer) => answer.status === 429)).not.toContain(true)
      expect(answers.map(remaining)).toEqual(answers.map((_, index) => limit - 1 - index))
      expect(new Set(answers.map((answer) => header(answer, 'x-ratelimit-limit'))).size).toBe(1)
      expect(header(answers[0] ?? expect.fail(), 'x-ratelimit-limit')).toBe(`${limit}`)
      // The window is 60 s from its first request, rounded up to a whole second.
      const [end = 0, ...others] = new Set(answers.map(reset))
      expect(others).toEqual([])
      expect(end * 1000).toBeGreaterThanOrEqual(startedAt + 60_000)
      expect(end * 1000).toBeLessThan(answeredAt + 61_000)

      const refused = [await draw[name](client), await draw[name](client)]
      for (const answer of refused) {
        const retryAfter = expectRateLimited(answer)
        expect([remaining(answer), reset(answer)]).toEqual([0, end])
        expect(Date.now() + retryAfter * 1000).toBeGreaterThanOrEqual(startedAt + 60_000)
      }
    },
  )

  test('the classes have windows of their own', async () => {
    const own = await freshClient({ limits: { read: 3, write: 2, search: 1 } })
    expect(remaining(await draw.search(own))).toBe(0)
    expectRateLimited(await draw.search(own))
    expect(remaining(await draw.write(own))).toBe(1)
    expect(remaining(await draw.read(own))).toBe(2)
    expectRateLimited(await draw.search(own))
    expect(remaining(await draw.write(own))).toBe(0)
  })

  test('each key has windows of its own', async () => {
    const [one, two] = [
      await freshClient({ limits: { write: 1 } }),
      await freshClient({ limits: { write: 1 } }),
    ]
    expect((await draw.write(one)).status).toBe(400)
    expectRateLimited(await draw.write(one))
    expect((await draw.write(two)).status).toBe(400)
  })
})

describeManaged('which window a request draws on', () => {
  let client: Client
  beforeAll(async () => {
    client = await freshClient({ limits: { read: 1001, write: 1002, search: 1003 } })
  })
  const limits = { read: '1001', write: '1002', search: '1003' }

  test.each([
    ['GET', '/v1/nowhere', 'read'],
    ['HEAD', '/v1/nowhere', 'read'],
    ['POST', '/v1/nowhere', 'write'],
    ['DELETE', '/v1/nowhere', 'write'],
    ['GET', '/v1/memories/search', 'read'],
    ['DELETE', '/v1/memories/search', 'write'],
    ['PUT', '/v1/memories', 'write'],
    ['PATCH', '/v1/entities/ent_x', 'write'],
    ['POST', '/v1/relations/rel_x', 'write'],
    ['OPTIONS', '/v1/memories', 'write'],
    ['HEAD', '/v1/memories', 'read'],
    ['HEAD', '/v1/entities/ent_x', 'read'],
    ['POST', '/v1/memories/', 'write'],
  ] as const)('%s %s draws on the %s window', async (method, path, name) => {
    const answer = await client.call(method, path)
    expect(header(answer, 'x-ratelimit-limit')).toBe(limits[name])
  })

  test('every authenticated request draws, whatever it is answered', async () => {
    const json = { 'content-type': 'application/json' }
    const calls = [
      () => client.post('/v1/entities', { name: 'Ada', type: 'PERSON' }),
      () => client.post('/v1/entities', {}),
      () => client.call('POST', '/v1/entities', { raw: '{', headers: json }),
      () =>
        client.call('POST', '/v1/entities', { raw: 'text', headers: { 'content-type': 'x/y' } }),
      () => client.delete('/v1/entities/ent_none'),
      () => client.call('PUT', '/v1/entities'),
      () => client.post('/v1/nowhere', {}),
    ]
    const answers: Answer[] = []
    for (const call of calls) answers.push(await call())
    expect(answers.map((answer) => answer.status)).toEqual([201, 400, 400, 415, 404, 405, 404])
    const first = remaining(answers[0] ?? expect.fail())
    expect(answers.map(remaining)).toEqual(answers.map((_, index) => first - index))
  })
})

describeManaged('limits of a key', () => {
  test('a limit of a key replaces the default of its class only', async () => {
    const client = await freshClient({ limits: { read: 7, write: 50, search: 30 } })
    expect(header(await draw.read(client), 'x-ratelimit-limit')).toBe('7')
    expect(header(await draw.write(client), 'x-ratelimit-limit')).toBe('50')
    expect(header(await draw.search(client), 'x-ratelimit-limit')).toBe('30')
  })

  test('without a limit the headers say 1000000000 and the remainder still falls', async () => {
    const client = await freshClient()
    for (const name of ['read', 'write', 'search'] as const) {
      const answers = [await draw[name](client), await draw[name](client), await draw[name](client)]
      for (const answer of answers) {
        expect(header(answer, 'x-ratelimit-limit')).toBe('1000000000')
      }
      expect(answers.map(remaining)).toEqual([999_999_999, 999_999_998, 999_999_997])
      expect(new Set(answers.map(reset)).size).toBe(1)
    }
  })
})
