import { expect, test } from 'vitest'
import { EmbedderUnavailable } from '../embedding/embedder.ts'
import { StoreError } from '../storage/store.ts'
import { CommandFailure } from './failure.ts'
import { explainedInterruption } from './interruption.ts'

test.each([
  [new StoreError('unavailable', undefined), 'The database does not answer any more.'],
  [new StoreError('full', undefined), 'There is no room left on the disk.'],
  [new EmbedderUnavailable('It is away.'), 'The model does not answer any more. It is away.'],
  [
    new EmbedderUnavailable('The service failed.', new Error('It answered 503.')),
    'The model does not answer any more. It answered 503.',
  ],
])(
  'an interruption is told in a sentence, and that the command can be run again',
  (error, reason) => {
    const told = explainedInterruption(error)
    expect(told).toBeInstanceOf(CommandFailure)
    expect(String(told)).toContain(`${reason} What is done is kept`)
  },
)

test('a bug stays what it is, so that its stack is shown', () => {
  const bug = new StoreError('fault', new Error('of ours'))
  expect(explainedInterruption(bug)).toBe(bug)
})
