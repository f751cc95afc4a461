// A file that a command cannot read whole is told by its name, whatever Node calls that.
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/new-folder.ts'
import { readText } from './input-file.ts'

test('a file of more characters than a text can have is refused, and what to do is said', () => {
  const file = join(newFolder(), 'records.json')
  writeFileSync(file, '')
  // Nothing of it lies on the disk.
  truncateSync(file, 2 ** 29)
  expect(() => readText(file)).toThrow(
    `The file ${file} is too large to be read whole: at most 512 MB. Divide it into several.`,
  )
})
