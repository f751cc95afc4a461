// A server of its own for a measurement: the real executable on a free port, with a temporary folder that is
// removed with it, and a key without limits.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { end, environmentFor, listeningAddress } from './server-process.ts'

export type LocalService = {
  url: string
  /** A key without limits. */
  key: string
  /** Another key without limits, with an empty space of its own. */
  newKey(): string
  stop(): Promise<void>
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const EXECUTABLE = fileURLToPath(new URL('../packages/server/bin/mnemograph.js', import.meta.url))

type LocalOptions = {
  /** Added to those of the environment. */
  settings?: Record<string, string>
  /** Holds the server to one core. */
  core?: number
}

export async function startLocalService({
  settings = {},
  core,
}: LocalOptions = {}): Promise<LocalService> {
  const directory = mkdtempSync(join(tmpdir(), 'mnemograph-measure-'))
  const environment = { ...environmentFor(directory), ...settings }
  const command = [process.execPath, EXECUTABLE, 'serve']
  const [program = '', ...args] =
    core === undefined ? command : ['taskset', '-c', `${core}`, ...command]
  const child = spawn(program, args, {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // A measurement that is interrupted or fails leaves no server and no folder behind.
  const abandon = (): void => {
    child.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', abandon)
  const interrupted = (): never => process.exit(1)
  for (const signal of SIGNALS) process.once(signal, interrupted)
  const stop = async (): Promise<void> => {
    await end(child)
    process.off('exit', abandon)
    for (const signal of SIGNALS) process.off(signal, interrupted)
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const url = await listeningAddress(child)
    const newKey = (): string => createKey(environment)
    return { url, key: newKey(), newKey, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function createKey(environment: NodeJS.ProcessEnv): string {
  const limits = ['read', 'write', 'search'].flatMap((name) => [`--${name}-limit`, 'none'])
  const command = ['keys', 'create', '--name', 'measurement', '--plan', 'enterprise', '--json']
  const printed = execFileSync(process.execPath, [EXECUTABLE, ...command, ...limits], {
    env: environment,
    encoding: 'utf8',
  })
  // The command line promises this form.
  const { key }: { key: string } = JSON.parse(printed)
  return key
}
