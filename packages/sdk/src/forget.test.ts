// A user with many memories takes many requests, any of which may be lost: the last one says that none remains.
import { expect, test } from 'vitest'
import {
  answer,
  failureOf,
  lost,
  refusal,
  scriptedService,
  success,
} from './testing/scripted-service.ts'

const progress = (deleted: number, remaining: number) => answer(200, { deleted, remaining })

test('the service is asked until nothing remains, and what it has deleted is added up', async () => {
  const { memories, asked } = await scriptedService([
    progress(3211, 8040),
    progress(3000, 5040),
    progress(5040, 0),
  ])
  expect(await memories.forget({ userId: 'maria' })).toEqual({ deleted: 11_251 })
  expect(asked.map(({ method, url, body }) => [method, url, body])).toEqual(
    Array(3).fill(['POST', '/forget/memories', '{"userId":"maria"}']),
  )
})

test('a request whose answer is lost, or that comes too early, is made again', async () => {
  const tooEarly = refusal(429, { headers: { 'retry-after': '7' } })
  const steps = [progress(100, 50), lost, tooEarly, progress(20, 0)]
  const { memories, waits } = await scriptedService(steps)
  expect(await memories.forget({ userId: 'maria' })).toEqual({ deleted: 120 })
  expect(waits).toEqual([500, 7_000])
})

test('an answer that does not say what remains is not taken for the end', async () => {
  for (const body of [{}, { deleted: 1 }, { deleted: '1', remaining: 0 }, { remaining: 0 }]) {
    const { memories } = await scriptedService([answer(200, body)], { retries: 0 })
    const failure = await failureOf(memories.forget({ userId: 'maria' }))
    expect(failure).toMatchObject({ code: 'UNEXPECTED_ANSWER' })
  }
})

test('what fails for good ends it, and a signal does', async () => {
  const broken = await scriptedService([progress(5, 9), refusal(401, { code: 'INVALID_API_KEY' })])
  const failure = await failureOf(broken.memories.forget({ userId: 'maria' }))
  expect(failure).toMatchObject({ code: 'INVALID_API_KEY' })
  const controller = new AbortController()
  const { memories, asked } = await scriptedService([
    (response, request) => {
      progress(5, 9)(response, request)
      controller.abort(new Error('enough'))
    },
    success,
  ])
  const { signal } = controller
  expect(await failureOf(memories.forget({ userId: 'maria' }, { signal }))).toEqual(
    new Error('enough'),
  )
  expect(asked.length).toBe(1)
})
