// What a client of `mnemograph mcp` is told when something is wrong: always an answer to its request, with
// what to do. Whatever has no answer is told to people.
import { PassThrough } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { PING } from '../../testing/agent.ts'
import { commandLine } from '../../testing/command.ts'
import { answeringServer, answerTo, startMcp } from '../../testing/mcp-command.ts'
import { runService, UNLIMITED } from '../../testing/running-service.ts'
import { Bridge } from './bridge.ts'

const service = await runService()
afterAll(() => service[Symbol.asyncDispose]())

/** What came for one request, and what was said besides. */
async function failure(address: string, key?: string, request: unknown = PING) {
  const { send, next, end } = startMcp(address, key)
  send(request)
  const { jsonrpc, id, error } = await next()
  expect([jsonrpc, id]).toEqual(['2.0', 1])
  expect(await end()).toEqual({ status: 0, rest: [], stderr: '' })
  return error
}

test('a key that the server does not take is told with the place from which it came', async () => {
  const error = await failure(service.address)
  expect(error.message).toContain('The server refuses: The API key is not valid.')
  expect(error.message).toContain('read from the variable KEY: put an active key')
  expect(error.message).toMatch(/Then start this command anew\.$/)
})

test('a limit that is reached is told with the time to wait', async () => {
  const { key } = await service.newKey({ limits: { ...UNLIMITED, read: 1 } })
  const { send, next, end } = startMcp(service.address, key)
  send(PING)
  expect(await next()).toMatchObject({ id: 1, result: {} })
  send(PING)
  const { error } = await next()
  expect(error.message).toMatch(/^The server refuses: Too many requests\. Wait \d+ s before/)
  expect(error.data).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfter: expect.any(Number) })
  await end()
})

test('what the server refuses before it reads an id is told under the id', async () => {
  const { key } = await service.newKey()
  const error = await failure(service.address, key, {
    ...PING,
    params: { _meta: { 'io.modelcontextprotocol/protocolVersion': 'x' } },
  })
  expect(error).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
  const large = await failure(service.address, key, { ...PING, params: { x: 'x'.repeat(17_000) } })
  expect(large.message).toContain('at most 16 KiB besides its arguments')
  const address = await answeringServer((_posted, response) =>
    response
      .writeHead(400)
      .end('{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"},"id":null}'),
  )
  expect(await failure(address)).toEqual({ code: -32000, message: 'no' })
})

test('an address with too much in it is told so', async () => {
  const { key } = await service.newKey()
  const error = await failure(`${service.address}/memory`, key)
  expect(error.message).toMatch(/nothing at this path\. .* Is --url right\?$/)
})

test.each([
  [404, '<title>None</title>'],
  [200, 'Hello'],
  [200, '{"results": []}'],
  [202, ''],
  [301, ''],
  [502, '<title>Bad Gateway</title>'],
])('what is no answer of the protocol is no crash: %i %s', async (status, body) => {
  const address = await answeringServer((_posted, response) =>
    response.writeHead(status, { location: '/elsewhere' }).end(body),
  )
  const error = await failure(address)
  expect(error.message).toBe(
    `What answers at ${address}/mcp, with ${status}, is no Mnemograph. Is it running, and is --url right?`,
  )
})

test('a connection that breaks while it is answered leaves open what was done', async () => {
  const address = await answeringServer((_posted, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"json')
    response.destroy()
  })
  const { message } = await failure(address)
  expect(message).toMatch(/broke \(.+\) before the answer was there\. What was asked for may have/)
})

test('an answer without an end is cut off, and a stream may not end without the answer', async () => {
  const endless = await answeringServer((_posted, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(100_000)));
    }
    response.on('drain', more)
    more()
  })
  expect((await failure(endless)).message).toBe('The answer has more than 16 MiB.')
  const address = await answeringServer((_posted, response) =>
    response.setHeader('content-type', 'text/event-stream').end(': nothing\n\n'),
  )
  expect((await failure(address)).message).toContain('ended its answer too early')
})

test('an answer that is deeper than can be written again is told so', async () => {
  const address = await answeringServer((_posted, response) => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    response.end(`{"jsonrpc":"2.0","id":1,"result":${deep}}`)
  })
  expect(await failure(address)).toMatchObject({ code: -32603 })
})

test('the messages of a stream are told as they come, the answer last', async () => {
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }
  const goOn = Promise.withResolvers<void>()
  const address = await answeringServer(({ message }, response) => {
    response.setHeader('content-type', 'text/event-stream; charset=utf-8')
    response.write(`id: 1\ndata:\n\nevent: message\r\ndata: ${JSON.stringify(progress)}\r\n\r\n`)
    void goOn.promise.then(() => {
      const [start, rest] = answerTo(message.id, { text: 'ü' }).split(',"result"')
      response.end(`data: ${start}\ndata: ,"result"${rest}\n\n`)
    })
  })
  const { send, next, end } = startMcp(address)
  send(PING)
  expect(await next()).toEqual(progress)
  goOn.resolve()
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: { text: 'ü' } })
  expect(await end()).toMatchObject({ status: 0, rest: [] })
})

