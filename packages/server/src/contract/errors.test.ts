// The catalogue has every code of the contract, in words and statuses that keep its rules, and nothing of an
// error's cause reaches its body.
import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { NewEntity } from './entities.ts'
import { ApiError, ERROR_CODES, ERRORS, isErrorCode } from './errors.ts'
import type { FieldRule } from './fields.ts'
import { NewMemory } from './memories.ts'
import { NewRelation } from './relations.ts'

test('every error has a status of an error and a text that is a sentence', () => {
  for (const code of ERROR_CODES) {
    const { status, message } = ERRORS[code]
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    if (code.endsWith('NOT_FOUND')) expect(status).toBe(404)
    expect(message).toMatch(/^\S.*[.]$/)
  }
})

test('403 means that the quota is used up, and nothing else', () => {
  expect(ERROR_CODES.filter((code) => ERRORS[code].status === 403)).toEqual(['QUOTA_EXCEEDED'])
})

test('a field with a code of its own is refused in the words of the catalogue', () => {
  const fields = [NewMemory, NewEntity, NewRelation].flatMap(({ properties }) =>
    Object.entries<TSchema & Partial<FieldRule>>(properties),
  )
  const own = fields.flatMap(([name, { allowed, code }]) =>
    code === undefined ? [] : [[code, `${name} must be ${allowed}.`] as const],
  )
  expect(own).toHaveLength(4)
  for (const [code, message] of own) expect(ERRORS[code].message).toBe(message)
})

test('only names of the catalogue are codes', () => {
  for (const name of ['toString', 'constructor', 'unauthorized', '']) {
    expect(isErrorCode(name), name).toBe(false)
  }
})

test('the codes of the contract are all there', () => {
  expect(ERROR_CODES).toEqual(
    expect.arrayContaining([
      ...['UNAUTHORIZED', 'INVALID_API_KEY', 'API_KEY_REVOKED', 'MEMORY_NOT_FOUND'],
      ...['CONTENT_TOO_LONG', 'INVALID_USER_ID', 'QUOTA_EXCEEDED', 'RATE_LIMIT_EXCEEDED'],
      ...['ENTITY_NOT_FOUND', 'INVALID_ENTITY_TYPE', 'NAME_REQUIRED', 'RELATION_NOT_FOUND'],
      ...['SOURCE_ENTITY_NOT_FOUND', 'TARGET_ENTITY_NOT_FOUND', 'INVALID_RELATION_TYPE'],
    ]),
  )
})

test('the body has the documented shape, with the extra fields beside code and message', () => {
  const error = new ApiError('RATE_LIMIT_EXCEEDED', { message: 'Wait.', fields: { retryAfter: 3 } })
  expect(error.body()).toEqual({
    error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Wait.', retryAfter: 3 },
  })
  expect(error.status).toBe(429)
})

test('the cause of an error is not in its body', () => {
  const error = new ApiError('INTERNAL_ERROR', { cause: new Error('SECRET') })
  expect(JSON.stringify(error.body())).not.toContain('SECRET')
  expect(error.cause).toBeInstanceOf(Error)
})
