import fc from 'fast-check'
import { expect, test } from 'vitest'
import { termsOfMemory } from '../testing/terms-of-memory.ts'
import { identityOf } from './identity.ts'
import { termsOfQuery } from './query-terms.ts'

const text = fc.string({ unit: 'binary', maxLength: 50 })

test('is equal for equal texts only', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(identityOf(one) === identityOf(other)).toBe(one === other)
    }),
  )
  expect(identityOf('Tea')).not.toBe(identityOf('tea'))
  expect(identityOf('tea')).not.toBe(identityOf('tea '))
})

test('is never taken for a word, and can stand among the terms', () => {
  fc.assert(
    fc.property(text, text, (content, query) => {
      const identity = identityOf(content)
      expect(identity).toMatch(/^=[\w-]{16}$/)
      expect(termsOfMemory(`${query} ${identity}`)).not.toContain(identity)
      expect(termsOfQuery(`${query} ${identity}`).map(({ term }) => term)).not.toContain(identity)
    }),
  )
})