test('lines that are no message are answered as the protocol has it, and the next ones are taken', async () => {
  const { key } = await service.newKey()
  const { send, next, end } = startMcp(service.address, key)
  const refused = async (line: unknown) => {
    send(line)
    const { id, error } = await next()
    return [id, error.code]
  }
  expect(await refused('{"jsonrpc":"2.0","id":1,')).toEqual([null, -32700])
  expect(await refused('\u0000')).toEqual([null, -32700])
  expect(await refused([PING])).toEqual([null, -32600])
  expect(await refused('null')).toEqual([null, -32600])
  expect(await refused('"ping"')).toEqual([null, -32600])
  expect(await refused({ id: 5, method: 'ping' })).toEqual([5, -32600])
  expect(await refused({ ...PING, id: {} })).toEqual([null, -32600])
  expect(await refused({ ...PING, id: null })).toEqual([null, -32600])
  expect(await refused({ jsonrpc: '2.0', id: 'x' })).toEqual(['x', -32600])
  send('', ' \r', `${JSON.stringify(PING)}\r`)
  expect(await next()).toMatchObject({ id: 1, result: {} })
  expect(await end()).toEqual({ status: 0, rest: [], stderr: '' })
})

test('a line that is too long is refused under its id, without asking the server', async () => {
  const { send, next, end } = startMcp('http://127.0.0.1:1')
  const message = 'The message must have at most 1 MiB.'
  send({ ...PING, params: { x: 'x'.repeat(1024 * 1024) } })
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32600, message } })
  // So long that it is not kept.
  send({ ...PING, params: { x: 'x'.repeat(5 * 1024 * 1024) } })
  expect(await next()).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32600, message } })
  await end()
})

test('a notification is not answered; when it fails, people are told', async () => {
  const { key } = await service.newKey()
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const taken = startMcp(service.address, key)
  taken.send(initialized)
  expect(await taken.end()).toEqual({ status: 0, rest: [], stderr: '' })
  const refused = startMcp(service.address)
  refused.send(initialized, { jsonrpc: '2.0', id: 9, result: {} })
  const { status, rest, stderr } = await refused.end()
  expect([status, rest]).toEqual([0, []])
  expect(stderr).toContain(
    'mnemograph: notifications/initialized was not taken. The server refuses: The API key is not',
  )
  expect(stderr).toContain('mnemograph: An answer was not taken.')
})

test('what the server is told in headers is what the messages and the handshake say', async () => {
  const told: unknown[] = []
  const address = await answeringServer(({ message, headers }, response) => {
    const { method } = message
    told.push([method, headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-name']])
    expect(headers.accept).toBe('application/json, text/event-stream')
    response.end(answerTo(message.id, { protocolVersion: '2025-06-18' }))
  })
  const { send, next, end } = startMcp(address)
  const params = {
    name: 'größe',
    _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
  }
  for (const message of [
    PING,
    { ...PING, method: 'initialize' },
    { ...PING, method: 'tools/call', params: { name: 'x' } },
    { ...PING, method: 'tools/call', params },
    { ...PING, method: 'tools/list', params },
  ]) {
    send(message)
    await next()
  }
  expect(told).toEqual([
    ['ping', undefined, undefined, undefined],
    ['initialize', undefined, undefined, undefined],
    ['tools/call', '2025-06-18', undefined, undefined],
    ['tools/call', '2026-07-28', 'tools/call', '=?base64?Z3LDtsOfZQ==?='],
    ['tools/list', '2026-07-28', 'tools/list', undefined],
  ])
  await end()
})

test('an address or a key that cannot be meant is refused as an import refuses it', async () => {
  using cli = commandLine()
  const { key } = await service.newKey()
  const file = `${cli.directory}/memories.jsonl`
  const url = ['--url', service.address]
  for (const args of [
    url,
    [...url, '--key-from-env', 'KEY', '--key-file', 'key'],
    [...url, '--key-from-env', 'MISSING'],
    [...url, '--key-from-env', key],
    [...url, '--key-file', `${cli.directory}/missing`],
    ['--url', 'http://maria:secret@127.0.0.1', '--key-from-env', 'KEY'],
    ['--url', 'ftp://127.0.0.1', '--key-from-env', 'KEY'],
    ['--url', `${service.address}/v1`, '--key-from-env', 'KEY'],
    ['--url', `${service.address}/mcp/`, '--key-from-env', 'KEY'],
  ]) {
    const settings = { KEY: key }
    const ofImport = await cli.run(['import', file, ...args], settings)
    const ofMcp = await cli.run(['mcp', ...args], settings)
    expect(ofMcp, args.join(' ')).toEqual(ofImport)
    expect(ofMcp).toMatchObject({ status: expect.any(Number), stdout: '' })
    expect(ofMcp.status).toBeGreaterThan(0)
  }
  const withoutUrl = await cli.run(['mcp', '--key-from-env', 'KEY'], { KEY: key })
  expect([withoutUrl.status, withoutUrl.stderr]).toEqual([2, expect.stringContaining('--url')])
})

test('a stop that was asked for before anything was read is not waited with for the end of the input', async () => {
  const silent = new PassThrough()
  const bridge = new Bridge({ address: service.address, key: 'mng_key', otherKey: '' })
  await bridge.run(silent, AbortSignal.abort())
  expect(silent.destroyed).toBe(true)
})
