// Servers that hang up in the middle or have no quota left, and inputs that fail: nothing is taken for
// ended that has not ended, and what is known of each line is told.
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Line, splitLines } from '../../../http/body/split-lines.ts'
import { collectGarbage } from '../../../testing/collect-garbage.ts'
import { settled, toJsonLines } from '../../../testing/import-client.ts'
import { listenDuringTest } from '../../../testing/listen-during-test.ts'
import { ImportRequest } from './import-request.ts'
import { lineRangesText } from './line-ranges.ts'
import { MemorySender } from './send-memories.ts'

/** Takes a line, answers it and hangs up; whoever comes again hears that all lines are there. */
async function forgetfulServer(): Promise<string> {
  let requests = 0
  const server = createServer((request, answer) => {
    answer.setHeader('Content-Type', 'application/x-ndjson')
    requests += 1
    if (requests === 1) {
      request.once('data', () => {
        answer.write('{"line":1,"id":"mem_1"}\n')
        setTimeout(() => request.socket.destroy(), 100)
      })
    } else {
      request.resume()
      request.once('end', () => answer.end('{"summary":{"created":0,"repeated":0,"refused":0}}\n'))
    }
  })
  return addressOf(server)
}

const addressOf = async (server: Server) => `http://127.0.0.1:${await listenDuringTest(server)}`

test('an input that fails while nobody waits for it is not taken for one that has ended', async () => {
  const failure = new Error('the disk is gone')
  const hasFailed = Promise.withResolvers<void>()
  async function* lines(): AsyncGenerator<Line, void> {
    yield { number: 1, bytes: Buffer.from('{}') }
    await hasFailed.promise
    throw failure
  }
  const sender = new MemorySender({ url: await forgetfulServer(), key: 'mng_key' }, lines(), {
    chosen: { fromLine: 1, except: [] },
    stop: new AbortController().signal,
    onProgress: () => undefined,
    onRefused: () => undefined,
    onWait: () => hasFailed.resolve(),
  })
  await expect(sender.send()).rejects.toBe(failure)
  expect([sender.sent.created, sender.nextLine]).toEqual([1, 2])
})

test.each([
  ['goes away', (_answer: ServerResponse, socket: Socket) => void socket.destroy()],
  // So does a proxy to which nothing was answered for too long.
  ['is told to be late', (answer: ServerResponse) => void answer.writeHead(504).end()],
])(
  'a server that %s for a moment while the input has long been silent is asked again',
  async (_, refuse) => {
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => clock.mockRestore())
    const back = Promise.withResolvers<void>()
    let requests = 0
    const server = createServer(async (request, answer) => {
      requests += 1
      if (requests === 1) {
        now += 6 * 60_000
        return refuse(answer, request.socket)
      }
      back.resolve()
      answer.setHeader('Content-Type', 'application/x-ndjson')
      for await (const _line of splitLines(request, LINE_BYTES_MAX)) {
        answer.write(toJsonLines([stored(1)]))
      }
      return answer.end(toJsonLines([{ summary: {} }]))
    })
    async function* lines(): AsyncGenerator<Line, void> {
      await back.promise
      yield { number: 1, bytes: Buffer.from('{}') }
    }
    const sender = senderOf(await addressOf(server), { lines: lines(), more: () => undefined })
    await sender.send()
    expect([sender.sent.created, sender.nextLine]).toEqual([1, undefined])
  },
)

const stored = (line: number) => ({ line, id: `mem_${line}` })
const usedUp = (line: number) => ({ line, error: { code: 'QUOTA_EXCEEDED', message: 'No.' } })

type Turn = {
  /** Given when as many lines have come. */
  behind: number
  answers: unknown[]
  /** Given when all have come; without them it hangs up instead of waiting for more. */
  atEnd?: unknown[]
}

