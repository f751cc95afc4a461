// Memories that are sent to a running server, as a person does it: what arrives, what is told, and how
// it goes on after interruptions.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { EmbedderUnavailable } from '../embedding/embedder.ts'
import { apiClient } from '../testing/api-client.ts'
import { type CommandLine, commandLine } from '../testing/command.ts'
import { fakeEmbedder } from '../testing/fake-embedder.ts'
import { toJsonLines } from '../testing/import-client.ts'
import { runService, type TestService } from '../testing/running-service.ts'

let cli: CommandLine
let folder: string
let service: TestService
let key: { id: string; key: string }
/** What the model does instead of embedding. */
let failure: ((content: string) => void) | undefined
beforeEach(async () => {
  cli = commandLine()
  folder = mkdtempSync(join(tmpdir(), 'mnemograph-import-'))
  failure = undefined
  const fake = fakeEmbedder()
  service = await runService({
    embedder: {
      ...fake,
      embedMemory: async (content) => {
        failure?.(content)
        return fake.embedMemory(content)
      },
    },
  })
  key = await service.newKey()
})
afterEach(async () => {
  cli[Symbol.dispose]()
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const memory = (content: string) => ({ content, userId: 'u' })
const many = (count: number) => Array.from({ length: count }, (_, n) => memory(`memory ${n}`))
const settings = () => ({ API_KEY: key.key })
const to = (address = service.address) => ['--url', address, '--key-from-env', 'API_KEY']

function file(content: string): string {
  const path = join(folder, 'memories.jsonl')
  writeFileSync(path, content)
  return path
}
const run = (path: string, ...args: string[]) =>
  cli.run(['import', path, ...to(), ...args], settings())
const total = async () => {
  const { body } = await apiClient(service.address, key.key)('GET', '/v1/memories')
  return Object(Object(body).pagination).total
}

test('a file is imported whole, once however often it is sent', async () => {
  const path = file(toJsonLines(many(500)))
  const first = await run(path)
  expect(first).toMatchObject({ status: 0, stdout: '' })
  expect(first.stderr).toMatch(/^500 of 500 memories \(100 %\)/m)
  expect(first.stderr).toContain('Imported: 500. There already: 0. Refused: 0.')
  const again = await run(path)
  expect(again).toMatchObject({ status: 0 })
  expect(again.stderr).toContain('Imported: 0. There already: 500. Refused: 0.')
  expect(await total()).toBe(500)
})

test('equal lines are memories of their own, unless they have one key of their own', async () => {
  const own = { ...memory('a'), idempotencyKey: 'own' }
  const { stderr } = await run(file(toJsonLines([memory('a'), memory('a'), own, own])))
  expect(stderr).toContain('Imported: 3. There already: 1.')
  expect(await total()).toBe(3)
})

test('a line whose key is null is stored once, however often it is sent', async () => {
  const path = file(toJsonLines([{ ...memory('a'), idempotencyKey: null }]))
  expect((await run(path)).stderr).toContain('Imported: 1.')
  expect((await run(path)).stderr).toContain('Imported: 0. There already: 1.')
  expect(await total()).toBe(1)
})

test('stdin is read as it comes, and nobody has to know how much it is', async () => {
  const input = Buffer.from(`\ufeff${toJsonLines(many(20))}\r\n${JSON.stringify(memory('last'))}`)
  const { status, stderr } = await cli.feed(['import', '-', ...to()], input, settings())
  expect([status, stderr]).toEqual([0, expect.stringContaining('Imported: 21.')])
  expect(stderr).toMatch(/^21 memories/m)
})

test('refused lines are told with number and reason, the others go in, and the status is 1', async () => {
  const lines = `${toJsonLines([memory('a')])}\n{"content":"c"}\n{}\nno json\n\xff\n`
  const long = 'x'.repeat(1024 * 1024 + 1)
  const path = file(`${lines}${long}\n${toJsonLines([memory('b')])}`)
  const { status, stderr } = await run(path)
  expect(status).toBe(1)
  expect(stderr).toContain('Imported: 2. There already: 0. Refused: 5.')
  expect(stderr).toContain('line 3: INVALID_USER_ID: userId must be')
  expect(stderr).toContain('line 4: VALIDATION_ERROR: content must be')
  expect(stderr).toContain('line 5: VALIDATION_ERROR: The line is not valid JSON.')
  expect(stderr).toContain('line 7: PAYLOAD_TOO_LARGE')
  expect(stderr).not.toContain(key.key)
  const refused = join(folder, 'refused.jsonl')
  expect(await run(path, '--refused', refused)).toMatchObject({ status: 1 })
  const told = readFileSync(refused, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).line)
  expect(told.toSorted()).toEqual([3, 4, 5, 6, 7])
  expect(statSync(refused).mode & 0o077).toBe(0)
})

test('a file for refused lines that cannot be used is refused before anything is sent', async () => {
  const content = toJsonLines(many(2))
  const path = file(content)
  const keyFile = join(folder, 'key')
  writeFileSync(keyFile, key.key)
  for (const refused of [path, keyFile, folder, join(folder, 'missing', 'refused.jsonl')]) {
    const args = ['--url', service.address, '--key-file', keyFile, '--refused', refused]
    const { status, stderr } = await cli.run(['import', path, ...args])
    expect([status, stderr]).toEqual([2, expect.stringContaining(`--refused ${refused}`)])
  }
  expect(readFileSync(path, 'utf8')).toBe(content)
  expect(readFileSync(keyFile, 'utf8')).toBe(key.key)
  expect(await total()).toBe(0)
})

test('an archive of a whole store is refused before anything is sent: a key would get all spaces', async () => {
  const archive = join(folder, 'archive.jsonl')
  const exported = await cli.run(['export', archive], { MNEMOGRAPH_DATA_DIR: service.directory })
  expect(exported).toMatchObject({ status: 0 })
  writeFileSync(archive, `${readFileSync(archive, 'utf8')}${toJsonLines(many(3))}`)
  const refused = [
    await run(archive),
    await run(archive, '--from-line', '2'),
    await cli.feed(['import', '-', ...to()], readFileSync(archive), settings()),
  ]
  for (const { status, stderr } of refused) {
    expect([status, stderr]).toEqual([2, expect.stringContaining('archive of a whole store')])
  }
  expect(await total()).toBe(0)
})

test('memories without --url are told to need it, also while a server has the store', async () => {
  const store = { MNEMOGRAPH_DATA_DIR: service.directory }
  const { status, stderr } = await cli.run(['import', file(toJsonLines(many(2)))], store)
  expect([status, stderr]).toEqual([1, expect.stringContaining('with --url')])
  expect(stderr).not.toContain('Another')
})

test('a file can be taken up from a line on', async () => {
  const path = file(toJsonLines(many(10)))
  const { stderr } = await run(path, '--from-line', '8')
  expect(stderr).toContain('3 of 3 memories')
  expect(await total()).toBe(3)
  expect((await run(path)).stderr).toContain('Imported: 7. There already: 3.')
})

test('a used up quota ends it with the line to go on from', async () => {
  key = await service.newKey({ plan: 'free' })
  const charge = { keyId: key.id, month: new Date().toISOString().slice(0, 7) }
  await service.service.store.usage.add([{ charge, operations: 990, lastUsedAt: 1 }])
  const { status, stderr } = await run(file(toJsonLines(many(50))))
  expect([status, stderr]).toEqual([1, expect.stringContaining('Imported: 10.')])
  expect(stderr).toMatch(/quota of the key is used up at line 11\. It begins anew at 20\d\d-/)
  expect(stderr).toContain('--from-line 11')
})

test('a server that fails for a while is waited for, and every memory is stored once', async () => {
  let failures = 2
  failure = (content) => {
    if (content !== 'memory 300' || failures === 0) return
    failures -= 1
    throw new EmbedderUnavailable('away')
  }
  const { status, stderr } = await run(file(toJsonLines(many(2_000))))
  expect(stderr).toContain('Waiting for the server: The service cannot answer right now.')
  expect([status, await total()]).toEqual([0, 2_000])
})

test('a text at which the model always fails is left out in the end, and the others are stored', async () => {
  let failures = 0
  failure = (content) => {
    if (content !== 'memory 3') return
    failures += 1
    throw new EmbedderUnavailable('poison')
  }
  const { status, stderr } = await run(file(toJsonLines(many(20))))
  expect([status, await total(), failures]).toEqual([1, 19, 3])
  expect(stderr).toContain('line 4: SERVICE_UNAVAILABLE')
  expect(stderr).toContain('One line was refused. At 1 of them the server failed')
  expect(stderr).toContain('within a day, the same command goes on')
  // As it says: what the server failed at is sent again.
  failure = undefined
  const again = await run(file(toJsonLines(many(20))))
  expect([again.status, await total()]).toEqual([0, 20])
})

test('a server that says when to come again is asked then, and not before', async () => {
  const askedAtMs: number[] = []
  const full = createServer((_request, answer) => {
    askedAtMs.push(performance.now())
    if (askedAtMs.length === 1) answer.writeHead(503, { 'retry-after': '2' }).end()
    else answer.writeHead(401).end()
  })
  await new Promise<void>((resolve) => full.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void full.close())
  const bound = full.address()
  const address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
  const { status } = await cli.run(
    ['import', file(toJsonLines(many(1))), ...to(address)],
    settings(),
  )
  const [first = 0, second = 0] = askedAtMs
  expect([status, askedAtMs.length]).toEqual([1, 2])
  // Timers may be early by less than a millisecond.
  expect(second - first).toBeGreaterThan(1_990)
})

test('connections that break in the middle are made again, and nothing is stored twice', async () => {
  const proxy = await breakingProxy(service.address, 3)
  onTestFinished(() => void proxy.server.close())
  const path = file(toJsonLines(many(3_000)))
  const { status } = await cli.run(['import', path, ...to(proxy.address)], settings())
  expect([status, proxy.broken, await total()]).toEqual([0, 3, 3_000])
})

test('lines that are lost on the way are noticed, and nothing says behind which one to go on', async () => {
  const losing = createServer((request, answer) => {
    request.resume()
    request.once('end', () => {
      answer.setHeader('content-type', 'application/x-ndjson')
      answer.write('{"line":1,"id":"mem_1"}\n{"line":2,"id":"mem_2"}\n')
      answer.end('{"summary":{"created":2,"repeated":0,"refused":0}}\n')
    })
  })
  await new Promise<void>((resolve) => losing.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void losing.close())
  const bound = losing.address()
  const address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
  const path = file(toJsonLines(many(3)))
  const { status, stderr } = await cli.run(['import', path, ...to(address)], settings())
  expect([status, stderr]).toEqual([1, expect.stringContaining('lost on the way')])
  expect(stderr).toContain('Imported: 2.')
  expect(stderr).not.toContain('--from-line')
})

test('a stop lets what was sent be answered, and says how to go on', async () => {
  failure = () => undefined
  const command = cli.start(['import', '-', ...to()], settings(), 'pipe')
  command.child.stdin?.write(toJsonLines(many(5)))
  await expect.poll(() => command.stderr).toContain(' memories')
  command.child.kill('SIGINT')
  const { status, stderr } = await command.ended()
  expect([status, stderr]).toEqual([1, expect.stringContaining('Imported: 5.')])
  expect(stderr).toContain('Stopped.')
  expect(stderr).toContain('--from-line 6')
})

test('an address of another protocol is told at once', async () => {
  const address = service.address.replace('http:', 'https:')
  const { status, stderr } = await run(file(toJsonLines(many(5))), '--url', address)
  expect([status, stderr]).toEqual([1, expect.stringContaining('cannot be reached')])
  expect(stderr).toContain('does not speak TLS')
  expect(stderr).not.toContain('Waiting')
})

test('a key that the server does not take is told with the place from which it came', async () => {
  const path = file(toJsonLines(many(2)))
  const ofVariable = await cli.run(['import', path, ...to()], { API_KEY: 'mng_nobody' })
  expect(ofVariable).toMatchObject({ status: 1 })
  expect(ofVariable.stderr).toContain('read from the variable API_KEY: put an active key')
  const keyFile = join(folder, 'key')
  writeFileSync(keyFile, 'mng_nobody')
  const args = ['import', path, '--url', service.address, '--key-file', keyFile]
  const ofFile = await cli.run(args)
  expect(ofFile.stderr).toContain(`read from the file ${keyFile}: put an active key`)
  expect(ofVariable.stderr + ofFile.stderr).not.toContain('mng_nobody')
})

test('an address where something else answers is told in whole sentences', async () => {
  const other = createServer((_request, answer) => answer.writeHead(404).end('<title>None</title>'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const bound = other.address()
  const address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
  const path = file(toJsonLines(many(1)))
  const { stderr } = await cli.run(['import', path, ...to(address)], settings())
  expect(stderr).toContain('with 404, is no Mnemograph. What is done is kept')
})

test('a key that is given where its place belongs is not repeated', async () => {
  const path = file(toJsonLines(many(1)))
  for (const option of ['--key-from-env', '--key-file']) {
    const args = ['import', path, '--url', service.address, option, key.key]
    const { status, stderr } = await cli.run(args, settings())
    expect([status, stderr]).toEqual([2, expect.stringContaining('That is the API key itself.')])
    expect(stderr).not.toContain(key.key)
  }
})

test('what makes no sense, or cannot be, is said and changes nothing', async () => {
  const path = file(toJsonLines(many(2)))
  const say = async (args: string[], env: Record<string, string> = settings()) => {
    const { status, stderr } = await cli.run(['import', path, ...args], env)
    return [status, stderr]
  }
  const url = ['--url', service.address]
  expect(await say(url)).toEqual([2, expect.stringContaining('--key-from-env or --key-file')])
  expect(await say(to(), {})).toEqual([2, expect.stringContaining('API_KEY holds no API key')])
  expect(await say([...to(), '--key-id', 'key_1'])).toEqual([
    2,
    expect.stringContaining('--key-id'),
  ])
  expect(await say(['--format', 'memories'])).toEqual([2, expect.stringContaining('--url')])
  expect(await say(['--format', 'mem0', ...url])).toEqual([2, expect.stringContaining('--url')])
  expect(await say(['--from-line', '0', ...to()])).toEqual([2, expect.stringContaining('from 1')])
  expect(await say(['--url', 'ftp://x', '--key-from-env', 'API_KEY'])).toEqual([
    2,
    expect.stringContaining('http://127'),
  ])
  expect(await say(to('http://127.0.0.1:1'))).toEqual([1, expect.stringContaining('be reached')])
  const ofFolder = await cli.run(['import', folder, ...to('http://127.0.0.1:1')], settings())
  expect(ofFolder.stderr).toBe(`mnemograph: ${folder} is a folder. Name a file in it.\n`)
  expect(await say(to(), { API_KEY: 'mng_nobody' })).toEqual([
    1,
    expect.stringContaining('The server refuses: The API key is not valid.'),
  ])
  expect(await total()).toBe(0)
  const keyFile = join(folder, 'key')
  writeFileSync(keyFile, `${key.key}\n`)
  expect(await cli.run(['import', path, ...url, '--key-file', keyFile])).toMatchObject({
    status: 0,
  })
})

/** Passes everything on, and hangs up on the first requests in the middle of their answer. */
async function breakingProxy(target: string, times: number) {
  const proxy = { server: undefined as unknown as Server, address: '', broken: 0 }
  const { request } = await import('node:http')
  proxy.server = createServer((incoming, answer) => {
    const { method = 'POST', headers } = incoming
    const outgoing = request(`${target}${incoming.url}`, { method, headers, agent: false })
    outgoing.on('error', () => answer.destroy())
    answer.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
    outgoing.on('response', (reply) => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers)
      let bytes = 0
      reply.on('data', (data) => {
        answer.write(data)
        bytes += data.length
        if (bytes < 5_000 || proxy.broken >= times || answer.destroyed) return
        proxy.broken += 1
        answer.destroy()
      })
      reply.on('end', () => answer.end())
      reply.on('error', () => answer.destroy())
    })
  })
  await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve))
  const bound = proxy.server.address()
  proxy.address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
  return proxy
}
