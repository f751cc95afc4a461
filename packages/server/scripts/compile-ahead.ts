// For an image whose files cannot be written later: starts the service once on an empty folder and stops it,
// which leaves its compiled code beside the packages. Run it as the user who runs the service, since Node
// keeps compiled code by user.
// decisions/2026-11-21-resident-memory.md
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const executable = fileURLToPath(new URL('../bin/mnemograph.js', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'mnemograph-compile-'))
const server = spawn(process.execPath, [executable, 'serve'], {
  env: { ...process.env, HOST: '127.0.0.1', PORT: '0', MNEMOGRAPH_DATA_DIR: directory },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = once(server, 'exit')
for await (const line of createInterface(server.stdout)) {
  if (line.startsWith('listening on ')) server.kill('SIGTERM')
}
const [status] = await ended
rmSync(directory, { recursive: true, force: true })
process.exitCode = status === 0 ? 0 : 1