/** Takes requests in turn, and knows which lines each of them brought. */
async function scriptedServer(...script: Turn[]) {
  const taken: number[][] = []
  const server = createServer(async (request, answer) => {
    const turn = script[taken.length]
    const numbers: number[] = []
    taken.push(numbers)
    answer.setHeader('Content-Type', 'application/x-ndjson')
    for await (const { bytes } of splitLines(request, LINE_BYTES_MAX)) {
      numbers.push(JSON.parse(String(bytes)).n)
      if (numbers.length !== turn?.behind) continue
      answer.write(toJsonLines(turn.answers))
      await settled()
      if (turn.atEnd === undefined) return request.socket.destroy()
    }
    return answer.end(toJsonLines([...(turn?.atEnd ?? []), { summary: {} }]))
  })
  return { url: await addressOf(server), taken }
}

const LINE_BYTES_MAX = 1024 * 1024

/** Lines 1 to `count`; then it is silent until more are asked for, which nobody should send. */
function silentInput(count: number, content = '') {
  const { promise: asked, resolve: more } = Promise.withResolvers<void>()
  async function* lines(): AsyncGenerator<Line, void> {
    for (let number = 1; ; number += 1) {
      if (number > count) await asked
      yield { number, bytes: Buffer.from(JSON.stringify({ n: number, content })) }
    }
  }
  return { lines: lines(), more }
}

function senderOf(url: string, { lines, more }: ReturnType<typeof silentInput>) {
  return new MemorySender({ url, key: 'mng_key' }, lines, {
    chosen: { fromLine: 1, except: [] },
    stop: new AbortController().signal,
    onProgress: ({ exhausted }) => {
      if (exhausted !== undefined) more()
    },
    onRefused: () => undefined,
    onWait: () => undefined,
  })
}

const failed = (line: number) => ({ line, error: { code: 'SERVICE_UNAVAILABLE', message: 'No.' } })

/** Sends lines 1 to `count` until the server has had all its turns. */
async function sentInTurns(count: number, ...script: Turn[]): Promise<MemorySender> {
  const { url, taken } = await scriptedServer(...script)
  const stop = new AbortController()
  const sender = new MemorySender({ url, key: 'mng_key' }, silentInput(count).lines, {
    chosen: { fromLine: 1, except: [] },
    stop: stop.signal,
    onProgress: () => undefined,
    onRefused: () => undefined,
    onWait: () => {
      if (taken.length === script.length) stop.abort()
    },
  })
  await sender.send()
  return sender
}

test('a line at which the server failed beside others is not left out for a moment in which it fails at all', async () => {
  const sender = await sentInTurns(
    8,
    { behind: 8, answers: [failed(1), stored(2), stored(3)] },
    { behind: 6, answers: [failed(1), stored(4), stored(5)] },
    { behind: 4, answers: [failed(1), failed(6), failed(7), failed(8)] },
  )
  expect(sender.sent).toMatchObject({ created: 4, refused: 0 })
  expect([sender.nextLine, lineRangesText(sender.exceptBehind)]).toEqual([1, '2-5'])
})

test('lines from which on the server failed are not left out for what it had stored before', async () => {
  const sender = await sentInTurns(
    7,
    { behind: 7, answers: [stored(1), stored(2), failed(3), failed(4)] },
    { behind: 5, answers: [failed(3), failed(4), stored(5)] },
    { behind: 4, answers: [failed(3), failed(4), stored(6)] },
  )
  expect(sender.sent).toMatchObject({ created: 4, refused: 0 })
  expect([sender.nextLine, lineRangesText(sender.exceptBehind)]).toEqual([3, '5-6'])
})

test('when the quota is used up nothing more is sent, and what was sent is told apart', async () => {
  const answers = [stored(1), usedUp(2), stored(3)]
  const atEnd = [usedUp(4), stored(5), stored(6)]
  const { url, taken } = await scriptedServer({ behind: 6, answers, atEnd })
  const sender = senderOf(url, silentInput(6))
  await sender.send()
  expect(taken).toEqual([[1, 2, 3, 4, 5, 6]])
  expect(sender.sent).toMatchObject({ created: 4, refused: 0, exhausted: { line: 2 } })
  expect([sender.nextLine, sender.unanswered]).toEqual([2, undefined])
  expect(lineRangesText(sender.exceptBehind)).toBe('3,5-6')
})

