import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../testing/new-folder.ts'
import { openFiles, TELLS_OPEN_FILES } from '../../testing/open-files.ts'
import { CopyReader, CopyWriter, type Reading } from './copy-file.ts'

test.runIf(TELLS_OPEN_FILES).each([
  ['is empty', Buffer.alloc(0)],
  ['is something else', Buffer.alloc(1_024, 7)],
])('a file that %s is not left open', (_, content) => {
  const file = join(newFolder(), 'copy')
  writeFileSync(file, content)
  expect(() => new CopyReader(file)).toThrow('not a whole copy')
  expect(openFiles()).not.toContain(file)
})

const MIB = 1024 * 1024

const pausesOf = (steps: Generator<void, void>): number => [...steps].length

test('what is large is written and read in steps of a mebibyte, be it one array or many, and comes back as it was', () => {
  const file = join(newFolder(), 'copy')
  const numbers = Uint32Array.from({ length: (3 * MIB) / 4 }, (_, place) => place * 7)
  const parts = Array.from({ length: 64 }, (_, part) => new Uint8Array(MIB / 32).fill(part))
  const descriptor = openSync(file, 'w')
  const writer = new CopyWriter(descriptor)
  writer.array(numbers)
  for (const part of parts) writer.array(part)
  expect(pausesOf(writer.write())).toBe(5)
  closeSync(descriptor)
  const reader = new CopyReader(file)
  function* read(): Reading {
    expect(yield* reader.array(Uint32Array)).toEqual(numbers)
    for (const part of parts) {
      const place = new Uint8Array(part.length)
      yield* reader.into(place)
      expect(place).toEqual(part)
    }
    reader.end()
  }
  expect(pausesOf(read())).toBe(5)
  reader.close()
})
