/**
 * Starts and stops real servers as their own processes, and runs the command line beside them.
 *
 * Nothing of the product is imported: a server is the executable, its environment, the line that
 * it prints and the signals that it gets. The environment is stripped of every setting of the
 * product first, so that a developer's shell cannot change what the cases see.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase, databaseUrl, dropDatabase, namedServer } from './databases.ts'

const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url))
const executable = join(repositoryRoot, 'packages/server/bin/mnemograph.js')
const START_TIMEOUT_MS = 60_000

export interface ServerProcess {
  readonly url: string
  /** What the process has printed so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves when all that it printed is there, with the exit status: null when the signal ended it. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

export interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export type Settings = Readonly<Record<string, string>>

/**
 * Empty data of its own: a folder, or one that stands for a database when the run, or the caller,
 * names a PostgreSQL.
 */
export async function freshDataDir(postgresUrl = namedServer()): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mnemograph-acceptance-'))
  if (postgresUrl !== undefined) await createDatabase(dataDir, postgresUrl)
  return dataDir
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await dropDatabase(dataDir)
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/** What a server's output calls the place of its data. */
export function placeOf(dataDir: string): string {
  return databaseUrl(dataDir) === undefined ? dataDir : basename(dataDir)
}

/** Resolves once the server has said that it listens; rejects with its output when it has not. */
export async function startServer(
  dataDir: string,
  settings: Settings = {},
): Promise<ServerProcess> {
  const { child, stdout, stderr } = launch(dataDir, settings)
  const closed = once(child, 'close')
  const url = await listeningUrl(child, stdout, stderr)
  return {
    url,
    stdout,
    stderr,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await closed
      return child.exitCode
    },
  }
}

/** For starts that have to fail: waits for the end and reports what was printed. */
export async function runUntilExit(dataDir: string, settings: Settings): Promise<CommandResult> {
  const { child, stdout, stderr } = launch(dataDir, settings)
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS)
  await once(child, 'close')
  clearTimeout(timer)
  return { status: child.exitCode ?? -1, stdout: stdout(), stderr: stderr() }
}

/** Runs `mnemograph ARGS` on a data directory; never throws on a non-zero status. */
export function runCommand(
  dataDir: string,
  args: readonly string[],
  settings: Settings = {},
): Promise<CommandResult> {
  const env = environment(dataDir, settings)
  const options = { cwd: repositoryRoot, env, timeout: 60_000 }
  return new Promise((resolve) => {
    execFile(process.execPath, [executable, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code
      resolve({ status: typeof code === 'number' ? code : -1, stdout, stderr })
    })
  })
}

interface RunningCommand {
  readonly kill: (signal: NodeJS.Signals) => void
  /** The status is null when a signal ended it. */
  readonly ended: Promise<{ status: number | null; stderr: string }>
}

/** Starts `mnemograph ARGS` on a data directory, for cases in which it does not come to its end. */
export function startCommand(
  dataDir: string,
  args: readonly string[],
  settings: Settings,
): RunningCommand {
  const env = environment(dataDir, settings)
  const child = spawn(process.execPath, [executable, ...args], {
    cwd: repositoryRoot,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stderr = collect(child.stderr)
  return {
    kill: (signal) => void child.kill(signal),
    ended: once(child, 'close').then(() => ({ status: child.exitCode, stderr: stderr() })),
  }
}

function launch(dataDir: string, settings: Settings) {
  const env = environment(dataDir, { PORT: '0', ...settings })
  const child = spawn(process.execPath, [executable, 'serve'], {
    cwd: repositoryRoot,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, stdout: collect(child.stdout), stderr: collect(child.stderr) }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}

async function listeningUrl(
  child: ChildProcess,
  stdout: () => string,
  stderr: () => string,
): Promise<string> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    const url = /listening on (http:\/\/\S+)/.exec(stdout())?.[1]
    if (url !== undefined) return url.replace(/\/$/, '')
    if (child.exitCode !== null || child.signalCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  child.kill('SIGKILL')
  throw new Error(`The server did not start.\nstdout: ${stdout()}\nstderr: ${stderr()}`)
}

function environment(dataDir: string, settings: Settings = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(MNEMOGRAPH_.*|DATABASE_URL|PORT|HOST|NODE_OPTIONS|VITEST.*)$/.test(name),
  )
  const database = databaseUrl(dataDir)
  const data = database === undefined ? {} : { DATABASE_URL: database }
  return {
    ...Object.fromEntries(inherited),
    MNEMOGRAPH_DATA_DIR: dataDir,
    ...data,
    ...settings,
  }
}
