// What a caller learns of a request that fails, and what stays behind: its errors tell no key and no text, a
// redirect leads nowhere, a signal ends everything at once and keeps no listener, connections are used again.
import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readAnswer } from './answer.ts'
import { ApiError, ConnectionError, MnemographError } from './errors.ts'
import { tryOnce } from './one-try.ts'
import {
  answer,
  cut,
  failureOf,
  KEY,
  lost,
  refusal,
  type Step,
  scriptedService,
  success,
} from './testing/scripted-service.ts'
import { wait } from './wait.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a date to wait for is told in whole seconds, of which the last one is not cut off', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T09:30:10.001Z') })
  const headers = new Headers({ 'retry-after': 'Sat, 21 Nov 2026 09:30:12 GMT' })
  const read = () => readAnswer({ status: 503, headers, text: '' }, 'id')
  expect(read).toThrow(expect.objectContaining({ retryAfterSeconds: 2 }))
})

test.each(['1.5', '-1', '5, 5', '+1'])(
  'a Retry-After that is neither a number nor a date asks for nothing: %s',
  (told) => {
    const headers = new Headers({ 'retry-after': told })
    const read = () => readAnswer({ status: 503, headers, text: '' }, 'id')
    expect(read).toThrow(expect.objectContaining({ retryAfterSeconds: undefined }))
  },
)

describe('an answer that is not the service’s', () => {
  test.each([
    ['a page', 502, '<html>secret</html>'],
    ['nothing', 503, ''],
    ['nothing, and a success', 200, ''],
    ['a page, and a success', 200, '<html>secret</html>'],
    ['half of an object', 200, '{"items": ["secret"'],
    ['null', 200, 'null'],
    ['a list', 200, '["secret"]'],
    ['another object', 200, '{"secret": 1}'],
    ['another thing in its place', 200, '{"items": "secret"}'],
    ['a list without its pages', 200, '{"items": []}'],
    ['a list without a total', 200, '{"items": [], "pagination": {"limit": 1}}'],
    ['a list without a limit', 200, '{"items": [], "pagination": {"total": 1}}'],
    ['an error in other words', 500, '{"error": "secret"}'],
    ['an error without a reason', 404, '{"error": {"code": "secret"}}'],
    ['an error that calls itself a success', 200, '{"error": {"code": "A", "message": "secret"}}'],
    ['a record that calls itself an error', 404, '{"items": []}'],
  ])('is an ApiError that says so: %s', async (_, status, body) => {
    const { memories } = await scriptedService([answer(status, body, { 'x-request-id': 'r' })])
    const error = await failureOf(memories.list({}, { retries: 0 }))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status, code: 'UNEXPECTED_ANSWER', requestId: 'r' })
    expect(String(error)).toContain(String(status))
    expect(inspect(error)).not.toContain('secret')
  })

  test('is told apart in a browser, which hides everything of a redirect', () => {
    const read = () => readAnswer({ status: 0, headers: new Headers(), text: '' }, 'id')
    expect(read).toThrow(/redirect/)
  })
})

test.each([301, 302, 303, 307, 308])(
  'a redirect with status %i carries nothing anywhere',
  async (status) => {
    const elsewhere = await scriptedService([])
    const location = `${elsewhere.baseUrl}/v1/memories`
    const { memories, asked } = await scriptedService([answer(status, '', { location })])
    const error = await failureOf(memories.create({ content: 'tea', userId: 'anna' }))
    expect(error).toMatchObject({ status, code: 'UNEXPECTED_ANSWER' })
    expect(String(error)).toMatch(/redirect/)
    expect([asked.length, elsewhere.asked.length]).toEqual([1, 0])
  },
)

test('no error tells the key, or a text of the request', async () => {
  const steps: Step[] = [lost, cut, answer(502, ''), answer(302, ''), refusal(400), () => undefined]
  for (const step of steps) {
    const { memories } = await scriptedService([step, step])
    const options = { retries: 0, timeoutMs: 300 }
    for (const call of [
      () => memories.create({ content: 'secret', userId: 'secret' }, options),
      () => memories.list({ userId: 'secret', tags: ['secret'] }, options),
    ]) {
      const error = await failureOf(call())
      expect(error).toBeInstanceOf(MnemographError)
      expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(
        new RegExp(`secret|${KEY}`),
      )
    }
  }
})

test('a lost connection keeps its cause', async () => {
  const { memories } = await scriptedService([lost])
  const error = await failureOf(memories.list({}, { retries: 0 }))
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toHaveProperty('cause', expect.any(TypeError))
})

