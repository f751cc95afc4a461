// What browsers are told, on every kind of answer under /console, and the files of the build.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const SCRIPT = 'console.log("built")'
const files = mkdtempSync(join(tmpdir(), 'mnemograph-console-'))
mkdirSync(join(files, 'assets'))
writeFileSync(join(files, 'index.html'), '<!doctype html><title>the page</title>')
writeFileSync(join(files, 'assets/index-a1B2c3D4.js'), SCRIPT)
writeFileSync(join(files, 'assets/index-a1B2c3D4.js.br'), brotliCompressSync(SCRIPT))
writeFileSync(join(files, 'assets/index-a1B2c3D4.js.gz'), gzipSync(SCRIPT))
writeFileSync(join(files, 'theme.js'), SCRIPT)
writeFileSync(join(files, 'secret.key'), 'not to be served')

const service = await runService({ consoleFiles: files })
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(files, { recursive: true })
})

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(service.address + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const ASSET = '/console/assets/index-a1B2c3D4.js'

test.each([
  ['the page', '/console', 200],
  ['an address within it', '/console/keys/key_x', 200],
  ['a file', ASSET, 200],
  ['a file whose name says nothing of its content', '/console/theme.js', 200],
  ['a missing file', '/console/assets/none.js', 404],
  ['the interface', '/console/api/start', 200],
  ['a refusal', '/console/api/session', 401],
  ['an unknown path of it', '/console/api/none', 404],
])('%s has the whole policy', async (_what, path, status) => {
  const answer = await ask(path)
  expect(answer.status).toBe(status)
  const policy = answer.headers.get('content-security-policy') ?? ''
  const directives = new Map(
    policy.split('; ').map((each) => each.split(' ', 2) as [string, string]),
  )
  expect(directives.get('default-src')).toBe("'none'")
  expect(directives.get('script-src')).toBe("'self'")
  expect(directives.get('style-src')).toBe("'self'")
  expect(directives.get('frame-ancestors')).toBe("'none'")
  expect(directives.get('base-uri')).toBe("'none'")
  expect(directives.get('form-action')).toBe("'none'")
  expect(directives.get('report-uri')).toBe('/console/csp-reports')
  const own = ["'none'", "'self'", 'data:', '/console/csp-reports']
  const sources = policy.split('; ').flatMap((each) => each.split(' ').slice(1))
  expect(sources.filter((source) => !own.includes(source))).toEqual([])
  expect(policy).not.toMatch(/unsafe|https?:|\*|blob:|nonce|sha256/)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(answer.headers.get('x-frame-options')).toBe('DENY')
  expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(answer.headers.get('permissions-policy')).toMatch(/camera=\(\).*microphone=\(\)/)
  const isKept = path === ASSET
  expect(answer.headers.get('cache-control')).toBe(
    isKept ? 'public, max-age=31536000, immutable' : 'no-store',
  )
})

test('every address of the console shows the page, and nothing else does', async () => {
  for (const path of ['/console', '/console/', '/console/keys', '/console/link']) {
    expect((await ask(path)).text).toContain('the page')
  }
  for (const path of ['/console/none.js', '/console/api', '/console/api/', '/consolex']) {
    expect((await ask(path)).status, path).toBe(404)
  }
})

test('a file comes compressed to whoever takes it so', async () => {
  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
    ['br;q=0, gzip', 'gzip'],
    ['br ; Q=0.00, gzip', 'gzip'],
    ['BR', 'br'],
    ['x-br', null],
    ['br;q=0.5', 'br'],
  ] as const) {
    const answer = await ask(ASSET, { 'accept-encoding': accepted })
    expect(answer.headers.get('content-encoding'), accepted).toBe(encoding)
    expect(answer.text).toBe(SCRIPT)
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
  }
})

test('a file that the browser has is not sent again', async () => {
  const etag = (await ask(ASSET)).headers.get('etag') ?? ''
  expect((await ask(ASSET, { 'if-none-match': etag })).status).toBe(304)
  expect(await ask(ASSET, { 'if-none-match': '"of another"' })).toMatchObject({ text: SCRIPT })
})

test('no path leads out of the folder, or to files of other kinds', async () => {
  using connection = await RawConnection.open(service.address)
  for (const path of [
    '/console/../package.json',
    '/console/%2e%2e/package.json',
    '/console/..%2fpackage.json',
    '/console/assets/../../secret.key',
    '/console/secret.key',
    '/console/assets/index-a1B2c3D4.js.br',
    '/console//etc/passwd',
  ]) {
    await connection.send(rawRequest(`GET ${path}`, {}))
    const answer = await connection.answer()
    const isPage = answer.body.includes('the page')
    expect(answer.status === 404 || isPage, `${path}: ${answer.status} ${answer.body}`).toBe(true)
  }
})

test('without a build the console says how to make one, and the API works', async () => {
  await using bare = await runService({ consoleFiles: join(files, 'none') })
  const answer = await fetch(`${bare.address}/console`)
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('npm run build --workspace packages/console')
  expect((await fetch(`${bare.address}/console/api/start`)).status).toBe(200)
  expect((await fetch(`${bare.address}/livez`)).status).toBe(200)
})

test('violations that browsers report are counted, and their texts go nowhere', async () => {
  const count = async () =>
    Number(
      /^mnemograph_console_csp_violations_total (\d+)$/m.exec((await ask('/metrics')).text)?.[1],
    )
  expect(await count()).toBe(0)
  const report = { 'csp-report': { 'effective-directive': 'script-src', 'script-sample': 'x' } }
  const response = await fetch(`${service.address}/console/csp-reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/csp-report' },
    body: JSON.stringify(report),
  })
  expect(response.status).toBe(204)
  expect(await count()).toBe(1)
})

test('however many violations are reported, they do not fill the log', async () => {
  const logged: string[] = []
  await using chatty = await runService({
    consoleFiles: files,
    settings: { MNEMOGRAPH_LOG_LEVEL: 'warn' },
    logTo: { write: (line) => logged.push(line) },
  })
  const report = (directive: string, sample = 'CANARY') =>
    fetch(`${chatty.address}/console/csp-reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/csp-report' },
      body: `{"csp-report":{"effective-directive":"${directive}","script-sample":"${sample}"}}`,
    })
  await report('a text with a CANARY')
  await Promise.all(Array.from({ length: 100 }, () => report('script-src')))
  expect((await report('script-src', 'x'.repeat(64 * 1024))).status).toBe(413)
  const lines = logged.filter((line) => line.includes('CSP violation'))
  expect(lines.map((line) => JSON.parse(line).directive)).toEqual(['unknown', 'script-src'])
  expect(logged.join('')).not.toContain('CANARY')
})

test('nothing of the console is in the documents of the API', async () => {
  expect((await ask('/openapi.json')).text).not.toContain('/console')
})
