import { expect, test } from 'vitest'
import { StoreError } from '../storage/store.ts'
import { outcomeOf } from './outcome.ts'

test('a full disk is told in one sentence, whichever command met it', () => {
  const { status, text } = outcomeOf(new StoreError('full', new Error('database or disk is full')))
  expect(status).toBe(1)
  expect(text).toMatch(/^There is no room left on the disk.*\.$/)
})

test('a database that does not answer is told in one sentence with the reason, whichever command met it', () => {
  const cause = new Error('Connection terminated due to connection timeout')
  const { status, text } = outcomeOf(new StoreError('unavailable', cause))
  expect(status).toBe(1)
  expect(text).toMatch(/^The store does not answer \(Connection terminated .*\)\. .*\.$/)
})

test('what nobody foresaw is told with its cause, since a store says no more than its kind', () => {
  const cause = new Error('permission denied for schema mnemograph')
  const { status, text } = outcomeOf(new StoreError('fault', cause))
  expect(status).toBe(1)
  expect(text).toContain('    at ')
  expect(text).toContain('permission denied for schema mnemograph')
})
