// An import that is asked to stop while it waits: it ends soon, and says where to go on.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CommandLine, commandLine } from '../../testing/command.ts'
import { toJsonLines } from '../../testing/import-client.ts'
import { listenDuringTest } from '../../testing/listen-during-test.ts'

let cli: CommandLine
let path: string
beforeEach(() => {
  cli = commandLine()
  path = join(cli.directory, 'memories.jsonl')
  writeFileSync(path, toJsonLines([{ content: 'a', userId: 'u' }]))
})
afterEach(() => cli[Symbol.dispose]())

const importing = (file: string, url: string, ...args: string[]) =>
  cli.start(
    ['import', file, '--url', url, '--key-from-env', 'API_KEY', ...args],
    { API_KEY: 'mng_key' },
    { stdin: 'pipe' },
  )

test('a server that is away is not waited for', async () => {
  const away = createHttpServer((_request, answer) =>
    answer.writeHead(503, { 'retry-after': '3600' }).end(),
  )
  const command = importing(path, `http://127.0.0.1:${await listenDuringTest(away)}`)
  await expect.poll(() => command.stderr).toContain('Waiting for the server')
  command.child.kill('SIGTERM')
  const { status, stderr } = await command.ended()
  expect([status, stderr]).toEqual([1, expect.stringContaining('Stopped.')])
  expect(stderr).toContain('--from-line 1.')
})

test('a server that never greets is not waited for', async () => {
  const silent = createServer()
  const connected = once(silent, 'connection')
  const command = importing(path, `https://127.0.0.1:${await listenDuringTest(silent)}`)
  await connected
  command.child.kill('SIGINT')
  const { status, stderr } = await command.ended()
  expect([status, stderr]).toEqual([1, expect.stringContaining('Stopped.')])
})

test('before anything came, it is gone on where it was to begin', async () => {
  const server = createHttpServer((request, answer) => {
    answer.setHeader('Content-Type', 'application/x-ndjson')
    request.resume().on('end', () => answer.end('{"summary":{}}\n'))
  })
  const asked = once(server, 'request')
  const port = await listenDuringTest(server)
  const command = importing('-', `http://127.0.0.1:${port}`, '--from-line', '8')
  await asked
  command.child.kill('SIGINT')
  const { status, stderr } = await command.ended()
  expect([status, stderr]).toEqual([1, expect.stringContaining('Stopped.')])
  expect(stderr).toContain('--from-line 8.')
})
