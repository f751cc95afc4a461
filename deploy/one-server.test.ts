// What runs one server without containers: the unit for systemd and the proxy in front, put against the
// server that they speak of.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { EXIT_USAGE } from '../packages/server/src/command-line/exit.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { HEADER_BYTES_MAX } from '../packages/server/src/contract/bounds.ts'
import { millisecondsOf, textOf } from './reading/text.ts'

const unit = textOf('deploy/mnemograph.service')
const nginx = textOf('deploy/nginx.conf')
const lineOf = (name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? `no ${name}`

test('the unit starts programs that npm ci installs, with a setting that the server takes', () => {
  const folder = lineOf('WorkingDirectory')
  const [node = '', program = '', command] = lineOf('ExecStart').split(' ')
  expect(node.startsWith(`${folder}/`)).toBe(true)
  for (const path of [node.slice(folder.length + 1), program]) {
    expect(existsSync(new URL(`../${path}`, import.meta.url)), path).toBe(true)
  }
  expect(command).toBe('serve')
  const [name = '', value] = lineOf('Environment').split('=')
  expect(readConfig({ [name]: value }).dataDirectory).toBe(`/var/lib/${lineOf('StateDirectory')}`)
})

test('systemd does not kill a server before it has ended by itself', () => {
  const stopMs = millisecondsOf(
    'packages/server/src/command-line/serve/serve.ts',
    'STOP_TIMEOUT_MS',
  )
  expect(Number(lineOf('TimeoutStopSec')) * 1000).toBeGreaterThan(stopMs)
})

test('systemd goes on starting a server whose starts are refused, but not with settings that make no sense', () => {
  // By its defaults, five starts within 10 s are the last.
  expect(5 * Number(lineOf('RestartSec'))).toBeGreaterThan(10)
  expect(Number(lineOf('RestartPreventExitStatus'))).toBe(EXIT_USAGE)
})

test('nginx asks the port that the server takes, and gives up idle connections before the server does', () => {
  const { host, port } = readConfig({})
  expect(nginx).toContain(`server ${host}:${port};`)
  const idleSeconds = Number(/keepalive_timeout (\d+)s;/.exec(nginx)?.[1])
  const keepAliveMs = millisecondsOf('packages/server/src/http/app.ts', 'keepAliveMs')
  expect(idleSeconds * 1000).toBeLessThan(keepAliveMs)
})

test('nginx waits for an answer longer than the server lets a list or a search wait for its turn', () => {
  const seconds = Number(/^ {2}proxy_read_timeout (\d+)s;/m.exec(nginx)?.[1] ?? 60)
  const folder = 'packages/server/src/storage/sqlite'
  for (const waitMs of [
    millisecondsOf(`${folder}/open-store.ts`, 'LONG_READ_WAIT_MS_MAX'),
    millisecondsOf(`${folder}/searches.ts`, 'WAIT_MS_MAX'),
  ]) {
    expect(seconds * 1000).toBeGreaterThan(waitMs)
  }
})

test('nginx takes whatever address and headers the server does', () => {
  const kibibytes = Number(/large_client_header_buffers \d+ (\d+)k;/.exec(nginx)?.[1] ?? 8)
  expect(kibibytes * 1024).toBeGreaterThan(HEADER_BYTES_MAX)
})

test('nginx says who calls and by which address, and makes it up from its own connection', () => {
  for (const header of [
    'Host $http_host',
    'X-Forwarded-For $remote_addr',
    'X-Forwarded-Host $http_host',
    'X-Forwarded-Proto $scheme',
  ]) {
    expect(nginx).toContain(`proxy_set_header ${header};`)
  }
})

test('nginx tells browsers to use https alone, with every answer', () => {
  const headers = [...nginx.matchAll(/add_header (.+);/g)].map(([, header]) => header)
  // One more in a location would take its place there.
  expect(headers).toEqual(['Strict-Transport-Security max-age=31536000 always'])
})

test('nginx passes imports on as they come, and nobody the figures', () => {
  const locations = new Map(
    [...nginx.matchAll(/location ([^{]+) \{([^}]*)\}/g)].map(([, path = '', body = '']) => [
      path,
      body,
    ]),
  )
  const imports = locations.get('/import/')
  expect(imports).toContain('proxy_request_buffering off;')
  expect(imports).toContain('proxy_buffering off;')
  expect(imports).toContain('client_max_body_size 0;')
  // Otherwise a minute: with 8 MB of long texts the server took nothing more for longer than that.
  expect(imports).toContain('proxy_send_timeout 1h;')
  expect(locations.get('= /metrics')?.trim()).toBe('return 404;')
})

test('the command of docs/operating.md makes a Caddyfile for one server, whose port it leaves to that', () => {
  const command = /^sed -e .*?deploy\/Caddyfile/ms.exec(textOf('docs/operating.md'))?.[0] ?? ''
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const caddyfile = execFileSync('bash', ['-c', command], { cwd, encoding: 'utf8' })
  const sites = [...caddyfile.matchAll(/^(?:\w|\{\$).*(?= \{$)/gm)].map(([site]) => site)
  expect(sites).toEqual(['http://:2020', 'memory.example.com'])
  const { host, port } = readConfig({})
  const asked = [...caddyfile.matchAll(/reverse_proxy (?:@\w+ )?(.*) \{$/gm)].map((one) => one[1])
  expect(asked).toEqual([`${host}:${port}`, `${host}:${port}`])
})
