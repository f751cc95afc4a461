// Runs Caddy, which scripts/fetch-caddy.sh unpacks, with deploy/Caddyfile in front of one server. Only ports
// and addresses are replaced and, over https, Caddy makes a certificate that it does not install anywhere.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../packages/server/src/testing/free-port.ts'
import { textOf } from '../reading/text.ts'

const PROGRAM = fileURLToPath(new URL('../../.cache/caddy/caddy', import.meta.url))
const START_TIMEOUT_MS = 30_000

export const hasCaddy = (): boolean => existsSync(PROGRAM)

export type RunningProxy = {
  port: number
  publicUrl: string
  [Symbol.asyncDispose](): Promise<void>
}

export async function startCaddy(
  server: string,
  scheme: 'http' | 'https' = 'http',
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'mnemograph-caddy-'))
  const port = await freePort()
  const healthPort = await freePort()
  const publicUrl = `${scheme}://localhost:${scheme === 'http' ? port : await freePort()}`
  const file = join(folder, 'Caddyfile')
  const text = textOf('deploy/Caddyfile')
    .replaceAll('service-1:8080 service-2:8080', new URL(server).host)
    .replace('admin off', 'admin off\nskip_install_trust\nauto_https disable_redirects')
    .replaceAll(':8080', `:${port}`)
    .replaceAll(':2020', `:${healthPort}`)
  writeFileSync(file, text)
  const child = spawn(PROGRAM, ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { HOME: folder, PUBLIC_URL: publicUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    log += part
  })
  const giveUpAtMs = performance.now() + START_TIMEOUT_MS
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() > giveUpAtMs) throw new Error(log)
    await sleep(20)
  }
  return {
    port,
    publicUrl,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://localhost:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
