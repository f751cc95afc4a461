// How long a user waits from `npm start` on an empty folder to the line that says where the server listens.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { environmentFor } from '../../eval/server-process.ts'

export async function measureStart(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'mnemograph-bench-'))
  const start = performance.now()
  // In a process group of its own, to signal: npm is the parent of the server.
  const child = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: environmentFor(directory),
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const exited = once(child, 'exit')
  const { promise: listening, resolve } = Promise.withResolvers<number>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('listening on ')) resolve(performance.now() - start)
  })
  const tookMs = await Promise.race([listening, exited.then(() => Number.NaN)])
  if (!Number.isNaN(tookMs) && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  await exited
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  return tookMs
}