test('lines that are lost behind a used up quota are noticed, also while the input is silent', async () => {
  const turn = { behind: 3, answers: [stored(1), usedUp(2)], atEnd: [] }
  const { url } = await scriptedServer(turn)
  const sender = senderOf(url, { ...silentInput(3), more: () => undefined })
  await expect(sender.send()).rejects.toThrow('lost on the way')
})

test('when a connection breaks behind a used up quota, what was sent is sent again, and no more', async () => {
  // More than a connection takes that nobody reads.
  const content = 'x'.repeat(LINE_BYTES_MAX - 100)
  const all = [2, 3, 4, 5, 6, 7]
  const { url, taken } = await scriptedServer(
    { behind: 7, answers: [stored(1), usedUp(2)] },
    {
      behind: 1,
      answers: [usedUp(2)],
      atEnd: all.slice(1).map((line) => ({ ...stored(line), repeated: true })),
    },
  )
  const sender = senderOf(url, silentInput(7, content))
  await sender.send()
  expect(taken).toEqual([[1, ...all], all])
  expect(sender.sent).toMatchObject({ created: 1, repeated: 5, exhausted: { line: 2 } })
  expect(lineRangesText(sender.exceptBehind)).toBe('3-7')
})

test.each([
  [503, '12', 12_000],
  // A key has as many imports open as it can have.
  [429, '10', 10_000],
  // A timer that is set to no number, or to more than it can count, runs out at once.
  [503, 'Wed, 21 Oct 2026 07:28:00 GMT', 1_000],
  [503, '99999999999', 1_000],
])(
  'a server that asks for patience with %i and "Retry-After: %s" is not tried again at once',
  async (status, told, retryAfterMs) => {
    const server = createServer((_request, answer) => {
      answer.writeHead(status, { 'Retry-After': told }).end()
    })
    const request = new ImportRequest({ url: await addressOf(server), key: 'mng_key' })
    onTestFinished(() => request.close())
    await expect(request.answers().next()).rejects.toMatchObject({ retryAfterMs })
  },
)

test.each([
  [
    'text/html',
    '<title>\u001b]0;gone\u0007</title>\n',
    'what answered, with 200, is no Mnemograph',
  ],
  ['application/x-ndjson', '\u001b]0;gone\u0007\n', 'a line of the answer is not whole'],
])('an answer of %s that is none is told without its text', async (type, text, message) => {
  const server = createServer((_request, answer) => {
    answer.setHeader('Content-Type', type).end(text)
  })
  const request = new ImportRequest({ url: await addressOf(server), key: 'mng_key' })
  onTestFinished(() => request.close())
  const failure = await request.answers().next().then(String, String)
  expect(failure).toContain(message)
  expect(failure).not.toMatch(/\p{Cc}/u)
})

test('a server that answers with another protocol has given no answer', async () => {
  const server = createServer()
  server.on('connection', (socket) => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'
    socket.once('data', () => socket.write(head))
  })
  const request = new ImportRequest({ url: await addressOf(server), key: 'mng_key' })
  onTestFinished(() => request.close())
  await expect(request.answers().next()).rejects.toThrow('the connection ended')
})

test('a refusal without an end is not waited for', async () => {
  const server = createServer((_request, answer) => {
    answer.writeHead(502).write('<html>')
  })
  const request = new ImportRequest({ url: await addressOf(server), key: 'mng_key' })
  onTestFinished(() => request.close())
  const asked = once(server, 'request')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const answered = request.answers().next()
  answered.catch(() => undefined)
  await asked
  while (vi.getTimerCount() === 0) await nextTurn()
  vi.advanceTimersByTime(5_000)
  await expect(answered).rejects.toThrow('the answer 502 has no end')
})

test('what was waited for is not kept until the end of a request', async () => {
  const server = createServer((request) => request.resume())
  const request = new ImportRequest({ url: await addressOf(server), key: 'mng_key' })
  onTestFinished(() => request.close())
  await once(server, 'request')
  const heldAfter = async (waits: number): Promise<number> => {
    for (let count = 0; count < waits; count += 1) await request.unlessClosed(Promise.resolve())
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = await heldAfter(2_000)
  // With a race some 300 bytes of each stayed.
  expect(((await heldAfter(20_000)) - before) / 20_000).toBeLessThan(150)
})
