// Where refused lines go, and which files are never written over for them.
import {
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { UsageFailure } from '../../failure.ts'
import { openRefusals } from './refusals.ts'

let folder: string
let input: string
let told: string
const people = { write: (text: string) => (told += text) }
beforeEach(() => {
  folder = newFolder()
  input = join(folder, 'memories.jsonl')
  writeFileSync(input, 'precious')
  told = ''
})

const open = (file: string | undefined) => openRefusals(file, { reads: [input], people })
const refused = (line: number) => ({ line, error: { code: 'NO', message: 'Not this.' } })

test('a file that is read is never written over, by whichever name', async () => {
  const [hard, soft, chain] = ['hard', 'soft', 'chain'].map((name) => join(folder, name))
  linkSync(input, hard ?? '')
  symlinkSync(input, soft ?? '')
  symlinkSync('soft', chain ?? '')
  for (const file of [input, `${folder}/./memories.jsonl`, hard, soft, chain]) {
    await expect(open(file)).rejects.toBeInstanceOf(UsageFailure)
    await expect(open(file)).rejects.toThrow('would be lost')
  }
  expect(readFileSync(input, 'utf8')).toBe('precious')
})

test('what is read from an open file is not written over either', async () => {
  const reads = [openSync(input, 'r')]
  await expect(openRefusals(input, { reads, people })).rejects.toBeInstanceOf(UsageFailure)
  expect(readFileSync(input, 'utf8')).toBe('precious')
})

test('a file that cannot be opened is refused at once', async () => {
  mkdirSync(join(folder, 'inner'))
  for (const file of [join(folder, 'missing', 'file'), join(folder, 'inner'), join(input, 'x')]) {
    await expect(open(file)).rejects.toBeInstanceOf(UsageFailure)
    await expect(open(file)).rejects.toThrow(file)
  }
})

test('all refused lines are in the file, which only its owner may read and which holds nothing else', async () => {
  const file = join(folder, 'refused.jsonl')
  writeFileSync(file, 'old '.repeat(10_000), { mode: 0o600 })
  const refusals = await open(file)
  for (let line = 1; line <= 60; line += 1) refusals.add(refused(line))
  await refusals.close()
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    Array.from({ length: 60 }, (_, index) => refused(index + 1)),
  )
  expect(told).toBe(`Which ones and why is in ${file}.\n`)
  rmSync(file)
  await (await open(file)).close()
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('without a file the first ones are told', async () => {
  const refusals = await open(undefined)
  for (let line = 1; line <= 60; line += 1) refusals.add(refused(line))
  await refusals.close()
  expect(told.split('\n')).toHaveLength(52)
  expect(told).toContain('  line 50: NO: Not this.\n  and 10 more\n')
})

test.runIf(existsSync('/dev/full'))(
  'what a full disk does not take is told, all of it',
  async () => {
    const refusals = await open('/dev/full')
    for (let line = 1; line <= 60; line += 1) refusals.add(refused(line))
    await refusals.close()
    expect(told).toMatch(
      /^The file \/dev\/full cannot be written \(ENOSPC.*\n {2}line 1: NO: Not this/,
    )
    expect(told.match(/^ {2}line/gm)).toHaveLength(60)
    expect(told).not.toContain('Which ones')
  },
)
