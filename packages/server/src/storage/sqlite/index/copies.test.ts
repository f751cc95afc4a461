import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { subjectOf } from '../../conformance/subject.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openIn } from '../testing/store-in-folder.ts'

test.each(['plain', 'data[1]', '{a,b}*?'])(
  'copies of no use are removed at the start, in a folder with the name %s as well',
  async (name) => {
    const directory = join(newFolder(), name)
    mkdirSync(directory)
    const beside = [
      `${databaseFile(directory)}-index-7`,
      `${databaseFile(directory)}-index-8.draft`,
    ]
    for (const file of beside) writeFileSync(file, 'of a text that was deleted')
    const store = await openIn(directory)
    await expect.poll(() => beside.filter(existsSync), { timeout: 10_000 }).toEqual([])
    await store.close()
  },
)

test('a deletion is answered when no copy of its space is there any more, finished or not', async () => {
  const directory = newFolder()
  const copyOf = (space: unknown): string => `${databaseFile(directory)}-index-${space}`
  // The start removes what it finds, and would find what is written below.
  writeFileSync(copyOf('of nobody'), '')
  const subject = subjectOf(await openIn(directory))
  await expect.poll(() => existsSync(copyOf('of nobody'))).toBe(false)
  const [{ memories, spaceId }, other] = [await subject.newSpace(), await subject.newSpace()]
  const memory = memoryOf()
  await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
  const copies = [copyOf(spaceId), `${copyOf(spaceId)}.draft`]
  for (const file of [...copies, copyOf(other.spaceId)]) writeFileSync(file, memory.content)
  expect(await memories.remove(memory.id, NO_RECEIPT)).toBe(true)
  expect(copies.filter(existsSync)).toEqual([])
  expect(existsSync(copyOf(other.spaceId))).toBe(true)
})
