// An address of mail is found however it is written, and not by another one. Codes of digits are in numbers.test.ts
// and terms.test.ts.
import { describe, expect, test } from 'vitest'
import { termsOfMemory } from '../../testing/terms-of-memory.ts'
import { termsOfQuery } from '../terms.ts'

/** Whether the memory has the code of the query, in one of its forms. */
function hasCode(memory: string, query: string): boolean {
  const there = new Set(termsOfMemory(memory))
  const code = termsOfQuery(query).find(({ isCode }) => isCode)
  if (code === undefined) throw new Error('The query has no code.')
  return [code.term, ...code.alternatives].some((form) => there.has(form))
}

const FORMS = ['ben@acme-corp.io', 'mailto:ben@acme-corp.io', 'email:ben@acme-corp.io']
const PAIRS = FORMS.flatMap((memory) => FORMS.map((query) => [memory, query] as const))

describe('an address of mail', () => {
  test.each(PAIRS)('that is written %s is found by %s', (memory, query) => {
    expect(hasCode(`Write to ${memory}, she reads it.`, query)).toBe(true)
  })

  test('is found in another case, and in brackets', () => {
    expect(hasCode('Ben Lee <Ben@Acme-Corp.io> wrote.', 'BEN@acme-corp.IO')).toBe(true)
  })

  test.each(['bob@acme-corp.io', 'ben@acme-corp.com', 'ben.lee@acme-corp.io'])(
    'is not found by %s',
    (other) => {
      const memory = 'Ben has ben@acme-corp.io, Bob and Lee have none at .com.'
      expect(hasCode(memory, other)).toBe(false)
    },
  )
})
