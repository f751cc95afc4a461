// What a client that can only start programs gets: the tools of a running server, over pipes.
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'
import { agentOver, PING } from '../../testing/agent.ts'
import { PROGRAM } from '../../testing/command.ts'
import { freePort } from '../../testing/free-port.ts'
import { settled } from '../../testing/import-client.ts'
import { answeringServer, answerTo, startMcp } from '../../testing/mcp-command.ts'
import { runService } from '../../testing/running-service.ts'

const service = await runService()
afterAll(() => service[Symbol.asyncDispose]())

const ping = (id: unknown) => ({ ...PING, id })

async function clientOf(key: string, mode: 'auto' | 'legacy', ...args: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', '--url', service.address, '--key-from-env', 'KEY', ...args],
    env: { KEY: key },
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (text) => {
    stderr += text
  })
  return { ...(await agentOver(transport, mode)), stderr: () => stderr }
}

test.each([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const)(
  'a client of the protocol finds what it stored, in both revisions (%s)',
  async (mode, revision) => {
    const { key } = await service.newKey()
    const { client, call, stderr } = await clientOf(key, mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect((await client.listTools()).tools).toHaveLength(13)
    const content = 'Anna trinkt Kaffee ☕.\nSchwarz.'
    const { answer: stored } = await call('create_memory', { content, userId: 'anna' })
    const { answer: found } = await call('search_memories', { query: content })
    expect(found.results).toMatchObject([{ id: stored.id, content, score: 1 }])
    const { isError } = await call('get_memory', { id: 'mem_none' })
    expect(isError).toBe(true)
    await client.close()
    expect(stderr()).toBe('')
  },
)

test('a message is one line also for readers to whom some signs of a text end one', async () => {
  const { key } = await service.newKey()
  const { command, send, end } = startMcp(service.address, key)
  const content = 'a\u2028b\u2029c'
  const params = { name: 'create_memory', arguments: { content, userId: 'a' } }
  send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  await end()
  const lines = await Array.fromAsync(createInterface({ input: Readable.from([command.stdout]) }))
  expect(lines).toHaveLength(1)
  const { result } = Object(JSON.parse(String(lines)))
  expect(JSON.parse(result.content[0].text).content).toBe(content)
})

test('a user of the command is the user of every memory', async () => {
  const { key } = await service.newKey()
  const { client, call } = await clientOf(key, 'auto', '--user-id', 'Maria & Söhne')
  const { tools } = await client.listTools()
  expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toContain('userId')
  const { answer } = await call('create_memory', { content: 'The door code is 4711.' })
  expect(answer.userId).toBe('Maria & Söhne')
  await client.close()
})

test('it may be started before the server, and outlives it', async () => {
  const port = await freePort()
  const { send, next, end } = startMcp(`http://127.0.0.1:${port}`)
  send(ping('before'))
  expect(await next()).toMatchObject({
    id: 'before',
    error: {
      code: -32603,
      message: expect.stringMatching(/cannot be reached \(.+\)\. Is it runn/),
    },
  })
  for (const id of [1, 2]) {
    const there = await runService({ settings: { PORT: String(port) } })
    send(ping(id))
    expect(await next()).toMatchObject({ id, error: { data: { code: 'INVALID_API_KEY' } } })
    await there[Symbol.asyncDispose]()
    send(ping('away'))
    expect((await next()).error.message).toContain('cannot be reached')
  }
  expect(await end()).toEqual({ status: 0, rest: [], stderr: '' })
})

test('many calls at once are answered each under its own id', async () => {
  const { key } = await service.newKey()
  const { send, next, end } = startMcp(service.address, key)
  const contents = Array.from({ length: 100 }, (_, n) => `memory ${n}`)
  for (const content of contents) {
    const params = { name: 'create_memory', arguments: { content, userId: 'a' } }
    send({ jsonrpc: '2.0', id: content, method: 'tools/call', params })
  }
  const answered = new Set<string>()
  for (const _content of contents) {
    const { id, result } = await next()
    expect(JSON.parse(result.content[0].text).content).toBe(id)
    answered.add(id)
  }
  expect(answered).toEqual(new Set(contents))
  expect(await end()).toEqual({ status: 0, rest: [], stderr: '' })
})

test('no more than 32 are asked at once: what comes beyond waits, and none is lost', async () => {
  let [open, most] = [0, 0]
  const held: (() => void)[] = []
  const address = await answeringServer(({ message }, response) => {
    open += 1
    most = Math.max(most, open)
    held.push(() => {
      open -= 1
      response.setHeader('content-type', 'application/json').end(answerTo(message.id))
    })
    if (held.length < 32) return
    void settled().then(() => {
      for (const answer of held.splice(0)) answer()
    })
  })
  const { send, next, end } = startMcp(address)
  const ids = Array.from({ length: 96 }, (_, n) => n)
  send(...ids.map(ping))
  const answered = new Set<number>()
  for (const _id of ids) answered.add((await next()).id)
  expect(answered).toEqual(new Set(ids))
  expect(most).toBe(32)
  expect(await end()).toMatchObject({ status: 0, stderr: '' })
})

test('what is under way when stdin ends is answered', async () => {
  const arrived = Promise.withResolvers<() => void>()
  const address = await answeringServer(({ message }, response) =>
    arrived.resolve(() => response.end(answerTo(message.id))),
  )
  const { send, end } = startMcp(address)
  send(ping(7))
  const answer = await arrived.promise
  const ended = end()
  await settled()
  answer()
  expect(await ended).toEqual({
    status: 0,
    rest: [{ jsonrpc: '2.0', id: 7, result: {} }],
    stderr: '',
  })
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it at once, with status 0; what is under way is told to be left',
  async (signal) => {
    const arrived = Promise.withResolvers<void>()
    const address = await answeringServer(() => arrived.resolve())
    const { command, send } = startMcp(address)
    send(ping(7))
    await arrived.promise
    command.child.kill(signal)
    const { status, stdout, stderr } = await command.ended()
    expect([status, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      id: 7,
      error: { message: 'This ended before the server had answered.' },
    })
  },
)

test('a signal ends it while nothing is asked, although stdin stays open', async () => {
  const { command, send, next } = startMcp(service.address)
  send(ping(1))
  await next()
  command.child.kill('SIGTERM')
  expect(await command.ended()).toMatchObject({ status: 0, stderr: '' })
})

test('when nobody reads its answers any more, it ends without a word', async () => {
  const { command, send } = startMcp(service.address)
  command.child.stdout?.destroy()
  send(ping(1))
  expect(await command.ended()).toMatchObject({ status: 0, stderr: '' })
})

test('a cancelled request is ended and not answered, and no other is', async () => {
  const arrived = Promise.withResolvers<void>()
  const kept = Promise.withResolvers<() => void>()
  const ended = Promise.withResolvers<void>()
  const posted: unknown[] = []
  const address = await answeringServer(({ message }, response) => {
    posted.push(message.method)
    if (message.id === 'kept') {
      kept.resolve(() => response.end(answerTo('kept')))
      return
    }
    response.once('close', () => ended.resolve())
    arrived.resolve()
  })
  const { send, next, end } = startMcp(address)
  send(ping('kept'), ping('slow'))
  const answerKept = await kept.promise
  await arrived.promise
  const cancelled = (requestId: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  })
  send(cancelled('other'), cancelled(undefined), cancelled('slow'))
  await ended.promise
  answerKept()
  expect(await next()).toMatchObject({ id: 'kept', result: {} })
  expect(await end()).toEqual({ status: 0, rest: [], stderr: '' })
  expect(posted).toEqual(['ping', 'ping'])
})

test('as many as may be under way can be cancelled all of them', async () => {
  let open = 0
  const full = Promise.withResolvers<void>()
  const address = await answeringServer(({ message }, response) => {
    if (message.id === 'next') {
      response.end(answerTo('next'))
      return
    }
    open += 1
    if (open === 32) full.resolve()
  })
  const { send, next, end } = startMcp(address)
  const ids = Array.from({ length: 32 }, (_, n) => n)
  send(...ids.map(ping))
  await full.promise
  for (const requestId of ids) {
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
  }
  send(ping('next'))
  expect(await next()).toMatchObject({ id: 'next' })
  expect(await end()).toEqual({ status: 0, rest: [], stderr: '' })
})
