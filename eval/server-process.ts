// What every process of a server needs that a measurement starts: its environment, the address that it prints,
// and its end.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Of a server on the folder, on a free port; not on the database of whoever measures. */
export const environmentFor = (directory: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PORT: '0',
  HOST: '127.0.0.1',
  DATABASE_URL: '',
  MNEMOGRAPH_DATA_DIR: directory,
  MNEMOGRAPH_LOG_LEVEL: 'warn',
})

/** Resolves to the address at which the server says that it listens; rejects when it ends before. */
export function listeningAddress(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  if (child.stdout === null) throw new Error('The output of the server cannot be read.')
  createInterface({ input: child.stdout }).on('line', (line) => {
    const address = /^listening on (\S+)$/.exec(line)?.[1]
    if (address !== undefined) resolve(address)
  })
  child.once('error', reject)
  child.once('exit', () => reject(new Error('The server ended before it accepted requests.')))
  return promise
}

/** Asks the process to end, and waits until it has. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
