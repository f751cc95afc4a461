// What is tried again, when, and with what: a failure that passes is, in the time that was asked for or with
// growing pauses; a create stays one create, and a delete that was lost is not an error.
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { ApiError, ConnectionError, TimeoutError } from './errors.ts'
import type { Fetch } from './one-try.ts'
import {
  answer,
  cut,
  failureOf,
  lost,
  refusal,
  type Step,
  scriptedService,
  success,
} from './testing/scripted-service.ts'

const memory = { content: 'tea', userId: 'anna' }

describe('a request is tried again', () => {
  test.each([408, 429, 500, 502, 503, 504])('after status %i', async (status) => {
    const { memories, asked } = await scriptedService([refusal(status)])
    await memories.list()
    expect(asked).toHaveLength(2)
  })

  test.each([
    ['no answer', lost],
    ['half an answer', cut],
    ['a page of a proxy that finds no service', answer(502, '<html>Bad Gateway</html>')],
  ] satisfies [string, Step][])('after %s', async (_, step) => {
    const { memories, asked } = await scriptedService([step, step])
    expect(await memories.get('mem_1')).toMatchObject({ id: 'mem_1' })
    expect(asked).toHaveLength(3)
  })

  test('after a try that took too long', async () => {
    let tries = 0
    // Once begun, the second try does not leave the process, and is done before any timer.
    const fetch: Fetch = async (_, { signal }) => {
      tries += 1
      if (tries === 1) await once(signal, 'abort').then(() => signal.throwIfAborted())
      const text = async () => '{"items": [], "pagination": {"total": 0, "limit": 20}}'
      return { status: 200, headers: new Headers(), text }
    }
    const { memories, waits } = await scriptedService([], { timeoutMs: 1, fetch })
    await memories.list()
    expect(tries).toBe(2)
    expect(waits).toEqual([500])
  })

  test('twice, unless told otherwise, and then the last failure is told', async () => {
    const steps = [lost, refusal(500), refusal(503, { code: 'SERVICE_UNAVAILABLE' })]
    const { memories, asked } = await scriptedService(steps)
    expect(await failureOf(memories.list())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(asked).toHaveLength(3)
    const once = await scriptedService(steps)
    expect(await failureOf(once.memories.list({}, { retries: 0 }))).toBeInstanceOf(ConnectionError)
    expect(once.asked).toHaveLength(1)
  })
})

describe('a request is not tried again', () => {
  test.each([400, 401, 403, 404, 405, 409, 413, 415, 431, 501, 507])(
    'after status %i',
    async (status) => {
      const { memories, asked } = await scriptedService([
        refusal(status, { headers: { 'retry-after': '1' } }),
      ])
      expect(await failureOf(memories.create(memory))).toMatchObject({ status, code: 'ANY_CODE' })
      expect(asked).toHaveLength(1)
    },
  )

  test('after an answer that is not the service’s, though its status is a success', async () => {
    const { memories, asked } = await scriptedService([answer(200, '<html>Sign in</html>')])
    expect(await failureOf(memories.list())).toBeInstanceOf(ApiError)
    expect(asked).toHaveLength(1)
  })

  test('when its service asks for more than a minute', async () => {
    const step = refusal(429, { headers: { 'retry-after': '61' }, retryAfter: 61 })
    const { memories, asked } = await scriptedService([step])
    expect(await failureOf(memories.list())).toMatchObject({ retryAfterSeconds: 61 })
    expect(asked).toHaveLength(1)
  })
})

describe('the pause before another try', () => {
  const pausesAfter = async (steps: Step[], random = 0): Promise<number[]> => {
    const settings = { retries: steps.length, random: () => random }
    const { memories, waits } = await scriptedService(steps, settings)
    await memories.list()
    return waits
  }

  test('doubles from half a second to eight', async () => {
    const steps = [lost, refusal(500), lost, refusal(502), lost, lost]
    expect(await pausesAfter(steps)).toEqual([500, 1000, 2000, 4000, 8000, 8000])
  })

  test('is up to a quarter shorter, by chance', async () => {
    expect(await pausesAfter([lost, lost], 1)).toEqual([375, 750])
    expect(await pausesAfter([lost, lost], 0.5)).toEqual([437.5, 875])
  })

  test('is the one that was asked for, in the header or the body', async () => {
    const header = refusal(503, { headers: { 'retry-after': '3' } })
    const body = refusal(429, { retryAfter: 60 })
    const past = refusal(503, { headers: { 'retry-after': 'Sat, 21 Nov 2026 09:30:12 GMT' } })
    expect(await pausesAfter([header, body, past, lost], 1)).toEqual([3000, 60_000, 0, 3000])
  })

  test('is our own when what was asked for makes no sense', async () => {
    const step = refusal(503, { headers: { 'retry-after': 'soon' }, retryAfter: 'later' })
    expect(await pausesAfter([step])).toEqual([500])
  })

  test('that lasts to a date in years is not made', async () => {
    const headers = { 'retry-after': 'Fri, 21 Nov 2996 09:30:12 GMT' }
    const { memories, asked } = await scriptedService([refusal(503, { headers })])
    expect(await failureOf(memories.list())).toMatchObject({ status: 503 })
    expect(asked).toHaveLength(1)
  })
})

describe('a create', () => {
  test('has one Idempotency-Key and one body over all its tries, and another call has another', async () => {
    const { memories, asked } = await scriptedService([lost, refusal(503)])
    await memories.create(memory)
    await memories.create(memory)
    const keys = asked.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]])
    expect(keys[3]).not.toBe(keys[0])
    for (const { body, headers } of asked) {
      expect(JSON.parse(body)).toEqual(memory)
      expect(headers['content-type']).toBe('application/json')
    }
  })

  test('can be given its key', async () => {
    const { memories, asked } = await scriptedService([])
    await memories.create(memory, { idempotencyKey: 'message-7' })
    expect(asked[0]?.headers['idempotency-key']).toBe('message-7')
  })

  test('alone has one', async () => {
    const { memories, asked } = await scriptedService([])
    await memories.list()
    await memories.search({ query: 'tea' })
    await memories.delete('mem_1')
    for (const { headers } of asked) expect(headers).not.toHaveProperty('idempotency-key')
  })
})

