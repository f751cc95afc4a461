// A message is looked at until it is known to be too long, and no further: what is behind that holds up nobody.
import { expect, test } from 'vitest'
import { boundMessage } from './message-bounds.ts'

const TOO_LARGE = expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' })

/** How often something in `value` is read. */
function looksAt(value: object): number {
  let looks = 0
  const watched = new Proxy(value, {
    get(target, name, receiver) {
      looks += 1
      return Reflect.get(target, name, receiver)
    },
  })
  expect(() => boundMessage({ params: { x: watched, arguments: {} } })).toThrow(TOO_LARGE)
  return looks
}

test('of a list or an object that is too large no more is read than fits', () => {
  const names = Array.from({ length: 100_000 }, (_, place) => [`name${place}`, 0])
  expect(looksAt(Array(300_000).fill(0))).toBeLessThan(16 * 1024)
  expect(looksAt(Object.fromEntries(names))).toBeLessThan(16 * 1024)
})

test('arguments may be as long as they like, but not as many', () => {
  const long = { content: 'x'.repeat(100_000), list: Array(100_000).fill(0) }
  boundMessage({ params: { arguments: long } })
  const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, place) => [`name${place}`, 0]))
  expect(() => boundMessage({ params: { arguments: many } })).toThrow(TOO_LARGE)
})
