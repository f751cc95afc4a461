/**
 * Who is let in, and what the others are told. Each refused caller leaves from a loopback address
 * of its own, so that the bucket of failures per address is met only where a case means to.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { type Answer, header, numberHeader } from './harness/answer.ts'
import { Client } from './harness/client.ts'
import { observe } from './harness/conformance.ts'
import { expectError, expectRateLimited } from './harness/errors.ts'
import { type IssuedKey, issueKey, revokeKey } from './harness/keys.ts'
import { freshDataDir, removeDataDir } from './harness/server-process.ts'
import {
  dataDir,
  describeAddressed,
  describeManaged,
  managed,
  serviceUrl,
} from './harness/service.ts'
import { exchange, freshAddress, type HeaderLines, requestText } from './harness/wire.ts'

const host = ['Host', new URL(serviceUrl).host] as const
const wellFormed = `mng_${'A'.repeat(49)}`

interface Attempt {
  readonly from?: string
  readonly method?: string
  readonly path?: string
}

async function attempt(authorization: readonly string[], options: Attempt = {}): Promise<Answer> {
  const { from = freshAddress(), method = 'GET', path = '/v1/memories' } = options
  const given = authorization.map((value) => ['Authorization', value] as const)
  const lines: HeaderLines = [host, ...given, ['Connection', 'close']]
  const answer = await exchange(serviceUrl, requestText(method, path, lines), { from })
  await observe(serviceUrl, method, path, answer)
  return answer
}

let valid: IssuedKey
let revoked: IssuedKey
/** Well formed in every part, checksum included, but issued by another installation. */
let foreign: IssuedKey
beforeAll(async () => {
  if (!managed) return
  const elsewhere = await freshDataDir()
  valid = await issueKey(dataDir())
  revoked = await issueKey(dataDir())
  await revokeKey(dataDir(), revoked.id)
  foreign = await issueKey(elsewhere)
  await removeDataDir(elsewhere)
})

describeAddressed('the Authorization header', () => {
  test('a request without the header is UNAUTHORIZED', async () => {
    expectError(await attempt([]), 'UNAUTHORIZED')
  })

  test.each([
    ['an empty header', () => ['']],
    ['another scheme', () => [`Basic ${btoa(`user:${valid.key}`)}`]],
    ['the scheme alone', () => ['Bearer']],
    ['the key without a scheme', () => [valid.key]],
    ['a token that is no key', () => ['Bearer nonsense']],
    ['the right form with a wrong checksum', () => [`Bearer ${wellFormed}`]],
    ['a key of another installation', () => [`Bearer ${foreign.key}`]],
    ['a key with one character changed', () => [`Bearer ${swapCase(valid.key)}`]],
    ['a key cut short', () => [`Bearer ${valid.key.slice(0, -1)}`]],
    ['a key with more behind it', () => [`Bearer ${valid.key} and more`]],
    ['a key in quotes', () => [`Bearer "${valid.key}"`]],
    ['another prefix', () => [`Bearer ${valid.key.replace('mng_', 'sk_')}`]],
    ['a token of 4,000 characters', () => [`Bearer ${'x'.repeat(4000)}`]],
    ['two headers, the first valid', () => [`Bearer ${valid.key}`, 'Bearer x']],
    ['two headers, both valid', () => [`Bearer ${valid.key}`, `Bearer ${valid.key}`]],
  ])('%s is INVALID_API_KEY', async (_what, headers) => {
    const answer = await attempt(headers())
    expectError(answer, 'INVALID_API_KEY')
    expect(answer.text).not.toContain(valid.key)
  })

  test('a revoked key is API_KEY_REVOKED', async () => {
    expectError(await attempt([`Bearer ${revoked.key}`]), 'API_KEY_REVOKED')
  })

  test.each([['Bearer'], ['bearer'], ['BEARER'], ['bEaReR ']])(
    'the scheme is accepted as %s',
    async (scheme) => {
      expect((await attempt([`${scheme} ${valid.key}`])).status).toBe(200)
    },
  )

  test('a key anywhere but in the header does not count', async () => {
    const path = `/v1/memories?api_key=${valid.key}&access_token=${valid.key}`
    expectError(await attempt([], { path }), 'UNAUTHORIZED')
    const lines: HeaderLines = [
      host,
      ['Cookie', `key=${valid.key}`],
      ['X-Api-Key', valid.key],
      ['Connection', 'close'],
    ]
    const text = requestText('GET', '/v1/memories', lines)
    expectError(await exchange(serviceUrl, text, { from: freshAddress() }), 'UNAUTHORIZED')
  })

  test('every path under /v1 asks for a key before it says whether it exists', async () => {
    for (const path of ['/v1', '/v1/', '/v1/nowhere', '/v1/memories/', '/v1/memories/mem_x/y']) {
      expectError(await attempt([], { path }), 'UNAUTHORIZED')
      expectError(await attempt([`Bearer ${valid.key}`], { path }), 'NOT_FOUND')
    }
    expectError(await attempt([], { method: 'PATCH' }), 'UNAUTHORIZED')
  })

  test('the body of a request without a key is never waited for', async () => {
    const lines: HeaderLines = [
      host,
      ['Content-Type', 'application/json'],
      ['Content-Length', '900000'],
    ]
    const bytes = requestText('POST', '/v1/memories', lines, '{"content":')
    const options = { from: freshAddress(), timeoutMs: 3_000 }
    expectError(await exchange(serviceUrl, bytes, options), 'UNAUTHORIZED')
  })
})

