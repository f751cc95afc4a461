// Threads that begin when they are wanted, in a process that can open no file then, such as the thread's own.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import type { Outcome } from '../testing/without-open-files.ts'

const FILES_MAX = 120
const WHILE_MS = 60_000
const program = fileURLToPath(new URL('../testing/without-open-files.ts', import.meta.url))

test.skipIf(process.platform === 'win32')(
  'a thread that cannot begin while no file can be opened ends nothing, and begins when it can',
  { timeout: WHILE_MS },
  () => {
    // Which keeps threads that begin at once from doing harm to each other.
    const flags = process.execArgv.filter((flag) => flag.startsWith('--wasm-wrapper'))
    const command = [process.execPath, ...flags, program, newFolder()]
    const asked = execFileSync(
      'sh',
      ['-c', `ulimit -n ${FILES_MAX}; exec "$@"`, 'sh', ...command],
      {
        encoding: 'utf8',
        timeout: WHILE_MS,
      },
    )
    const { meanwhile, afterwards, deaths }: Outcome = JSON.parse(asked)
    expect(deaths).toEqual([])
    expect(meanwhile).toContain('unavailable')
    expect(meanwhile.filter((each) => each !== 'unavailable' && each !== 'answered')).toEqual([])
    expect(afterwards).toEqual(['answered', 'answered'])
  },
)
