// What metadata may hold: any JSON object that every store can give back exactly, within bounds.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NewMemory } from '../../contract/memories.ts'
import { parseJson } from '../body/json.ts'
import { body } from './read-input.ts'

const read = body(NewMemory)
const accepts = (metadata: unknown): boolean => {
  try {
    read({ body: { content: 'c', userId: 'u', metadata } })
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', fields: { field: 'metadata' } })
    return false
  }
}

/** An object `levels` deep, the outermost one counted. */
const objectsDeep = (levels: number): object => (levels === 1 ? {} : { a: objectsDeep(levels - 1) })
const arraysDeep = (levels: number): unknown => (levels === 1 ? [] : [arraysDeep(levels - 1)])

test('metadata is an object', () => {
  expect(accepts({})).toBe(true)
  for (const value of [[], [{}], 'text', 5, true]) expect(accepts(value)).toBe(false)
})

test('the object itself is depth 1, arrays count like objects, and 32 is the deepest', () => {
  expect(accepts(objectsDeep(32))).toBe(true)
  expect(accepts(objectsDeep(33))).toBe(false)
  expect(accepts({ a: arraysDeep(31) })).toBe(true)
  expect(accepts({ a: arraysDeep(32) })).toBe(false)
})

test('a text at the deepest level does not make it deeper', () => {
  const deepest: { a?: unknown } = {}
  let metadata: object = deepest
  for (let level = 1; level < 32; level += 1) metadata = { a: metadata }
  deepest.a = 'text'
  expect(accepts(metadata)).toBe(true)
})

test('nesting without end is refused instead of overflowing the stack', () => {
  const depth = 200_000
  expect(accepts({ a: JSON.parse('['.repeat(depth) + ']'.repeat(depth)) })).toBe(false)
})

test('16 KiB are UTF-8 bytes of the compact JSON', () => {
  const frame = Buffer.byteLength(JSON.stringify({ a: '' }))
  const room = 16 * 1024 - frame
  expect(accepts({ a: 'x'.repeat(room) })).toBe(true)
  expect(accepts({ a: 'x'.repeat(room + 1) })).toBe(false)
  const wide = '\u{1f9e0}'
  const fitting = Math.floor(room / 4)
  expect(accepts({ a: wide.repeat(fitting) })).toBe(true)
  expect(accepts({ a: wide.repeat(fitting + 1) })).toBe(false)
  expect(accepts({ a: '"'.repeat(room / 2) }), 'an escaped character takes two bytes').toBe(true)
  expect(accepts({ a: '"'.repeat(room / 2 + 1) })).toBe(false)
})

test('NUL and lone surrogates are refused anywhere, in texts and in keys', () => {
  for (const text of ['\0', '\ud800', '\udfff', 'a\0b', '\udc00\ud800']) {
    for (const metadata of [
      { a: text },
      { a: [{ b: text }] },
      { [text]: 1 },
      { a: [{ [text]: 1 }] },
    ]) {
      expect(accepts(metadata), JSON.stringify(metadata)).toBe(false)
    }
  }
  expect(accepts({ '\ud83e\udde0': '\ud83e\udde0' }), 'a pair of surrogates is a character').toBe(
    true,
  )
})

test('a number outside the double range is refused at any depth', () => {
  for (const json of ['{"a":1e400}', '{"a":[{"b":-1e400}]}', '{"a":[{"b":1e-400}]}']) {
    expect(accepts(parseJson(json))).toBe(false)
  }
  expect(accepts(parseJson('{"a":1e308,"b":5e-324,"c":-0,"d":9007199254740993}'))).toBe(true)
})

test('no more of it is looked at than may be kept', () => {
  let looks = 0
  const many = new Proxy(Array(300_000).fill(0), {
    get(target, name, receiver) {
      looks += 1
      return Reflect.get(target, name, receiver)
    },
  })
  expect(accepts({ a: many })).toBe(false)
  expect(accepts({ a: [many, 0] })).toBe(false)
  // Each value takes two bytes at least, and its list is asked for its length each time.
  expect(looks).toBeLessThan(3 * 16 * 1024)
})

test('null, booleans and empty texts within metadata are values like any other', () => {
  expect(accepts({ a: null, b: false, c: '', '': [] })).toBe(true)
})

test('keys that every object has are kept as they are', () => {
  const metadata = JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":2},"toString":3}')
  const result = read({ body: { content: 'c', userId: 'u', metadata } })
  expect(JSON.stringify(result.metadata)).toBe(JSON.stringify(metadata))
})

test('every JSON object without such texts is accepted as long as it is small', () => {
  const text = fc.string({ unit: 'grapheme' })
  const value = fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' })
  const storable = (json: string) => !/\\u0000/.test(json) && json.isWellFormed()
  fc.assert(
    fc.property(fc.dictionary(text, value), (metadata) => {
      const json = JSON.stringify(metadata)
      fc.pre(storable(json) && Buffer.byteLength(json) <= 16 * 1024)
      expect(accepts(JSON.parse(json))).toBe(true)
    }),
  )
})
