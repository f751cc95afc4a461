import { execFile } from 'node:child_process'
import { constants, getPriority } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const FILE = new URL('./step-back.ts', import.meta.url).href

/** The priority at which a process goes on that stepped back. */
async function priorityAfter(setUp = ''): Promise<number> {
  const code = `
    import { syncBuiltinESMExports } from 'node:module'
    import os from 'node:os'
    ${setUp}
    const { stepBack } = await import('${FILE}')
    stepBack()
    process.stdout.write(String(os.getPriority()))`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    code,
  ])
  return Number(stdout)
}

test('a process that stepped back goes on behind all others', async () => {
  expect(await priorityAfter()).toBe(constants.priority.PRIORITY_LOW)
})

test('where that is forbidden, the process goes on as it is', async () => {
  const forbidden = `
    os.setPriority = () => { throw new Error('EPERM') }
    syncBuiltinESMExports()`
  expect(await priorityAfter(forbidden)).toBe(getPriority())
})
