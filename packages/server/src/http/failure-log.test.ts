import pino from 'pino'
import { expect, test } from 'vitest'
import { ApiError } from '../contract/errors.ts'
import { EmbedderUnavailable } from '../embedding/embedder.ts'
import { StoreError, StoreOverloaded } from '../storage/store.ts'
import { toApiError } from './error-handler.ts'
import { logFailure } from './failure-log.ts'

/** The levels of the lines that it leaves in the log. */
function levelsOf(thrown: unknown): string[] {
  const lines: string[] = []
  logFailure(pino({ level: 'debug' }, { write: (line) => lines.push(line) }), toApiError(thrown))
  return lines.map((line) => pino.levels.labels[JSON.parse(line).level] ?? '')
}

test.each([
  new StoreError('unavailable', new Error('connection refused')),
  new StoreError('full', new Error('disk is full')),
  new EmbedderUnavailable('The embedding service failed.', new Error('connection refused')),
  new Error('a bug'),
  undefined,
])('what failed is an error in the log: %s', (thrown) => {
  expect(levelsOf(thrown)).toEqual(['error'])
})

test.each([
  new EmbedderUnavailable('Too many texts wait for the model.'),
  new StoreOverloaded('Others use all connections for long reads.'),
])('that there is too much to do, or no model yet, is a warning: %s', (thrown) => {
  expect(levelsOf(thrown)).toEqual(['warn'])
})

test.each([
  new ApiError('SERVICE_UNAVAILABLE', { message: 'Too many imports are open.' }),
  new ApiError('RATE_LIMIT_EXCEEDED'),
  new ApiError('VALIDATION_ERROR', { cause: new Error('not JSON') }),
])('what the server refuses by choice is told by the line of the request alone: %s', (refusal) => {
  expect(levelsOf(refusal)).toEqual([])
})
