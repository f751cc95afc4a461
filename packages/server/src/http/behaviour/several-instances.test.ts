// What holds when several instances serve one database: limits are those of the key, not of an
// instance, and what one instance has answered, every other one knows.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import type { RateClass } from '../../contract/operations.ts'
import { type Answer, apiClient, type Call } from '../../testing/api-client.ts'
import { newDatabase } from '../../testing/postgres.ts'
import { runService, type TestService } from '../../testing/running-service.ts'
import { type SetClock, setClock } from '../../testing/set-clock.ts'

const server = inject('postgresUrl')
const HOUR_MS = 60 * 60 * 1000
const DEFAULT_LIMITS: Record<RateClass, undefined> = {
  read: undefined,
  write: undefined,
  search: undefined,
}
/** Holds the rows of keys that were used, and writes when. */
const TOUCH = /^(SELECT 1 FROM keys .* FOR NO KEY UPDATE$|UPDATE keys SET last_used_at)/
const MEMORY = { content: 'Anna prefers dark roast coffee.', userId: 'anna' }

describe.skipIf(server === undefined)('two instances on one database', () => {
  let one: TestService
  let other: TestService
  let hourAhead: SetClock

  beforeAll(async () => {
    const database = await newDatabase(server ?? '')
    const settings = { DATABASE_URL: database.url, MNEMOGRAPH_TRUSTED_PROXIES: '127.0.0.1' }
    hourAhead = setClock(Date.now() + HOUR_MS)
    one = await runService({ settings })
    other = await runService({ settings, clock: hourAhead })
  })
  afterAll(async () => {
    await one?.[Symbol.asyncDispose]()
    await other?.[Symbol.asyncDispose]()
  })

  /** Calls of one key, over both in turn. */
  function alternating(key: string): Call {
    const calls = [apiClient(one.address, key), apiClient(other.address, key)]
    let made = 0
    return (...request) => {
      made += 1
      const call = calls[made % 2] ?? apiClient(one.address, key)
      return call(...request)
    }
  }

  const chargeOf = ({ id }: { id: string }) => ({
    keyId: id,
    month: new Date().toISOString().slice(0, 7),
  })
  const usedOf = (key: { id: string }): Promise<number> =>
    one.service.store.usage.read(chargeOf(key))

  test('of 500 parallel writes exactly 50 succeed, and the others are told how long to wait', async () => {
    const { key } = await one.newKey({ limits: DEFAULT_LIMITS })
    const call = alternating(key)
    const create = () => call('POST', '/v1/entities', { json: { name: 'Anna', type: 'PERSON' } })
    const answers = await Promise.all(Array.from({ length: 500 }, create))
    const [made, refused] = [withStatus(answers, 201), withStatus(answers, 429)]
    expect([made.length, refused.length]).toEqual([50, 450])
    const remaining = made.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n))
    const resets = new Set(answers.map(({ headers }) => headers.get('x-ratelimit-reset')))
    expect(resets.size).toBe(1)
    for (const { body, headers } of refused) {
      const { retryAfter } = Object(Object(body).error)
      expect(headers.get('retry-after')).toBe(String(retryAfter))
      expect(retryAfter).toBeGreaterThanOrEqual(1)
      expect(retryAfter).toBeLessThanOrEqual(60)
    }
  })

  test('of 1,500 mixed operations on the last 300 of a quota of 1,000 exactly 300 succeed', async () => {
    const newKey = await one.newKey({ plan: 'free' })
    await one.service.store.usage.add([
      { ...chargeOf(newKey), operations: 700, lastUsedAt: Date.now() },
    ])
    const call = alternating(newKey.key)
    const madeIds: string[] = []
    async function perform(turn: number): Promise<Answer> {
      switch (turn % 10) {
        case 0:
        case 1: {
          const answer = await call('POST', '/v1/memories', { json: MEMORY })
          if (answer.status === 201) madeIds.push(answer.id)
          return answer
        }
        case 2:
          return call('POST', '/v1/memories', { json: { content: 'without a user' } })
        case 3:
          return call('GET', '/v1/memories/mem_none')
        case 4:
          return call('GET', `/v1/memories/${madeIds.at(-1)}`)
        case 5:
          return call('POST', '/v1/memories/search', { json: { query: 'coffee', limit: 2 } })
        case 6:
          return call('DELETE', `/v1/memories/${madeIds.shift()}`)
        case 7:
          return call('DELETE', '/v1/entities/ent_none')
        case 8:
          return call('GET', '/v1/memories?limit=2')
        default:
          return call('POST', '/v1/entities', { json: { name: 'Anna', type: 'PERSON' } })
      }
    }
    const answers = await inParallel(1_500, 48, perform)
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].toSorted()).toEqual([200, 201, 400, 403, 404])
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(300)
    expect(await usedOf(newKey)).toBe(1_000)
    const told = answers
      .filter(({ status }) => status < 300)
      .map(({ headers }) => Number(headers.get('x-quota-used')))
    expect(told.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n + 701))
    for (const { body, headers } of withStatus(answers, 403)) {
      expect(body).toMatchObject({ error: { currentUsage: 1_000, limit: 1_000 } })
      expect(headers.get('x-quota-used')).toBe('1000')
    }
  })

  test('an operation that is answered is in the used quota that the answer tells', async () => {
    const { key } = await one.newKey({ plan: 'free' })
    const call = alternating(key)
    const used = async (...request: Parameters<Call>) =>
      (await call(...request)).headers.get('x-quota-used')
    const memory = await call('POST', '/v1/memories', { json: MEMORY })
    expect(memory.headers.get('x-quota-used')).toBe('1')
    const path = `/v1/memories/${memory.id}`
    expect(await used('GET', path)).toBe('2')
    expect(await used('GET', '/v1/memories/mem_none')).toBe('2')
    expect(await used('GET', '/v1/entities')).toBe('2')
    expect(await used('POST', '/v1/memories/search', { json: { query: 'coffee' } })).toBe('3')
    expect(await used('DELETE', path)).toBe('4')
    expect(await used('DELETE', path)).toBe('4')
  })

  test('a key that one instance revoked is refused by the other from the answer on', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, key } = await one.newKey()
      // Refusals of one address are counted, and are not what this is about.
      const headers = { 'x-forwarded-for': `192.0.2.${round}` }
      const get = () => apiClient(other.address, key)('GET', '/v1/entities', { headers })
      let isRevoked = false
      const late: Answer[] = []
      const callers = Array.from({ length: 4 }, async () => {
        while (late.length < 6) {
          const startedLate = isRevoked
          const answer = await get()
          if (startedLate) late.push(answer)
        }
      })
      expect((await get()).status).toBe(200)
      await one.service.store.keys.revoke(id)
      isRevoked = true
      await Promise.all(callers)
      expect(new Set(late.map(({ code }) => code))).toEqual(new Set(['API_KEY_REVOKED']))
    }
  })

  test.each([
    ['/v1/memories', MEMORY],
    ['/v1/entities', { name: 'Anna', type: 'PERSON' }],
  ])('parallel creates at %s with one Idempotency-Key make one record', async (path, json) => {
    const newKey = await one.newKey({ plan: 'free' })
    const call = alternating(newKey.key)
    const headers = { 'idempotency-key': 'once' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', path, { json, headers })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    // Those that waited were admitted when nothing was used yet.
    expect(new Set(answers.map(({ headers }) => headers.get('x-quota-used')))).toEqual(
      new Set(['1']),
    )
    expect(totalOf(await call('GET', path))).toBe(1)
    const mixed = { ...json, userId: 'ben', name: 'Ben' }
    const reused = await Promise.all([
      call('POST', path, { json: mixed, headers }),
      call('POST', path, { json: mixed, headers }),
    ])
    for (const { code } of reused) expect(code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(await usedOf(newKey)).toBe(path === '/v1/memories' ? 2 : 1)
  })

  test('of parallel creates with one Idempotency-Key and other bodies one wins, and the other hears so', async () => {
    const { key } = await one.newKey()
    for (let round = 0; round < 5; round += 1) {
      const headers = { 'idempotency-key': `round-${round}` }
      const answers = await Promise.all(
        [one, other].map(({ address }, index) =>
          apiClient(address, key)('POST', '/v1/entities', {
            json: { name: `Name ${index}`, type: 'PERSON' },
            headers,
          }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    }
    const list = await apiClient(one.address, key)('GET', '/v1/entities')
    expect(totalOf(list)).toBe(5)
  })

  test('the last operation of a month can be repeated with its Idempotency-Key at the same time', async () => {
    const newKey = await one.newKey({ plan: 'free' })
    const month = new Date().toISOString().slice(0, 7)
    await one.service.store.usage.add([{ keyId: newKey.id, month, operations: 999, lastUsedAt: 1 }])
    const call = alternating(newKey.key)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        call('POST', '/v1/entities', {
          json: { name: 'Anna', type: 'PERSON' },
          headers: { 'idempotency-key': 'last' },
        }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(await usedOf(newKey)).toBe(1_000)
  })

  test('a request asks the database once for key, rate limit and quota, and a read charges once more', async () => {
    const { key } = await one.newKey({ plan: 'free' })
    const call = apiClient(one.address, key)
    const { id } = await call('POST', '/v1/entities', { json: { name: 'Anna', type: 'PERSON' } })
    const query = vi.spyOn(pg.Client.prototype, 'query')
    /** What a request may wait for; when a key was last used is noted in the background. */
    const asked = async (path: string): Promise<number> => {
      query.mockClear()
      await call('GET', path)
      const texts = query.mock.calls.map(([statement]) => String(Object(statement).text ?? ''))
      return texts.filter((text) => /\b(keys|usage|rate_windows)\b/.test(text) && !TOUCH.test(text))
        .length
    }
    try {
      expect(await asked('/v1/no/such/path')).toBe(1)
      expect(await asked('/v1/entities')).toBe(1)
      expect(await asked('/v1/entities/ent_none')).toBe(1)
      expect(await asked(`/v1/entities/${id}`)).toBe(2)
    } finally {
      query.mockRestore()
    }
  })

  test('windows and months go by the clock of the database, whatever an instance takes the time for', async () => {
    const { key } = await one.newKey({ limits: DEFAULT_LIMITS })
    const before = Date.now()
    const first = await apiClient(one.address, key)('GET', '/v1/entities')
    const second = await apiClient(other.address, key)('GET', '/v1/entities')
    const numbers = ({ headers }: Answer) => [
      headers.get('x-ratelimit-reset'),
      headers.get('x-quota-reset'),
      headers.get('x-ratelimit-limit'),
    ]
    expect(numbers(second)).toEqual(numbers(first))
    expect(first.headers.get('x-ratelimit-remaining')).toBe('99')
    expect(second.headers.get('x-ratelimit-remaining')).toBe('98')
    const resetMs = Number(first.headers.get('x-ratelimit-reset')) * 1000
    expect(Math.abs(resetMs - before - 60_000)).toBeLessThan(HOUR_MS / 2)
  })
})

const totalOf = ({ body }: Answer): unknown => Object(Object(body).pagination).total

const withStatus = (answers: Answer[], status: number): Answer[] =>
  answers.filter((answer) => answer.status === status)

/** The results in the order of the turns, with so many under way at once. */
async function inParallel<Result>(
  turns: number,
  width: number,
  work: (turn: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < turns) {
      const turn = next
      next += 1
      results[turn] = await work(turn)
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
  return results
}
