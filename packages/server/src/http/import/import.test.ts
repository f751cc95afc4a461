// Many memories in one request, as a client sees it: each line is answered in order, stored once, and
// charged like a create.
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { apiClient, type Call } from '../../testing/api-client.ts'
import {
  code,
  ImportConnection,
  importAll,
  many,
  memory,
  toJsonLines,
} from '../../testing/import-client.ts'
import { newDatabase } from '../../testing/postgres.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

const server = inject('postgresUrl')

describe.each(server === undefined ? ['sqlite'] : ['sqlite', 'postgres'])('on %s', (store) => {
  let service: TestService
  let key: { id: string; key: string }
  let call: Call
  beforeAll(async () => {
    if (store === 'sqlite') service = await runService()
    else {
      const database = await newDatabase(server ?? '')
      service = await runService({ settings: { DATABASE_URL: database.url } })
    }
  })
  beforeEach(async () => {
    key = await service.newKey()
    call = apiClient(service.address, key.key)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const send = (body: string | Uint8Array, as = key.key) => importAll(service.address, as, body)
  const total = async (as = call) =>
    Object(Object((await as('GET', '/v1/memories')).body).pagination).total
  /** Not by a request, which a used up quota would refuse. */
  const stored = async () => {
    const { store } = service.service
    const own = (await store.keys.list()).find((each) => each.id === key.id)
    if (own === undefined) return expect.unreachable()
    return (await store.forSpace(own.spaceId).memories.page({}, { page: 1, limit: 1 })).total
  }
  const used = async (as = call) =>
    Number((await as('GET', '/v1/entities')).headers.get('x-quota-used'))
  const id = (answer: unknown) => String(Object(answer).id ?? '')
  const spent = (operations: number, of = key.id) => {
    const charge = { keyId: of, month: new Date().toISOString().slice(0, 7) }
    return service.service.store.usage.add([{ ...charge, operations, lastUsedAt: 1 }])
  }

  test('every line is answered once, in order, and is a memory like any other', async () => {
    const given = many(1_000).map((each, n) => ({ ...each, tags: ['t', `${n}`], metadata: { n } }))
    const answers = await send(toJsonLines(given))
    expect(answers.at(-1)).toEqual({ summary: { created: 1_000, repeated: 0, refused: 0 } })
    expect(answers).toHaveLength(1_001)
    for (const [n, answer] of answers.slice(0, -1).entries()) {
      expect(answer).toEqual({ line: n + 1, id: expect.stringMatching(/^mem_/) })
    }
    const { body } = await call('GET', `/v1/memories/${id(answers[499])}`)
    expect(body).toMatchObject({ ...given[499] })
    expect(await total()).toBe(1_000)
    const found = await call('POST', '/v1/memories/search', { json: { query: 'memory 999' } })
    expect(Object(found.body).results[0]).toMatchObject({ id: id(answers[999]), score: 1 })
  })

  test('blank lines are counted and not answered, CRLF and a missing last line end do no harm', async () => {
    const one = JSON.stringify(memory('a'))
    const answers = await send(`\r\n${one}\r\n \t \n\n${one}`)
    expect(answers.map((answer) => Object(answer).line)).toEqual([2, 5, undefined])
    expect(await total()).toBe(2)
  })

  test('an empty body imports nothing', async () => {
    expect(await send('')).toEqual([{ summary: { created: 0, repeated: 0, refused: 0 } }])
  })

  test('a broken line is refused as the same create would be, and the others go on', async () => {
    const bad = [
      { content: 'c' },
      { content: 'x'.repeat(10_001), userId: 'u' },
      { content: ' ', userId: 'u' },
      { content: 'c', userId: 'u', agentId: 1 },
      { content: 'c', userId: 'u', tags: 'red' },
      { content: 'c', userId: 'u', metadata: [] },
      'text',
      null,
      [],
    ]
    const good = toJsonLines([memory('good')])
    const answers = await send(bad.map((each) => `${JSON.stringify(each)}\n${good}`).join(''))
    expect(answers.at(-1)).toEqual({ summary: { created: 9, repeated: 0, refused: 9 } })
    for (const [n, json] of bad.entries()) {
      const alone = await call('POST', '/v1/memories', { json })
      expect(alone.status).toBe(400)
      const said = JSON.parse(alone.text.replace('The body', 'The line'))
      expect(answers[2 * n]).toEqual({ line: 2 * n + 1, ...said })
      expect(id(answers[2 * n + 1])).not.toBe('')
    }
  })

  test('lines that are no text, no JSON or too long are named, and the others go on', async () => {
    const good = Buffer.from(toJsonLines([memory('good')]))
    const exact = JSON.stringify(memory('exact')).padEnd(1024 * 1024, ' ')
    const parts = [
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from('{"content":\n'),
      Buffer.from(`${exact}\n${exact} \n`),
      Buffer.alloc(3 * 1024 * 1024, 'x'),
      Buffer.from('\n'),
    ]
    const answers = await send(Buffer.concat([...parts, good]))
    expect(answers).toEqual([
      { line: 1, error: { code: 'VALIDATION_ERROR', message: 'The line is not valid UTF-8.' } },
      { line: 2, error: { code: 'VALIDATION_ERROR', message: 'The line is not valid JSON.' } },
      { line: 3, id: expect.stringMatching(/^mem_/) },
      {
        line: 4,
        error: { code: 'PAYLOAD_TOO_LARGE', message: 'The line must have at most 1 MiB.' },
      },
      {
        line: 5,
        error: { code: 'PAYLOAD_TOO_LARGE', message: 'The line must have at most 1 MiB.' },
      },
      { line: 6, id: expect.stringMatching(/^mem_/) },
      { summary: { created: 2, repeated: 0, refused: 4 } },
    ])
  })

  test('a line is answered when it is stored, while the client still thinks about the next', async () => {
    const connection = new ImportConnection(service.address, key.key)
    for (const content of ['first', 'second']) {
      await connection.sendLines([memory(content)])
      const answer = await connection.next()
      expect(await call('GET', `/v1/memories/${id(answer)}`)).toMatchObject({ status: 200 })
    }
    connection.end()
    expect(await connection.rest()).toHaveLength(1)
  })

  test('a key is in use for as long as lines of its import arrive', async () => {
    const lastUsedAt = async () =>
      (await service.service.store.keys.list()).find((each) => each.id === key.id)?.lastUsedAt
    const connection = new ImportConnection(service.address, key.key)
    await expect.poll(lastUsedAt).toBeDefined()
    const openedAt = (await lastUsedAt()) ?? Number.POSITIVE_INFINITY
    const afterALine = async () => {
      await connection.sendLines([memory('again')])
      await connection.next()
      return lastUsedAt()
    }
    await expect.poll(afterALine).toBeGreaterThan(openedAt)
    connection.end()
  })

  test('two imports at once, of two keys, store each their own and nothing of the other', async () => {
    const other = await service.newKey()
    const [mine, foreign] = await Promise.all([
      send(toJsonLines(many(300).map((each) => ({ ...each, agentId: 'mine' })))),
      send(toJsonLines(many(300).map((each) => ({ ...each, agentId: 'foreign' }))), other.key),
    ])
    const ids = new Set([...mine, ...foreign].map(id))
    expect(ids.size).toBe(601)
    const otherCall = apiClient(service.address, other.key)
    expect([await total(), await total(otherCall)]).toEqual([300, 300])
    expect(await call('GET', `/v1/memories/${id(foreign[0])}`)).toMatchObject({ status: 404 })
    const listed = await otherCall('GET', '/v1/memories?agentId=mine')
    expect(listed.body).toMatchObject({ pagination: { total: 0 } })
  })

  test('a key may have two imports open; a third is told to wait, until one has ended', async () => {
    const open = [1, 2].map(() => new ImportConnection(service.address, key.key))
    for (const connection of open) {
      await connection.sendLines([memory('a')])
      await connection.next()
    }
    const third = new ImportConnection(service.address, key.key)
    expect(await third.head()).toMatchObject({ status: 429, headers: { 'retry-after': '10' } })
    const refused = await third.next()
    expect(refused).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED', retryAfter: 10 } })
    third.destroy()
    // Another key is not held up.
    expect(await send('', (await service.newKey()).key)).toEqual([
      { summary: { created: 0, repeated: 0, refused: 0 } },
    ])
    open[0]?.end()
    expect(await open[0]?.rest()).toHaveLength(1)
    await expect.poll(async () => code((await send(''))[0])).toBe('')
    open[1]?.destroy()
  })

  test('each stored line is one operation of the month, refused and repeated ones are none', async () => {
    const line = { ...memory('once'), idempotencyKey: 'k' }
    const answers = await send(toJsonLines([line, line, memory('other'), { content: 'c' }]))
    expect(answers.at(-1)).toEqual({ summary: { created: 2, repeated: 1, refused: 1 } })
    expect(await used()).toBe(2)
  })

  test('a quota that ends in the middle is used up exactly, and the rest is refused', async () => {
    key = await service.newKey({ plan: 'free' })
    call = apiClient(service.address, key.key)
    await spent(900)
    const answers = await send(toJsonLines([...many(300), { content: 'c' }]))
    expect(answers.at(-1)).toEqual({ summary: { created: 100, repeated: 0, refused: 201 } })
    expect(
      answers.slice(0, 300).filter((answer) => code(answer) === 'QUOTA_EXCEEDED'),
    ).toHaveLength(200)
    expect(answers.find((answer) => code(answer) === 'QUOTA_EXCEEDED')).toMatchObject({
      error: { currentUsage: 1_000, limit: 1_000, resetAt: expect.stringMatching(/Z$/) },
    })
    expect(code(answers[300])).toBe('INVALID_USER_ID')
    expect([await stored(), await used()]).toEqual([100, 1_000])
    expect(await call('POST', '/v1/memories', { json: memory('one more') })).toMatchObject({
      status: 403,
    })
  })

  test('two imports that share the end of a quota never exceed it', async () => {
    key = await service.newKey({ plan: 'free' })
    call = apiClient(service.address, key.key)
    await spent(850)
    await Promise.all([send(toJsonLines(many(120))), send(toJsonLines(many(120)))])
    expect([await stored(), await used()]).toEqual([150, 1_000])
  })

  test('opening an import draws one write of the minute, its lines draw none', async () => {
    key = await service.newKey({ limits: { read: 100, write: 3, search: 100 } })
    const connection = new ImportConnection(service.address, key.key)
    await connection.sendLines(many(100))
    connection.end()
    const { headers } = await connection.head()
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '2',
      'x-quota-used': '0',
      'x-request-id': expect.any(String),
      'content-type': 'application/x-ndjson',
    })
    expect((await connection.rest()).at(-1)).toMatchObject({ summary: { created: 100 } })
    const own = apiClient(service.address, key.key)
    const answer = await own('POST', '/v1/memories', { json: memory('a') })
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('1')
    await send('')
    expect(code((await send(''))[0])).toBe('RATE_LIMIT_EXCEEDED')
  })

  test('statistics and metrics tell imported memories from created ones', async () => {
    await call('POST', '/v1/memories', { json: memory('a') })
    const once = { ...memory('b'), idempotencyKey: 'k' }
    await send(toJsonLines([...many(4), once, once, { content: 'c' }]))
    expect(await call('POST', '/import/memories', { json: {} })).toMatchObject({ status: 415 })
    await service.service.usageJournal.settled()
    const day = new Date().toISOString().slice(0, 10)
    const read = await service.service.store.console.statistics.read(key.id, { from: day, to: day })
    expect(Object.fromEntries(read.map(({ kind, count }) => [kind, count]))).toEqual({
      'memories.create': 1,
      'memories.import': 5,
      'error:INVALID_USER_ID': 1,
      'error:UNSUPPORTED_MEDIA_TYPE': 1,
    })
    const { text } = await call('GET', '/metrics')
    expect(text).toMatch(/mnemograph_import_lines_total\{outcome="created"\} \d+/)
    expect(text).toContain('mnemograph_import_streams 0')
  })

  test('a resend of the same lines stores nothing twice, and what was missing once', async () => {
    const lines = many(200).map((each, n) => ({ ...each, idempotencyKey: `row-${n}` }))
    const first = await send(toJsonLines(lines.slice(0, 120)))
    const again = await send(toJsonLines(lines))
    expect(again.at(-1)).toEqual({ summary: { created: 80, repeated: 120, refused: 0 } })
    expect(again.slice(0, 120).map(id)).toEqual(first.slice(0, 120).map(id))
    expect(again[0]).toMatchObject({ repeated: true })
    expect(await total()).toBe(200)
    const body = { ...memory('memory 3'), idempotencyKey: 'ignored in a body' }
    const single = { json: body, headers: { 'idempotency-key': 'row-3' } }
    expect((await call('POST', '/v1/memories', single)).id).toBe(id(first[3]))
  })

  test('two imports of the same lines at once store each line once', async () => {
    const lines = toJsonLines(many(200).map((each, n) => ({ ...each, idempotencyKey: `row-${n}` })))
    const [one, other] = await Promise.all([send(lines), send(lines)])
    expect(one.slice(0, -1).map(id)).toEqual(other.slice(0, -1).map(id))
    expect(await total()).toBe(200)
  })

  test('a key used with another memory, and one that is none, refuse their line', async () => {
    const answers = await send(
      toJsonLines([
        { ...memory('a'), idempotencyKey: 'k' },
        { ...memory('b'), idempotencyKey: 'k' },
        { ...memory('c'), idempotencyKey: 'no key' },
        { ...memory('d'), idempotencyKey: null },
      ]),
    )
    expect(answers.map(code)).toEqual(['', 'IDEMPOTENCY_KEY_REUSED', 'VALIDATION_ERROR', '', ''])
    expect(answers[2]).toMatchObject({ error: { field: 'idempotencyKey' } })
  })
})
