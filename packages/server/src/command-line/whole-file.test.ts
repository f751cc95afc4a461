// A file has its name only when it is complete, takes the place of no other, and leaves nothing behind when
// it fails. Texts are held open here, so that something can happen in between.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '../testing/new-folder.ts'
import { CommandFailure } from './failure.ts'
import { expectNoFile, writeWhole } from './whole-file.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = newFolder()
  file = join(folder, 'archive.jsonl')
})

/** Ends when it is let. */
function gated(text: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const parts = (async function* () {
    yield text
    begun.resolve()
    await promise
    yield ' end'
  })()
  return { parts, begun: begun.promise, finish: resolve }
}

test('of two that are written at once, the first one complete gets the name, and stays', async () => {
  const [one, two] = [gated('one'), gated('two')]
  const first = writeWhole(file, one.parts)
  const second = writeWhole(file, two.parts)
  await Promise.all([one.begun, two.begun])
  expect(readdirSync(folder)).not.toContain('archive.jsonl')
  one.finish()
  await first
  two.finish()
  await expect(second).rejects.toBeInstanceOf(CommandFailure)
  expect(readFileSync(file, 'utf8')).toBe('one end')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['archive.jsonl'])
})

test('what came to the name meanwhile stays', async () => {
  const { parts, begun, finish } = gated('one')
  const written = writeWhole(file, parts)
  await begun
  writeFileSync(file, 'other')
  finish()
  await expect(written).rejects.toThrow('There is a file')
  expect(readFileSync(file, 'utf8')).toBe('other')
  expect(readdirSync(folder)).toEqual(['archive.jsonl'])
})

test('a folder is told as such, and not to be moved away', () => {
  expect(() => expectNoFile(tmpdir())).toThrow(`${tmpdir()} is a folder. Name a file in it.`)
})

test('where no file can be made, that is told before any of the text is asked for', async () => {
  let isAsked = false
  const text = (async function* () {
    isAsked = true
    yield 'one'
  })()
  await expect(writeWhole(join(folder, 'missing', 'file'), text)).rejects.toThrow('ENOENT')
  expect(isAsked).toBe(false)
})

test('what fails leaves nothing behind', async () => {
  const failing = (async function* () {
    yield 'one'
    throw new Error('away')
  })()
  await expect(writeWhole(file, failing)).rejects.toThrow('away')
  expect(readdirSync(folder)).toEqual([])
})
