// A code is found however it is written, and not by another one. Those of digits are in numbers.test.ts and
// terms.test.ts.
import { describe, expect, test } from 'vitest'
import { termsOfMemory } from '../../testing/terms-of-memory.ts'
import { termsOfQuery } from '../query-terms.ts'

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

describe('a version behind a name', () => {
  test.each([
    ['We use lodash 4.17.21 there', 'lodash@4.17.21'],
    ['We use react-query 5.17.0 there', 'react-query@5.17.0'],
    ['Deployed v3.4.1 on Monday', 'acme/shop-3.4.1'],
    ['Deployed 3.4.1 on Monday', 'release-v3.4.1'],
    ['The image acme/nginx:1.25.3-alpine crashes', 'nginx:1.25.3'],
    ['Build 4.2.0-beta.3 is out', 'shop@4.2.0-beta.3'],
  ])('is found without it: %j by %j', (memory, query) => {
    expect(hasCode(memory, query)).toBe(true)
  })

  test.each([
    ['We use react-query 5.17.0 there', 'react-query@5.17.1'],
    ['Build 4.2.0 is out', 'shop@4.2.0-beta.3'],
    ['Build 4.2.0-beta.3 is out', 'shop@4.2.0-beta.2'],
  ])('is not found by another one: %j by %j', (memory, query) => {
    expect(hasCode(memory, query)).toBe(false)
  })
})

test.each(['9be4f1a', '9be4f1a2c3', '9be4f1a2c3d4'])(
  'a commit that is shortened to %s is found by its whole name or more of it, and by no other',
  (short) => {
    const whole = '9be4f1a2c3d4e5f60718293a4b5c6d7e8f901234'
    expect(hasCode(`It broke in ${short}.`, `What broke in ${whole}?`)).toBe(true)
    expect(hasCode(`It broke in ${short}.`, `What broke in 8${whole.slice(1)}?`)).toBe(false)
    expect(hasCode(`It broke in ${short}.`, `What broke in ${whole.slice(0, 20)}?`)).toBe(true)
    expect(hasCode(`It went to 0x${whole}.`, whole)).toBe(true)
  },
)

test.each([
  ['9be4f1a', 'a commit'],
  ['9be4f1a2c3d4', 'an image'],
  ['acme/shop@9be4f1a', 'a commit behind its repository'],
  ['https://example.com/acme/shop/commit/9be4f1a2', 'the address of a commit'],
])('%s finds the whole name of %s, and no other', (short) => {
  const whole = '9be4f1a2c3d4e5f60718293a4b5c6d7e8f901234'
  expect(hasCode(`It broke in ${whole}.`, `What broke in ${short}?`)).toBe(true)
  expect(hasCode(`It broke in 8${whole.slice(1)}.`, `What broke in ${short}?`)).toBe(false)
})

test.each([
  ['9be4f1a', '9be4f1a2c3d4'],
  ['9be4f1a2c3', '9be4f1a'],
  ['d41d8cd9', 'd41d8cd98f00b204e9800998ecf8427e'],
])('%s finds %s', (query, memory) => {
  expect(hasCode(`It is ${memory}.`, `What is ${query}?`)).toBe(true)
})

test.each([
  ['8c3f5a01', '8c3f5a02'],
  ['507f1f77bcf86cd799439011', '507f1f77bcf86cd799439012'],
  ['018f4e3a-7b2c-7000-8000-3c1d5e7f9a01', '018f4e3a-7b2c-7000-8000-3c1d5e7f9a02'],
  ['9be4f1a2c3d4-01', '9be4f1a2c3d4-02'],
])('%s does not find %s, which only begins so', (query, memory) => {
  expect(hasCode(`It is ${memory}.`, `What is ${query}?`)).toBe(false)
})

test('a number behind its mark is a code: it says which, and not how many', () => {
  expect(hasCode('Issue #123 is open.', 'What is #1234?')).toBe(false)
  expect(hasCode('Issue 1234 is open.', 'What is issue #1234?')).toBe(true)
  for (const query of ['issue 1234', 'the #1 goal', '&#123;', 'a#123']) {
    expect(termsOfQuery(query).some(({ isCode }) => isCode)).toBe(false)
  }
})

const DIGEST = '7b1e0a3c9d8f7e6a'.repeat(4)
test.each([
  [`sha256:${DIGEST}`, 'sha256:7b1e0a3c9d8f'],
  [`sha256:${DIGEST}`, '7b1e0a3c9d8f'],
  [`sha256:${DIGEST}`, DIGEST],
  [DIGEST, `sha256:${DIGEST}`],
  ['sha256:7b1e0a3c9d8f', `sha256:${DIGEST}`],
])('the digest %s is found by %s', (memory, query) => {
  expect(hasCode(`The image is ${memory}.`, `What is ${query}?`)).toBe(true)
})
