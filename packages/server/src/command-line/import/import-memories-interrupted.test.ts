// How an import goes on, or says how to go on, when the server, the model, the way or the quota fails.
import { createServer, request } from 'node:http'
import { expect, test } from 'vitest'
import { EmbedderUnavailable } from '../../embedding/embedder.ts'
import { many, toJsonLines } from '../../testing/import-client.ts'
import { importCommand } from '../../testing/import-command.ts'
import { listenDuringTest } from '../../testing/listen-during-test.ts'

test('a used up quota ends it with the line to go on from, and with what gives the key more', async () => {
  const { service, key, file, run } = await importCommand({ plan: 'free' })
  const charge = { keyId: key.id, month: new Date().toISOString().slice(0, 7) }
  await service.service.store.usage.add([{ ...charge, operations: 990, lastUsedAt: 1 }])
  const { status, stderr } = await run(file(toJsonLines(many(50))))
  expect([status, stderr]).toEqual([1, expect.stringContaining('Imported: 10.')])
  expect(stderr).toMatch(/quota of the key is used up at line 11\. It begins anew at 20\d\d-/)
  expect(stderr).toContain('mnemograph keys change')
  expect(stderr).toContain('--from-line 11.')
})

test('a server that fails for a while is waited for, and every memory is stored once', async () => {
  let failures = 2
  const failAt = (content: string): void => {
    if (content !== 'memory 300' || failures === 0) return
    failures -= 1
    throw new EmbedderUnavailable('away')
  }
  const { file, run, total } = await importCommand({ embedding: failAt })
  const { status, stderr } = await run(file(toJsonLines(many(2_000))))
  expect(stderr).toContain('Waiting for the server: The service cannot answer right now.')
  expect([status, await total()]).toEqual([0, 2_000])
})

test('while the model is away for all lines, they are waited with, and none is left out', async () => {
  const AWAY_MS = 4_000
  let awayUntilMs = 0
  const failAt = (content: string): void => {
    if (content === 'memory 300' && awayUntilMs === 0) awayUntilMs = performance.now() + AWAY_MS
    if (performance.now() < awayUntilMs) throw new EmbedderUnavailable('away')
  }
  const { file, run, total } = await importCommand({ embedding: failAt })
  const { status, stderr } = await run(file(toJsonLines(many(2_000))))
  expect(stderr).toContain('Refused: 0.')
  expect([status, await total()]).toEqual([0, 2_000])
})

test('a text at which the model always fails is left out in the end, and the others are stored', async () => {
  let isAway = true
  let failures = 0
  const failAt = (content: string): void => {
    if (content !== 'memory 3' || !isAway) return
    failures += 1
    throw new EmbedderUnavailable('poison')
  }
  const { file, run, total } = await importCommand({ embedding: failAt })
  const { status, stderr } = await run(file(toJsonLines(many(20))))
  expect([status, await total(), failures]).toEqual([1, 19, 3])
  expect(stderr).toContain('line 4: SERVICE_UNAVAILABLE')
  expect(stderr).toContain('One line was refused. At 1 of them the server failed')
  expect(stderr).toContain('within a day and with the same key, the same command goes on')
  // As it says: what the server failed at is sent again.
  isAway = false
  const again = await run(file(toJsonLines(many(20))))
  expect([again.status, await total()]).toEqual([0, 20])
})

test('several texts at which the model always fails are left out too, also at the end of a file', async () => {
  const failAt = (content: string): void => {
    if (/^memory (3|700|99[57])$/.test(content)) throw new EmbedderUnavailable('poison')
  }
  const { file, run, total } = await importCommand({ embedding: failAt })
  const { status, stderr } = await run(file(toJsonLines(many(1_000))))
  expect([status, await total()]).toEqual([1, 996])
  expect(stderr).toContain('4 lines were refused. At 4 of them the server failed')
})

