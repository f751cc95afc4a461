// Compares a dictionary with a Map of the same texts. Where texts stand in it differs between processes, and a
// copy keeps it.
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { newFolder } from '../../../../testing/new-folder.ts'
import { inOneGo } from '../../testing/search-at-once.ts'
import { CopyReader, CopyWriter } from './copy-file.ts'
import { KeyDictionary } from './key-dictionary.ts'

/** Of steps: by itself fast-check makes some ten, in which nothing is pushed aside or runs full. */
const MANY = { maxLength: 400, size: 'max' } as const
const text = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'aa', '__proto__', '\u{1f600}'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

test('a dictionary has one number for each text, and gives numbers back', () => {
  const step = fc.record({ text, isAdding: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { ...MANY }), (steps) => {
      const dictionary = new KeyDictionary()
      const known = new Map<string, number>()
      for (const { text: key, isAdding } of steps) {
        const number = known.get(key)
        expect(dictionary.find(key)).toBe(number)
        if (isAdding) known.set(key, dictionary.take(key))
        else if (number !== undefined) {
          dictionary.giveBack(number)
          known.delete(key)
        }
        if (isAdding && number !== undefined) expect(known.get(key)).toBe(number)
      }
      for (const [key, number] of known) expect(dictionary.find(key)).toBe(number)
      expect(new Set(known.values()).size, 'no number twice').toBe(known.size)
    }),
  )
})

test('texts of one length and one hash are told apart', () => {
  const dictionary = new KeyDictionary()
  // Of so many, strewn over their range, some ten pairs have the same 32 bits.
  const texts = Array.from({ length: 300_000 }, (_, one) =>
    (Math.imul(one, 0x9e3779b1) >>> 0).toString(36).padStart(7, '0'),
  )
  expect(new Set(texts.map((each) => dictionary.take(each))).size).toBe(texts.length)
  for (const [number, each] of texts.entries()) {
    if (dictionary.find(each) !== number) expect.unreachable(each)
  }
})

test('where texts stand is different in every process, and goes along with a copy', async () => {
  const texts = Array.from({ length: 200 }, (_, one) => `text ${one}`)
  const file = join(newFolder(), 'copy')
  const savedOf = (dictionary: KeyDictionary): Buffer => {
    const descriptor = openSync(file, 'w')
    const writer = new CopyWriter(descriptor)
    dictionary.save(writer)
    inOneGo(writer.write())
    closeSync(descriptor)
    return readFileSync(file)
  }
  vi.resetModules()
  const another = await import('./key-dictionary.ts')
  const [one, other] = [new KeyDictionary(), new another.KeyDictionary()]
  for (const dictionary of [one, other]) for (const each of texts) dictionary.take(each)
  const saved = savedOf(one)
  expect(savedOf(other)).not.toEqual(saved)
  writeFileSync(file, saved)
  const reader = new CopyReader(file)
  const restored = new another.KeyDictionary()
  inOneGo(restored.restore(reader))
  reader.close()
  expect(texts.map((each) => restored.find(each))).toEqual([...texts.keys()])
  expect(savedOf(restored)).toEqual(saved)
})

test('a dictionary through which very many texts pass stays small', () => {
  const dictionary = new KeyDictionary()
  const passBy = (round: number): void => {
    const numbers = Array.from({ length: 500 }, (_, one) => dictionary.take(`${round} and ${one}`))
    for (const number of numbers) dictionary.giveBack(number)
  }
  passBy(0)
  const { bytes } = dictionary
  for (let round = 1; round < 50; round += 1) passBy(round)
  expect(dictionary.bytes).toBeLessThan(bytes * 2)
})