describeAddressed('failed authentications of one address', () => {
  test('the first 20 failures of any kind are told apart, the next are rate limited', async () => {
    const from = freshAddress()
    const kinds = [[], ['Bearer x'], [`Bearer ${revoked.key}`], [`Bearer ${foreign.key}`]]
    const remaining: number[] = []
    const resets = new Set<number>()
    for (let index = 0; index < 20; index += 1) {
      const answer = await attempt(kinds[index % kinds.length] ?? [], { from })
      expect(answer.status).toBe(401)
      expect(header(answer, 'x-ratelimit-limit')).toBe('20')
      remaining.push(numberHeader(answer, 'x-ratelimit-remaining'))
      resets.add(numberHeader(answer, 'x-ratelimit-reset'))
    }
    expect(remaining).toEqual(Array.from({ length: 20 }, (_, index) => 19 - index))
    expect(resets.size).toBe(1)
    for (const kind of kinds) {
      const refused = await attempt(kind, { from })
      expectRateLimited(refused)
      expect(header(refused, 'x-ratelimit-remaining')).toBe('0')
      expect(resets).toContain(numberHeader(refused, 'x-ratelimit-reset'))
    }
  })

  test('a valid key is served from an address whose failures are used up', async () => {
    const from = freshAddress()
    for (let index = 0; index < 21; index += 1) await attempt([], { from })
    expectRateLimited(await attempt([], { from }))
    const answer = await attempt([`Bearer ${valid.key}`], { from })
    expect(answer.status).toBe(200)
    expect(header(answer, 'x-ratelimit-limit')).toBe('1000000000')
  })

  test('40 failures at the same moment give exactly 20 refusals of the key', async () => {
    const from = freshAddress()
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => attempt(['Bearer x'], { from })),
    )
    expect(answers.filter((answer) => answer.status === 401).length).toBe(20)
    expect(answers.filter((answer) => answer.status === 429).length).toBe(20)
  })

  test('a forwarded address of the caller does not open a new bucket', async () => {
    const from = freshAddress()
    const remaining = new Set<number>()
    for (let index = 0; index < 3; index += 1) {
      const lines: HeaderLines = [
        host,
        ['X-Forwarded-For', `198.51.100.${index}`],
        ['Forwarded', `for=198.51.100.${index}`],
        ['Connection', 'close'],
      ]
      const answer = await exchange(serviceUrl, requestText('GET', '/v1/memories', lines), { from })
      remaining.add(numberHeader(answer, 'x-ratelimit-remaining'))
    }
    expect([...remaining]).toEqual([19, 18, 17])
  })

  test('a refused caller is told nothing of any quota', async () => {
    for (const kind of [[], ['Bearer x'], [`Bearer ${revoked.key}`]]) {
      const names = [...(await attempt(kind)).headers.keys()]
      expect(names.filter((name) => name.startsWith('x-quota'))).toEqual([])
    }
  })
})

describeManaged('revocation', () => {
  test('no request that starts after the revocation is answered succeeds', async () => {
    const { id, key } = await issueKey(dataDir())
    const client = new Client(serviceUrl, key)
    let revokedAt = Number.POSITIVE_INFINITY
    const started: { at: number; status: number }[] = []
    const call = async () => {
      const at = performance.now()
      const { status } = await client.get('/v1/entities')
      started.push({ at, status })
      return status
    }
    // Each caller goes on until it is refused, and tries once more after the revocation.
    const caller = async () => {
      while ((await call()) === 200 && performance.now() < revokedAt) await pause(2)
      while (revokedAt === Number.POSITIVE_INFINITY) await pause(5)
      await call()
    }
    const callers = Array.from({ length: 4 }, caller)
    await pause(100)
    // The callers end also where the revocation fails.
    const outcome = await revokeKey(dataDir(), id).finally(() => {
      revokedAt = performance.now()
    })
    expect(outcome).toEqual({ id, status: 'revoked' })
    await Promise.all(callers)
    const late = started.filter((request) => request.at > revokedAt)
    expect(late.length).toBeGreaterThanOrEqual(4)
    for (const { status } of late) expect(status).toBe(401)
    expect(started.some((request) => request.status === 200)).toBe(true)
  })

  test('a key made while the server runs is valid for the very next request', async () => {
    const { key } = await issueKey(dataDir())
    expect((await new Client(serviceUrl, key).get('/v1/memories')).status).toBe(200)
  })
})

/** The key with the case of its last letter turned, so that only the checksum can tell. */
function swapCase(key: string): string {
  const last = key.slice(-1)
  const turned = last === last.toUpperCase() ? last.toLowerCase() : last.toUpperCase()
  return key.slice(0, -1) + (turned === last ? String((Number(last) + 1) % 10) : turned)
}
