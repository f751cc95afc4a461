// A server in its own process on a given folder: the real executable, or the same service with ready vectors
// instead of the model.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { end, environmentFor, listeningAddress } from '../../eval/server-process.ts'

/** It is stopped at the end of its block. */
type Server = { url: string; pid: number; startMs: number } & AsyncDisposable

const REAL = fileURLToPath(new URL('../../packages/server/bin/mnemograph.js', import.meta.url))
/** As bin/mnemograph.js sets it for every thread. */
const HEAPS_OF_THE_SERVER = '--semi-space-growth-factor=1'
const WITHOUT_MODEL = fileURLToPath(new URL('server-without-model.ts', import.meta.url))

/** With the bundled model. */
export const startReal = (directory: string): Promise<Server> =>
  startProcess([REAL, 'serve'], directory)

/** With the vectors of the sample of that size: see server-without-model.ts. */
export const startWithoutModel = (directory: string, embedded: number): Promise<Server> =>
  startProcess([HEAPS_OF_THE_SERVER, WITHOUT_MODEL, String(embedded)], directory)

async function startProcess(args: string[], directory: string): Promise<Server> {
  const startMs = performance.now()
  const child = spawn(process.execPath, args, {
    env: environmentFor(directory),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const abandon = (): void => {
    child.kill('SIGKILL')
  }
  process.once('exit', abandon)
  const url = await listeningAddress(child)
  return {
    url,
    pid: child.pid ?? 0,
    startMs,
    async [Symbol.asyncDispose]() {
      process.off('exit', abandon)
      await end(child)
    },
  }
}