describe('a delete that finds nothing', () => {
  const gone = refusal(404, { code: 'MEMORY_NOT_FOUND' })

  test.each([
    ['a lost answer', lost],
    ['a failure of the service', refusal(500)],
    ['a store that may have committed', refusal(503)],
    ['a proxy that did not wait', refusal(504)],
  ] satisfies [string, Step][])('after %s has succeeded', async (_, step) => {
    const { memories } = await scriptedService([step, refusal(429), gone])
    expect(await memories.delete('mem_1')).toEqual({ success: true, id: 'mem_1' })
  })

  test('at once, or after a try that was not let in, has failed', async () => {
    for (const steps of [[gone], [refusal(429), gone], [refusal(408), gone]]) {
      const { memories } = await scriptedService(steps)
      expect(await failureOf(memories.delete('mem_1'))).toMatchObject({ code: 'MEMORY_NOT_FOUND' })
    }
  })

  test('at its path has failed', async () => {
    const { memories } = await scriptedService([lost, refusal(404, { code: 'NOT_FOUND' })])
    expect(await failureOf(memories.delete('mem_1'))).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('does not make a get succeed', async () => {
    const { memories } = await scriptedService([lost, gone])
    expect(await failureOf(memories.get('mem_1'))).toMatchObject({ code: 'MEMORY_NOT_FOUND' })
  })
})

test('a timeout is told as one, whether the answer never begins or never ends', async () => {
  const endless: Step = (response) => void response.writeHead(200).write('{')
  for (const step of [() => undefined, endless]) {
    const { memories } = await scriptedService([step])
    const error = await failureOf(memories.list({}, { timeoutMs: 50, retries: 0 }))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(String(error)).toMatch(/127\.0\.0\.1:\d+ has not answered within 50 ms/)
  }
})

test('what answers after its time leaves nothing behind that ends a later request', async () => {
  const { memories } = await scriptedService([success, success])
  await memories.list({}, { timeoutMs: 10_000 })
  expect(await memories.list()).toMatchObject({ items: [] })
})
