/**
 * Starting and stopping: what the first start prints, what stops a start, what a second server on
 * the same folder is told, and that nothing of a user's text reaches the output.
 */
import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Client } from './harness/client.ts'
import { issueKey } from './harness/keys.ts'
import {
  freshDataDir,
  placeOf,
  removeDataDir,
  runUntilExit,
  type ServerProcess,
  startServer,
} from './harness/server-process.ts'
import { describeManaged } from './harness/service.ts'
import { describeOn } from './harness/store.ts'

// Every case starts processes, some of them several.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folders: string[] = []
async function folder(): Promise<string> {
  const made = await freshDataDir()
  folders.push(made)
  return made
}
afterAll(async () => {
  for (const made of folders) await removeDataDir(made)
})

const keyPattern = /\bmng_[0-9A-Za-z]{49}\b/

describeManaged('the first start', () => {
  test('the first start prints a free key, a curl that works as pasted, and the folder', async () => {
    const dataDir = await folder()
    const server = await startServer(dataDir)
    const printed = server.stdout() + server.stderr()
    const key = keyPattern.exec(printed)?.[0] ?? ''
    const answer = await new Client(server.url, key).get('/v1/memories')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-quota-limit')).toBe('1000')
    expect(printed).toContain(placeOf(dataDir))
    expect(server.stderr()).not.toContain(key)

    const command = curlCommand(printed)
    expect(command).toContain(key)
    const pasted = await promisify(execFile)('sh', ['-c', command])
    expect(pasted.stdout).toMatch(/"(id|results|items)"/)
    await server.stop()

    const again = await startServer(dataDir)
    expect(again.stdout() + again.stderr()).not.toMatch(keyPattern)
    expect(again.stdout()).not.toContain('/console/link')
    expect(again.stdout()).toContain('accounts setup-link')
    expect((await new Client(again.url, key).get('/v1/memories')).status).toBe(200)
    await again.stop()
  })
})

describeManaged('a server on a folder that had a key before its first start', () => {
  let dataDir: string
  let key: string
  let server: ServerProcess
  /** What `/readyz` answered in the moment in which the server said that it accepts requests. */
  let readyAtOnce: number
  beforeAll(async () => {
    dataDir = await folder()
    key = (await issueKey(dataDir)).key
    server = await startServer(dataDir, { MNEMOGRAPH_LOG_LEVEL: 'debug' })
    readyAtOnce = (await fetch(`${server.url}/readyz`)).status
  })
  // Its last cases have stopped it.
  afterAll(() => server.stop())

  test('a first start prints no key when keys were made before it', async () => {
    expect(server.stdout() + server.stderr()).not.toMatch(keyPattern)
    expect((await new Client(server.url, key).get('/v1/memories')).status).toBe(200)
  })

  test('a server accepts requests from the moment that it says so', () => {
    expect(readyAtOnce).toBe(200)
  })

  test('HOST chooses the address, which is the loopback one unless given', async () => {
    expect(new URL(server.url).hostname).toBe('127.0.0.1')
    const open = await startServer(await folder(), { HOST: '0.0.0.0' })
    const { hostname, port } = new URL(open.url)
    expect(hostname).toBe('0.0.0.0')
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200)
    await open.stop()
  })

  describe('what stops a start', () => {
    test.each([
      ['an unknown setting', { MNEMOGRAPH_DATADIR: 'x' }, 'MNEMOGRAPH_DATADIR'],
      ['a port that is no number', { PORT: 'http' }, 'PORT'],
      ['a port out of range', { PORT: '70000' }, 'PORT'],
      ['an unknown embedder', { MNEMOGRAPH_EMBEDDER: 'fake' }, 'MNEMOGRAPH_EMBEDDER'],
      [
        'a database that it cannot reach',
        { DATABASE_URL: 'postgres://x.invalid/y' },
        'DATABASE_URL',
      ],
      ['an unknown log level', { MNEMOGRAPH_LOG_LEVEL: 'shouting' }, 'MNEMOGRAPH_LOG_LEVEL'],
    ])(
      '%s ends the start with a message that names the variable',
      async (_what, settings, named) => {
        const result = await runUntilExit(await folder(), settings)
        expect(result.status).toBeGreaterThan(0)
        expect(result.stderr).toContain(named)
        expect(result.stdout).not.toContain('listening')
      },
    )

    describeOn('embedded', 'the folder is locked; a database serves many', () => {
      test('a second server on the same folder is refused, and the first serves on', async () => {
        const second = await runUntilExit(dataDir, {})
        expect(second.status).toBeGreaterThan(0)
        expect(second.stderr).toMatch(/\S/)
        expect(second.stdout).not.toContain('listening')
        const client = new Client(server.url, key)
        expect((await client.post('/v1/entities', { name: 'A', type: 'OTHER' })).status).toBe(201)
      })
    })

    test('a port that is taken ends the start with a message', async () => {
      const { port } = new URL(server.url)
      const second = await runUntilExit(await folder(), { PORT: port })
      expect([second.status, second.stdout]).toEqual([1, ''])
      expect(second.stderr).toContain(`mnemograph: Port ${port} on 127.0.0.1 is already in use.`)
      expect(second.stderr).not.toContain('    at ')
    })
  })

  describe('stopping and what was logged', () => {
    const canary = 'canaryqx7'
    beforeAll(async () => {
      const client = new Client(server.url, key)
      const records = [
        client.post('/v1/memories', { content: canary, userId: canary, tags: [canary] }),
        client.post('/v1/memories', { content: canary, userId: 5 }),
        client.post('/v1/memories/search', { query: canary, userId: canary }),
        client.post('/v1/entities', { name: canary, type: canary }),
        client.get(`/v1/memories?userId=${canary}&page=0`),
        client.get(`/v1/entities?search=${canary}`),
        client.get(`/v1/memories/${canary}`),
        client.get(`/v1/${canary}`),
        client.call('POST', '/v1/entities', { raw: `{"${canary}`, headers: { 'x-a': canary } }),
        new Client(server.url, canary).get('/v1/memories'),
      ]
      await Promise.all(records)
    })

    test('requests under way are answered before SIGTERM ends the server with status 0', async () => {
      const client = new Client(server.url, key)
      const content = 'A long text that takes a while to embed. '.repeat(240)
      await client.get('/v1/entities')
      const underWay = Array.from({ length: 6 }, () =>
        client.post('/v1/memories', { content, userId: 'u' }),
      )
      await pause(60)
      const stopping = performance.now()
      const exit = server.stop()
      const answers = await Promise.all(underWay)
      for (const answer of answers) expect(answer.status).toBe(201)
      expect(answers.at(-1)?.headers.get('connection')).toBe('close')
      expect(await exit).toBe(0)
      expect(performance.now() - stopping).toBeLessThan(25_000)
    })

    test('the output holds no text of a user, no query and no key', async () => {
      await server.stop()
      const printed = server.stdout() + server.stderr()
      expect(printed).not.toContain(canary)
      expect(printed).not.toContain(key)
      expect(printed).toContain('listening on')
    })
  })
})

/** The curl in the output, continuation lines included. */
function curlCommand(printed: string): string {
  const lines = printed.slice(printed.indexOf('curl ')).split('\n')
  const end = lines.findIndex((line) => !line.trimEnd().endsWith('\\'))
  return lines.slice(0, end + 1).join('\n')
}

describe('the curl command of the output', () => {
  test('a pasted curl is read with its continuation lines', () => {
    expect(curlCommand('Try:\n  curl -X \\\n  a\nmore')).toBe('curl -X \\\n  a')
  })
})
