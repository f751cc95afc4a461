// What a start says about a data folder that anybody on the machine may write to.
import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newFolder } from './testing/new-folder.ts'
import { runService } from './testing/running-service.ts'

test.each([
  [0o700, 0],
  [0o770, 0],
  [0o777, 1],
])('a start with a folder of mode %o warns %i times', async (mode, warnings) => {
  const directory = newFolder()
  chmodSync(directory, mode)
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const settings = { MNEMOGRAPH_LOG_LEVEL: 'warn' }
  await using _ = await runService({ directory, settings, logTo })
  expect(lines.filter((line) => line.includes('everybody on this machine'))).toHaveLength(warnings)
})
