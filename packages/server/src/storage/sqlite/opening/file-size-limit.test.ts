import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'

const PROGRAM = fileURLToPath(new URL('../testing/within-file-size.ts', import.meta.url))
const KIB = 1_024

test.skipIf(!existsSync('/proc/self/limits'))(
  'a limit on the size of files is named by whoever cannot open or write a store for it',
  () => {
    const told = (kib: number): string =>
      execFileSync(
        'bash',
        ['-c', `ulimit -f ${kib} && exec "$0" "$1" "$2"`, process.execPath, PROGRAM, newFolder()],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      )
    for (const kib of [300, 3_000]) expect(told(kib)).toContain(`longer than ${kib * KIB} bytes`)
  },
)
