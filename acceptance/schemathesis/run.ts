/**
 * Schemathesis against a real server: requests made from the served document, valid and broken ones,
 * and walks along its links and one more. Every check is on, the one that lets a second key look for the
 * records of the first included, and every answer has to be one that the document describes. The run is
 * deterministic, so that a finding can be seen again.
 *
 *   node acceptance/schemathesis/run.ts [--bin FOLDER] [--max-examples N]
 *
 * FOLDER holds the `schemathesis` executable (default: PATH). requirements.txt pins its version.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { issueKey } from '../harness/keys.ts'
import { freshDataDir, removeDataDir, startServer } from '../harness/server-process.ts'
import { type Forwarding, forwardTo } from './forwarder.ts'
import { writeWalkedDocument } from './walked-document.ts'

const { values: options } = parseArgs({
  options: { bin: { type: 'string' }, 'max-examples': { type: 'string', default: '200' } },
})
const executable =
  options.bin === undefined ? 'schemathesis' : join(resolve(options.bin), 'schemathesis')

if (spawnSync(executable, ['--version']).error !== undefined) {
  process.stderr.write(
    `There is no ${executable}. Install it with\n` +
      '  python3 -m venv .venv\n' +
      '  .venv/bin/pip install -r acceptance/schemathesis/requirements.txt\n' +
      'and pass --bin .venv/bin.\n',
  )
  process.exit(2)
}

// Side by side, each on a server of its own, since either keeps one core busy at most. A walk takes every create
// for a new record, also a replay, which still answers with its record when that was deleted in between. So no
// create of a walk is a replay.
const examinations = [
  examine('examples,coverage,fuzzing', { freshIdempotencyKeys: false }),
  examine('stateful', { freshIdempotencyKeys: true }),
]
// When one fails, the other still stops what it has started.
await Promise.allSettled(examinations)
process.exitCode = Math.max(...(await Promise.all(examinations)))

async function examine(phases: string, forwarding: Forwarding): Promise<number> {
  const dataDir = await freshDataDir()
  try {
    const settings = { MNEMOGRAPH_TRUSTED_PROXIES: '127.0.0.1', MNEMOGRAPH_LOG_LEVEL: 'fatal' }
    const server = await startServer(dataDir, settings)
    try {
      // Without quota and rate limit: what is examined is every other answer.
      await introduce(dataDir, {
        owner: (await issueKey(dataDir)).key,
        stranger: (await issueKey(dataDir)).key,
      })
      const forwarder = await forwardTo(server.url, forwarding)
      const document = join(dataDir, 'openapi.json')
      await writeWalkedDocument(server.url, document)
      const status = await run(dataDir, [document, `--url=${forwarder.url}`, `--phases=${phases}`])
      await forwarder.close()
      return status
    } finally {
      await server.stop()
    }
  } finally {
    await removeDataDir(dataDir)
  }
}

/** Returns the exit status. Prints the output at the end and as a whole, since two run at once. */
async function run(dataDir: string, args: readonly string[]): Promise<number> {
  const always = [
    '--checks=all',
    `--max-examples=${options['max-examples']}`,
    '--generation-deterministic',
    '--continue-on-failure',
  ]
  // Schemathesis finds its settings and leaves its files in the working directory.
  const child = spawn(executable, ['run', ...args, ...always], {
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const printed = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
  for (const text of printed) process.stdout.write(text)
  const [status] = await exited
  return typeof status === 'number' ? status : 1
}

/** The owner sends the requests; the stranger must not see what the owner made. */
async function introduce(
  dataDir: string,
  keys: { owner: string; stranger: string },
): Promise<void> {
  const auth = Object.entries(keys).map(([name, key]) => ({
    name,
    fixedHeaders: [{ name: 'Authorization', value: `Bearer ${key}` }],
  }))
  const file = join(dataDir, 'keys.json')
  await writeFile(file, JSON.stringify({ auth }))
  const settings = [
    '[auth.wfc]',
    `path = ${JSON.stringify(file)}`,
    'user = "owner"',
    'peers = ["owner", "stranger"]',
    '',
  ]
  await writeFile(join(dataDir, 'schemathesis.toml'), settings.join('\n'))
}
