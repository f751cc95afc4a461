// A process with a thread that nothing brings out of native code ends all the same, and says why.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const endAtOnce = new URL('./end-at-once.ts', import.meta.url).href
const destination = new URL('../../log-destination.ts', import.meta.url).href

const program = `
  import { Worker } from 'node:worker_threads'
  import { endAtOnce } from ${JSON.stringify(endAtOnce)}
  import { logToStderr } from ${JSON.stringify(destination)}
  const hang = \`
    import { pbkdf2Sync } from 'node:crypto'
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage('now')
    pbkdf2Sync('', '', 2 ** 31 - 1, 8, 'sha512')\`
  const worker = new Worker(hang, { eval: true })
  worker.once('message', () => {
    logToStderr().write('logged before\\n')
    setTimeout(() => endAtOnce('it takes too long'), 100)
  })
`

test('it is gone although a thread does not end, behind its log and the reason', async () => {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said, [, signal]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect(said).toBe('logged before\nmnemograph: it takes too long\n')
  expect(signal).toBe('SIGKILL')
})
