// Whatever an id, a filter or a tag is, it arrives as it was given, or nothing is sent. The service's own
// functions say what arrives.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitTagList } from '../../server/src/contract/fields.ts'
import { pathOf, queryOf } from './address.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(' ', ',', '.', '/', '%2e', '\u0085', '\ufeff', 'é', '𝄞', 'a'),
  }),
)
const whitespaceOutside = /^[\s\u0085]|[\s\u0085]$/

test('an id is one segment of the path, which reads as the id', () => {
  fc.assert(
    fc.property(anyText, (id) => {
      fc.pre(!['', '.', '..'].includes(id))
      const { pathname, search, hash } = new URL(`http://host${pathOf('/v1/memories', id)}`)
      expect([search, hash]).toEqual(['', ''])
      const segments = pathname.split('/')
      expect(segments.slice(0, 3)).toEqual(['', 'v1', 'memories'])
      expect(segments.slice(3).map(decodeURIComponent)).toEqual([id])
    }),
    { numRuns: 1000 },
  )
})

test('what would be another path, or is no text, is no id', () => {
  for (const id of ['', '.', '..', '\ud800', 'a\udfff', undefined, null, 7]) {
    expect(() => Reflect.apply(pathOf, undefined, ['/v1/memories', id])).toThrow(TypeError)
  }
})

test('the filters of a list arrive as they were given', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1 }), (userId, page) => {
      const query = new URL(`http://host/${queryOf({ userId, page, tags: [] })}`).searchParams
      expect([...query]).toEqual([
        ['userId', userId],
        ['page', String(page)],
      ])
    }),
    { numRuns: 1000 },
  )
})

test('a filter that would arrive as another one is not sent', () => {
  for (const userId of ['\ud800', 'a\udc00b', null, {}, true, 7]) {
    expect(() => queryOf({ userId })).toThrow(TypeError)
  }
  expect(queryOf({ tags: [] })).toBe('')
})

test('tags arrive as they were given, or are refused because they cannot', () => {
  let sent = 0
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), (tags) => {
      const cannot = tags.some(
        (tag) => tag === '' || tag.includes(',') || whitespaceOutside.test(tag),
      )
      if (cannot) {
        expect(() => queryOf({ tags })).toThrow(TypeError)
        expect(splitTagList(tags.join(','))).not.toEqual(tags)
      } else {
        sent += 1
        const list = new URL(`http://host/${queryOf({ tags })}`).searchParams.get('tags')
        expect(splitTagList(list ?? '')).toEqual(tags)
      }
    }),
    { numRuns: 2000 },
  )
  expect(sent).toBeGreaterThan(100)
})

test('a refusal repeats no tag', () => {
  for (const tags of [['secret,b'], ['secret\ud800'], ['secret ']]) {
    expect(() => queryOf({ tags })).toThrow(TypeError)
    expect(() => queryOf({ tags })).not.toThrow(/secret/)
  }
})
