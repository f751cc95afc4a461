// What becomes of an import when something comes between: clients that leave or do not read, a key that
// is revoked, a model that fails, a service that stops. What was acknowledged is there; what was not
// begun is not; and the client is told where it stopped.
import { afterEach, expect, test } from 'vitest'
import { type Embedder, EmbedderUnavailable } from '../../embedding/embedder.ts'
import { apiClient } from '../../testing/api-client.ts'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import {
  code,
  ImportConnection,
  importAll,
  many,
  memory,
  settled,
  toJsonLines,
} from '../../testing/import-client.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService, type TestService } from '../../testing/running-service.ts'
import { LINES_UNDER_WAY_MAX } from './import-stream.ts'

let service: TestService
afterEach(() => service[Symbol.asyncDispose]())

const id = (answer: unknown) => String(Object(answer).id ?? '')

/** A model that answers when it is told to, and counts what it has under way. */
function heldEmbedder() {
  const fake = fakeEmbedder()
  const state = { asked: 0, underWay: 0, underWayMost: 0, isHeld: true }
  let waiting: (() => void)[] = []
  const embedder: Embedder = {
    ...fake,
    embedMemory: async (content) => {
      state.asked += 1
      state.underWay += 1
      state.underWayMost = Math.max(state.underWayMost, state.underWay)
      if (state.isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
      state.underWay -= 1
      return fake.embedMemory(content)
    },
  }
  /** Lets those go that wait, and all that come. */
  const release = () => {
    state.isHeld = false
    for (const go of waiting) go()
    waiting = []
  }
  return { embedder, state, release }
}

async function listed(key: string): Promise<number> {
  const { body } = await apiClient(service.address, key)('GET', '/v1/memories')
  return Object(Object(body).pagination).total
}

test('however long the body is, a bounded number of lines is taken while the model is busy', async () => {
  const { embedder, state, release } = heldEmbedder()
  service = await runService({ embedder })
  const { key } = await service.newKey()
  const connection = new ImportConnection(service.address, key)
  const line = JSON.stringify({ ...memory('short'), metadata: { padding: 'x'.repeat(10_000) } })
  let taken = 0
  const lines = 5_000
  const sent = (async () => {
    for (; taken < lines; taken += 1) await connection.send(`${line}\n`)
    connection.end()
  })()
  await expect.poll(() => state.asked).toBe(LINES_UNDER_WAY_MAX)
  await settled()
  expect(state.asked).toBe(LINES_UNDER_WAY_MAX)
  // 50 MB wait; the sockets hold some of it, the server next to nothing.
  expect(taken).toBeLessThan(lines / 2)
  release()
  const answers = await connection.rest()
  await sent
  expect(answers.at(-1)).toEqual({ summary: { created: lines, repeated: 0, refused: 0 } })
  expect(state.underWayMost).toBe(LINES_UNDER_WAY_MAX)
})

test('long texts of all imports together are bounded by their length', async () => {
  const { embedder, state, release } = heldEmbedder()
  service = await runService({ embedder })
  const long = toJsonLines(Array.from({ length: 20 }, () => memory('long '.repeat(2_000))))
  const keys = await Promise.all([1, 2, 3].map(() => service.newKey()))
  const imports = keys.map(({ key }) => importAll(service.address, key, long))
  await expect.poll(() => state.asked).toBe(6)
  await settled()
  expect(state.asked).toBe(6)
  release()
  for (const answers of await Promise.all(imports)) {
    expect(answers.at(-1)).toMatchObject({ summary: { created: 20 } })
  }
  expect(state.underWayMost).toBe(6)
})

test('a client that takes no answers holds up its own import only, and is cut off in the end', async () => {
  service = await runService({ timeouts: { importSilenceMs: 500 } })
  const { key } = await service.newKey()
  const idle = await service.newKey()
  const silent = new ImportConnection(service.address, key)
  // Refused lines are answered with more bytes than they have.
  let ended = false
  void silent.closed.then(() => {
    ended = true
  })
  // Until it is cut off: whoever neither reads nor sends would not notice.
  const sending = (async () => {
    // A stream of refused lines alone would be ended.
    await silent.sendLines(many(1))
    const lines = 'x\n'.repeat(10_000)
    while (!ended) {
      const { promise, resolve } = Promise.withResolvers<void>()
      void silent.send(lines).then(resolve, resolve)
      await Promise.race([promise, silent.closed])
    }
  })()
  const answers = await importAll(service.address, idle.key, toJsonLines(many(10)))
  expect(answers).toHaveLength(11)
  await sending
  await silent.closed
  const { text } = await apiClient(service.address)('GET', '/metrics')
  const refused = Number(/lines_total\{outcome="refused"\} (\d+)/.exec(text)?.[1])
  expect(refused).toBeGreaterThan(0)
  expect(refused).toBeLessThan(500_000)
})

test('a client that falls silent is told after a while, and what it sent is kept', async () => {
  service = await runService({ timeouts: { importSilenceMs: 200 } })
  const { key } = await service.newKey()
  const connection = new ImportConnection(service.address, key)
  await connection.send(`${toJsonLines(many(3))}{"content":"half a line"`)
  const answers = await connection.rest()
  expect(answers.at(-1)).toEqual({
    summary: {
      created: 3,
      repeated: 0,
      refused: 0,
      stopped: expect.objectContaining({ code: 'REQUEST_TIMEOUT' }),
      nextLine: 4,
    },
  })
  expect(await listed(key)).toBe(3)
  connection.destroy()
})

test('an import may last longer than any other request, and blank lines keep it open', async () => {
  const timeouts = { requestMs: 300, headersMs: 200, checkIntervalMs: 50, importSilenceMs: 400 }
  service = await runService({ timeouts })
  const { key } = await service.newKey()
  const connection = new ImportConnection(service.address, key)
  for (let round = 0; round < 10; round += 1) {
    await connection.send(round % 5 === 0 ? toJsonLines(many(1)) : '\n')
    await settled()
  }
  connection.end()
  expect((await connection.rest()).at(-1)).toEqual({
    summary: { created: 2, repeated: 0, refused: 0 },
  })
})

test('a client that leaves ends its import: what was begun is finished, nothing else is begun', async () => {
  const { embedder, state, release } = heldEmbedder()
  service = await runService({ embedder })
  const { key } = await service.newKey()
  const connection = new ImportConnection(service.address, key)
  await connection.sendLines(many(LINES_UNDER_WAY_MAX + 500))
  await expect.poll(() => state.asked).toBe(LINES_UNDER_WAY_MAX)
  connection.destroy()
  await settled()
  release()
  await expect.poll(() => listed(key)).toBe(LINES_UNDER_WAY_MAX)
  await settled()
  expect(state.asked).toBe(LINES_UNDER_WAY_MAX)
  const { text } = await apiClient(service.address)('GET', '/metrics')
  expect(text).toContain('mnemograph_import_streams 0')
})

test('a key that is revoked in the middle begins no further line', async () => {
  const { embedder, state, release } = heldEmbedder()
  service = await runService({ embedder })
  const { id: keyId, key } = await service.newKey()
  const connection = new ImportConnection(service.address, key)
  await connection.sendLines(many(3))
  await expect.poll(() => state.asked).toBe(3)
  await service.service.store.keys.revoke(keyId)
  await connection.sendLines(many(100))
  release()
  const answers = await connection.rest()
  expect(answers.slice(0, 3).map(id)).toEqual(Array(3).fill(expect.stringMatching(/^mem_/)))
  expect(new Set(answers.slice(3, -1).map(code))).toEqual(new Set(['API_KEY_REVOKED']))
  expect(answers.at(-1)).toMatchObject({
    summary: { created: 3, stopped: { code: 'API_KEY_REVOKED' }, nextLine: 4 },
  })
  expect(state.asked).toBe(3)
  connection.destroy()
})

test('a failure of the model stops the import at the line that failed, and says so', async () => {
  const fake = fakeEmbedder()
  service = await runService({
    embedder: {
      ...fake,
      embedMemory: async (content) => {
        if (content === 'memory 7') throw new EmbedderUnavailable('SECRET')
        return fake.embedMemory(content)
      },
    },
  })
  const { key } = await service.newKey()
  const connection = new ImportConnection(service.address, key)
  await connection.sendLines(many(20))
  const answers = await connection.rest()
  connection.destroy()
  const stored = answers.filter((answer) => id(answer) !== '')
  expect(answers[7]).toMatchObject({ line: 8, error: { code: 'SERVICE_UNAVAILABLE' } })
  expect(answers.at(-1)).toMatchObject({
    summary: {
      created: stored.length,
      refused: 1,
      stopped: { code: 'SERVICE_UNAVAILABLE' },
      nextLine: 8,
    },
  })
  expect(JSON.stringify(answers)).not.toContain('SECRET')
  expect(await listed(key)).toBe(stored.length)
})

test('a stop of the service finishes what was begun, answers it and says where to go on', async () => {
  const { embedder, state, release } = heldEmbedder()
  service = await runService({ embedder })
  const { directory } = service
  const { key } = await service.newKey()
  const connection = new ImportConnection(service.address, key)
  await connection.sendLines(many(3))
  await expect.poll(() => state.asked).toBe(3)
  const stopped = service.stop()
  await settled()
  await connection.sendLines(many(50))
  release()
  const answers = await connection.rest()
  connection.end()
  await stopped
  expect(answers).toHaveLength(4)
  expect(answers.at(-1)).toMatchObject({
    summary: {
      created: 3,
      stopped: {
        code: 'SERVICE_UNAVAILABLE',
        message: 'The service is stopping. Go on in a moment.',
      },
      nextLine: 4,
    },
  })
  service = await runService({ directory })
  for (const answer of answers.slice(0, 3)) {
    const path = `/v1/memories/${id(answer)}`
    expect(await apiClient(service.address, key)('GET', path)).toMatchObject({ status: 200 })
  }
  expect(await listed(key)).toBe(3)
})

test('a client that goes on sending after the stop gets its answer and does not hold it up', async () => {
  service = await runService({ timeouts: { drainMs: 200_000 } })
  const { key } = await service.newKey()
  const connection = await RawConnection.open(service.address)
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/x-ndjson',
    'Transfer-Encoding': 'chunked',
  }
  await connection.send(rawRequest('POST /import/memories', headers))
  await connection.send(chunk(toJsonLines(many(1))))
  await expect.poll(() => listed(key)).toBe(1)
  const stopped = service.stop()
  const noise = setInterval(() => void connection.send(chunk('\n')), 50)
  await stopped
  clearInterval(noise)
  expect(await connection.ended()).toContain('"nextLine":2')
})