test('a server that says when to come again is asked then, and not before', async () => {
  const { cli, settings, to, file } = await importCommand()
  const askedAtMs: number[] = []
  const full = createServer((_request, answer) => {
    askedAtMs.push(performance.now())
    if (askedAtMs.length === 1) answer.writeHead(503, { 'retry-after': '2' }).end()
    else answer.writeHead(401).end()
  })
  const address = `http://127.0.0.1:${await listenDuringTest(full)}`
  const { status } = await cli.run(['import', file(toJsonLines(many(1))), ...to(address)], settings)
  const [first = 0, second = 0] = askedAtMs
  expect([status, askedAtMs.length]).toEqual([1, 2])
  // Timers may be early by less than a millisecond.
  expect(second - first).toBeGreaterThan(1_990)
})

test('connections that break in the middle are made again, and nothing is stored twice', async () => {
  const { cli, service, settings, to, file, total } = await importCommand()
  const proxy = await breakingProxy(service.address, 3)
  const path = file(toJsonLines(many(3_000)))
  const { status } = await cli.run(['import', path, ...to(proxy.address)], settings)
  expect([status, proxy.broken, await total()]).toEqual([0, 3, 3_000])
})

test('lines that are lost on the way are noticed, and nothing says behind which one to go on', async () => {
  const { cli, settings, to, file } = await importCommand()
  const losing = createServer((request, answer) => {
    request.resume()
    request.once('end', () => {
      answer.setHeader('content-type', 'application/x-ndjson')
      answer.write('{"line":1,"id":"mem_1"}\n{"line":2,"id":"mem_2"}\n')
      answer.end('{"summary":{"created":2,"repeated":0,"refused":0}}\n')
    })
  })
  const address = `http://127.0.0.1:${await listenDuringTest(losing)}`
  const path = file(toJsonLines(many(3)))
  const { status, stderr } = await cli.run(['import', path, ...to(address)], settings)
  expect([status, stderr]).toEqual([1, expect.stringContaining('lost on the way')])
  expect(stderr).toContain('Imported: 2.')
  expect(stderr).not.toContain('--from-line')
})

test('a connection that broke for good: what was sent and not answered is told', async () => {
  const { cli, settings, to, file } = await importCommand()
  let requests = 0
  const ending = createServer((incoming, answer) => {
    requests += 1
    if (requests > 1) return answer.writeHead(401).end()
    answer.setHeader('content-type', 'application/x-ndjson')
    let text = ''
    incoming.on('data', (data) => {
      text += data
      if (text.split('\n').length > 3) answer.write('{"line":1,"id":"mem_1"}\n')
    })
    return incoming.on('end', () => setTimeout(() => incoming.socket.destroy(), 100))
  })
  const address = `http://127.0.0.1:${await listenDuringTest(ending)}`
  const path = file(toJsonLines(many(3)))
  const { status, stderr } = await cli.run(['import', path, ...to(address)], settings)
  expect([status, stderr]).toEqual([1, expect.stringContaining('--from-line 2. Some of the lines')])
  expect(stderr).toContain('lines 2 to 3 may be stored: the connection broke before')
})

test('a stop lets what was sent be answered, and says how to go on', async () => {
  const { cli, settings, to } = await importCommand()
  const command = cli.start(['import', '-', ...to()], settings, { stdin: 'pipe' })
  command.child.stdin?.write(toJsonLines(many(5)))
  await expect.poll(() => command.stderr).toContain(' memories')
  command.child.kill('SIGINT')
  const { status, stderr } = await command.ended()
  expect([status, stderr]).toEqual([1, expect.stringContaining('Imported: 5.')])
  expect(stderr).toContain('Stopped.')
  expect(stderr).toContain('--from-line 6')
})

/** Passes everything on, and hangs up on the first requests in the middle of their answer. */
async function breakingProxy(target: string, times: number) {
  const proxy = { address: '', broken: 0 }
  const server = createServer((incoming, answer) => {
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
  proxy.address = `http://127.0.0.1:${await listenDuringTest(server)}`
  return proxy
}