describe('a signal', () => {
  const reason = { why: 'the caller has gone' }

  test('that has ended before lets nothing be asked', async () => {
    const { memories, asked } = await scriptedService([])
    expect(await failureOf(memories.list({}, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(asked).toEqual([])
  })

  test('ends a request under way, also while its answer comes, and nothing is tried again', async () => {
    const begun: Step = (response) => void response.writeHead(200).write('{')
    const never: Step = () => undefined
    for (const [begin, retries] of [
      [never, 0],
      [begun, 0],
      [never, 2],
    ] as const) {
      const controller = new AbortController()
      const hungUp = Promise.withResolvers<void>()
      const { memories, asked } = await scriptedService([
        (response, request) => {
          response.once('close', hungUp.resolve)
          begin(response, request)
          controller.abort(reason)
        },
      ])
      const { signal } = controller
      expect(await failureOf(memories.list({}, { signal, retries }))).toBe(reason)
      await hungUp.promise
      expect(asked).toHaveLength(1)
    }
  })

  test('ends the wait for another try', async () => {
    const controller = new AbortController()
    const { memories, asked } = await scriptedService(
      [refusal(503, { headers: { 'retry-after': '60' } })],
      {
        wait: (ms, signal) => {
          const waiting = wait(ms, signal)
          controller.abort(reason)
          return waiting
        },
      },
    )
    expect(await failureOf(memories.list({}, controller))).toBe(reason)
    expect(asked).toHaveLength(1)
  })

  test('ends the reading of a list, whichever of its pages is asked for', async () => {
    const controller = new AbortController()
    const [tea, coffee] = ['tea', 'coffee'].map((id) => ({ id, createdAt: id }))
    const pagination = { limit: 1, total: 2 }
    const { memories, asked } = await scriptedService([
      answer(200, { items: [tea], pagination }),
      answer(200, { items: [coffee], pagination }),
    ])
    const items = memories.all({}, controller)
    expect(await items.next()).toMatchObject({ value: tea })
    controller.abort(reason)
    expect(await failureOf(items.next())).toBe(reason)
    expect(asked).toHaveLength(1)
  })

  test('ends the reading of a list within a page, unless all of it was told', async () => {
    const page = [
      { id: 'tea', createdAt: '2' },
      { id: 'coffee', createdAt: '1' },
    ]
    const answers = Array(2).fill(answer(200, { items: page, pagination: { limit: 2, total: 2 } }))
    const { memories } = await scriptedService(answers)
    for (const told of [1, 2]) {
      const controller = new AbortController()
      const items = memories.all({}, controller)
      for (const item of page.slice(0, told))
        expect(await items.next()).toMatchObject({ value: item })
      controller.abort(reason)
      if (told === 1) expect(await failureOf(items.next())).toBe(reason)
      else expect(await items.next()).toMatchObject({ done: true })
    }
  })

  test('without a reason rejects as fetch does', async () => {
    const { memories } = await scriptedService([])
    const error = await failureOf(memories.list({}, { signal: AbortSignal.abort() }))
    expect(error).toMatchObject({ name: 'AbortError' })
  })

  test('keeps no listener, whatever came of the request', async () => {
    const controller = new AbortController()
    const steps = [success, refusal(404), lost, refusal(500), cut]
    const { memories } = await scriptedService(steps, { wait: (_, signal) => wait(1, signal) })
    await memories.list({}, controller)
    await failureOf(memories.list({}, controller))
    await failureOf(memories.list({}, controller))
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  test('has one listener, however many requests and waits it ends: Node 20 warns of more than ten', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const { memories } = await scriptedService(Array(12).fill(() => undefined))
    const calls = Array.from({ length: 12 }, () => failureOf(memories.list({}, { signal })))
    const waits = Array.from({ length: 12 }, () => failureOf(wait(60_000, signal)))
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    controller.abort(reason)
    expect(await Promise.all([...calls, ...waits])).toEqual(Array(24).fill(reason))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('that ends a wait leaves no timer, and one that does not no listener', async () => {
    vi.useFakeTimers()
    const controller = new AbortController()
    const first = wait(1000, controller.signal)
    const second = wait(60_000, controller.signal)
    await vi.advanceTimersByTimeAsync(1000)
    await first
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    controller.abort(reason)
    expect(await failureOf(second)).toBe(reason)
    expect(await failureOf(wait(1000, controller.signal))).toBe(reason)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('connections are used again after every kind of answer', async () => {
  const kinds = [refusal(404), answer(302, 'moved'), answer(502, 'x'.repeat(100_000)), success]
  const steps = [...kinds, ...kinds, ...kinds, ...kinds, ...kinds]
  const { memories, asked, connections } = await scriptedService(steps)
  for (const _ of steps) await memories.list({}, { retries: 0 }).catch(() => undefined)
  expect(asked).toHaveLength(20)
  // Node opens a second one before it knows that the first is free.
  expect(connections()).toBeLessThanOrEqual(3)
})

test('no timer is left when a request has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const headers = new Headers()
  const request = { method: 'GET', headers: {}, body: null }
  const bounds = { timeoutMs: 1000, signal: undefined }
  await tryOnce(
    async () => ({ status: 200, headers, text: async () => '' }),
    'http://host/',
    request,
    bounds,
  )
  const failing = tryOnce(async () => Promise.reject(new Error()), 'http://host/', request, bounds)
  expect(await failureOf(failing)).toBeInstanceOf(ConnectionError)
  expect(vi.getTimerCount()).toBe(0)
})
