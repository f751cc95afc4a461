import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databaseFile } from '../data-folder.ts'
import { newFolder, openIn } from '../testing/store-in-folder.ts'

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
