// Whatever is thrown becomes an error of the catalogue: meant for the caller, it passes as it is; what will
// pass says when to come back; of anything else the caller is told nothing.
import { expect, test } from 'vitest'
import { ApiError } from '../contract/errors.ts'
import { EmbedderUnavailable } from '../embedding/embedder.ts'
import { StoreError } from '../storage/store.ts'
import { toApiError } from './error-handler.ts'

const withCode = (code: string) => Object.assign(new Error('SECRET'), { code })

test('an error that was meant for the caller passes unchanged', () => {
  const error = new ApiError('NOT_FOUND')
  expect(toApiError(error)).toBe(error)
})

test('a full store is 507, an absent one 503 with Retry-After, a damaged one 500', () => {
  expect(toApiError(new StoreError('full', 0))).toMatchObject({ status: 507, headers: {} })
  expect(toApiError(new StoreError('unavailable', 0))).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
  })
  expect(toApiError(new StoreError('purged', 0))).toMatchObject({
    status: 401,
    code: 'API_KEY_REVOKED',
    headers: { 'www-authenticate': 'Bearer' },
  })
  expect(toApiError(new StoreError('fault', 0))).toMatchObject({ code: 'INTERNAL_ERROR' })
})

test('every refusal of the store that is 503 says when to try again', () => {
  for (const kind of ['unavailable', 'outdated', 'repeated'] as const) {
    expect(toApiError(new StoreError(kind, 0))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      headers: { 'retry-after': '1' },
    })
  }
})

test('an absent model is 503 with Retry-After', () => {
  expect(toApiError(new EmbedderUnavailable('x'))).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    headers: { 'retry-after': '1' },
  })
})

test('what the framework refuses has the code of its reason', () => {
  expect(toApiError(withCode('FST_ERR_CTP_BODY_TOO_LARGE')).code).toBe('PAYLOAD_TOO_LARGE')
  expect(toApiError(withCode('FST_ERR_CTP_INVALID_MEDIA_TYPE')).code).toBe('UNSUPPORTED_MEDIA_TYPE')
  expect(toApiError(withCode('FST_ERR_CTP_INVALID_CONTENT_LENGTH')).code).toBe('BAD_REQUEST')
  expect(toApiError(withCode('FST_ERR_BAD_URL')).code).toBe('NOT_FOUND')
})

test('a client that leaves before its import is answered is no fault of ours', () => {
  expect(toApiError(withCode('ERR_STREAM_PREMATURE_CLOSE')).code).toBe('BAD_REQUEST')
})

test('anything else is INTERNAL_ERROR, which tells the caller nothing and the log everything', () => {
  for (const thrown of [
    new Error('SECRET'),
    withCode('ERR_ODD'),
    'SECRET',
    undefined,
    null,
    { a: 1 },
  ]) {
    const answer = toApiError(thrown)
    expect(answer).toMatchObject({ code: 'INTERNAL_ERROR', status: 500, cause: thrown })
    expect(JSON.stringify(answer.body())).not.toContain('SECRET')
  }
})
