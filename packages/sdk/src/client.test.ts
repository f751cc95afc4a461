// What a client is made of: its key and address, checked at once.
import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { Mnemograph, type MnemographOptions } from './index.ts'

const apiKey = 'mng_secretOfTheTest'
const headers = new Headers()

afterEach(() => vi.unstubAllGlobals())

/** The address and the key of what a client asks. */
async function askedBy(options: Partial<MnemographOptions>): Promise<string[]> {
  const asked: string[] = []
  const client = new Mnemograph({
    apiKey,
    ...options,
    fetch: async (url, request) => {
      asked.push(url, request.headers['authorization'] ?? '')
      return { status: 200, headers, text: async () => '{"id": "mem_1"}' }
    },
  })
  await client.memories.get('mem_1')
  return asked
}

test('without a key there is no client', () => {
  const { KEY_THAT_NOBODY_HAS: missing } = process.env
  const withoutKey = () => new Mnemograph({ apiKey: missing })
  expect(withoutKey).toThrow(TypeError)
  expect(withoutKey).toThrow('apiKey is undefined. Is the variable set that it comes from?')
})

test('the key goes to the address that was given, or to the one on which a server starts', async () => {
  expect(await askedBy({ baseUrl: 'https://memory.example/' })).toEqual([
    'https://memory.example/v1/memories/mem_1',
    `Bearer ${apiKey}`,
  ])
  expect((await askedBy({}))[0]).toBe('http://127.0.0.1:8080/v1/memories/mem_1')
})

test('an address may have a path, and any slashes at its end', async () => {
  for (const baseUrl of ['https://host/memory', 'https://host/memory/', 'https://host/memory//']) {
    expect((await askedBy({ baseUrl }))[0]).toBe('https://host/memory/v1/memories/mem_1')
  }
})

test('an option of another name is refused, with the one that is meant', () => {
  const refused = (options: object) => () => Reflect.construct(Mnemograph, [options])
  const names = 'It can have apiKey, baseUrl, fetch, timeoutMs and retries.'
  for (const [name, meant] of [
    ['baseURL', 'baseUrl'],
    ['base_url', 'baseUrl'],
    ['url', 'baseUrl'],
    ['timeout', 'timeoutMs'],
    ['maxRetries', 'retries'],
  ] satisfies [string, string][]) {
    expect(refused({ apiKey, [name]: 'http://host' })).toThrow(
      new TypeError(`options cannot have ${name}; is ${meant} meant? ${names}`),
    )
  }
  expect(refused({ apiKey, verbose: true })).toThrow(
    new TypeError(`options cannot have verbose. ${names}`),
  )
  expect(refused({ key: apiKey })).toThrow(/cannot have key; is apiKey meant\?/)
})

test('without options, or with a key in their place, there is no client, and the key is not repeated', () => {
  for (const given of [[], [null], [apiKey], [[apiKey]]]) {
    const make = () => Reflect.construct(Mnemograph, given)
    expect(make).toThrow(new TypeError('options must be an object with apiKey.'))
  }
})

test('the version, which every path begins with, is not part of the address', () => {
  for (const baseUrl of ['https://host/v1', 'https://host/v1/', 'https://host/memory/v1//']) {
    expect(() => new Mnemograph({ apiKey, baseUrl })).toThrow(
      new TypeError('baseUrl must not end in /v1, which the client adds itself.'),
    )
  }
})

test('an option that makes no sense is refused, and not repeated', () => {
  const wrong: Partial<MnemographOptions>[] = [
    { apiKey: '' },
    { apiKey: 'secret\n' },
    { apiKey: 'secret key' },
    { apiKey: 'secreté' },
    ...[
      '',
      'host',
      'ftp://host',
      'http://user:secret@host',
      'http://secret@host',
      'http://:secret@host',
      'http://host?secret',
      'http://host#a',
    ].map((baseUrl) => ({ baseUrl })),
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31].map((timeoutMs) => ({ timeoutMs })),
    ...[-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY].map((retries) => ({ retries })),
    Object({ timeoutMs: '5' }),
    Object({ fetch: 'secret' }),
  ]
  for (const options of wrong) {
    const make = () => new Mnemograph({ apiKey, ...options })
    expect(make, JSON.stringify(options)).toThrow(TypeError)
    expect(make).not.toThrow(/secret/)
  }
})

test('an option may be as little, and as much, as it says', async () => {
  for (const options of [
    { timeoutMs: 1, retries: 0, apiKey: 'k' },
    { timeoutMs: 2 ** 31 - 1, apiKey: 'k'.repeat(4096) },
  ]) {
    expect(() => new Mnemograph(options)).not.toThrow()
  }
  expect(() => new Mnemograph({ apiKey: 'k'.repeat(4097) })).toThrow(TypeError)
})

test('an option of a call that makes no sense rejects, and nothing is asked', async () => {
  const { memories } = new Mnemograph({
    apiKey,
    fetch: () => Promise.reject(new Error('It was asked.')),
  })
  const memory = { content: 'tea', userId: 'anna' }
  await expect(memories.list({}, { timeoutMs: 0 })).rejects.toThrow(TypeError)
  await expect(memories.get('mem_1', { retries: -1 })).rejects.toThrow(TypeError)
  for (const idempotencyKey of ['', 'secret key', 'é', 'a'.repeat(256)]) {
    const call = memories.create(memory, { idempotencyKey })
    await expect(call).rejects.toThrow(/^idempotencyKey must be 1 to 255 visible ASCII/)
  }
})

test('nothing shows the key that a client has', () => {
  const client = new Mnemograph({ apiKey })
  expect(inspect(client, { depth: 20, showHidden: true })).not.toContain('secret')
  expect(JSON.stringify(client)).not.toContain('secret')
})

test('the fetch of the platform is called as a function of its own, when it is needed', async () => {
  const { memories } = new Mnemograph({ apiKey })
  vi.stubGlobal('fetch', function (this: unknown) {
    // Browsers refuse it as the method of anything else.
    const isAlone = this === globalThis || this === undefined
    const text = async () => (isAlone ? '{"id": "mem_1"}' : '')
    return Promise.resolve({ status: 200, headers, text })
  })
  expect(await memories.get('mem_1')).toEqual({ id: 'mem_1' })
})
