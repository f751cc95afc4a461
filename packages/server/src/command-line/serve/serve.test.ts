// The service as a process, with its real model: a stop under load, a public address, and starts that fail.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import {
  settingsToReach,
  startEmbeddingsServer,
} from '../../embedding/openai/testing/embeddings-server.ts'
import { apiClient } from '../../testing/api-client.ts'
import { type CommandLine, commandLine } from '../../testing/command.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { REPEAT_MS } from '../stop-signal.ts'

const memory = (content: string) => ({ json: { content, userId: 'u' } })

test('stopped under load, it answers what is under way, refuses what is new, and ends with 0', async () => {
  using cli = commandLine()
  const server = cli.start(['serve'])
  const address = await server.listening()
  const { stdout } = await cli.run([
    'keys',
    'create',
    '--name',
    'load',
    '--plan',
    'enterprise',
    '--write-limit',
    'none',
    '--json',
  ])
  const { key } = JSON.parse(stdout)
  const call = apiClient(address, key)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify(memory('A long story. '.repeat(500)).json)
  const connections = await Promise.all(
    Array.from({ length: 8 }, () => RawConnection.open(address)),
  )
  const idle = await RawConnection.open(address)
  for (const connection of connections) {
    await connection.send(rawRequest('POST /v1/memories', headers, body))
  }
  // Everything sent before this answer was read by the server before the signal.
  expect(await call('GET', '/v1/entities')).toMatchObject({ status: 200 })

  server.child.kill('SIGTERM')
  const answers = await Promise.all(connections.map((connection) => connection.answer()))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  const { status, stderr } = await server.ended()
  expect(status, stderr).toBe(0)
  expect(await idle.ended()).toBe('')
  await expect(RawConnection.open(address)).rejects.toMatchObject({ code: 'ECONNREFUSED' })

  const next = cli.start(['serve'])
  const again = apiClient(await next.listening(), key)
  const { body: list } = await again('GET', '/v1/memories?limit=100')
  const stored = Object(list).items.map(({ id }: { id: string }) => id)
  const promised = answers.map((answer) => JSON.parse(answer.body).id)
  expect(stored.toSorted()).toEqual(promised.toSorted())
  next.child.kill('SIGINT')
  expect(await next.ended()).toMatchObject({ status: 0 })
})

/** A server whose model answers a text only when it is let. */
async function waitingServer(at: CommandLine) {
  const model = await startEmbeddingsServer()
  onTestFinished(() => model.close())
  const server = at.start(['serve'], {
    ...settingsToReach(model),
    MNEMOGRAPH_EMBEDDING_TIMEOUT_MS: '300000',
  })
  const address = await server.listening()
  const [key = ''] = /mng_[0-9A-Za-z]+/.exec(server.stdout) ?? []
  const { promise: gate, resolve: answer } = Promise.withResolvers<void>()
  const asked = new Promise<void>((resolve) => {
    model.misbehave(async () => {
      resolve()
      await gate
      return false
    })
  })
  const created = apiClient(address, key)('POST', '/v1/memories', memory('slow'))
  await asked
  return { server, created, answer }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'what is under way is answered although %s comes again and again within a moment',
  async (signal) => {
    using cli = commandLine()
    const { server, created, answer } = await waitingServer(cli)
    const firstAtMs = performance.now()
    do {
      server.child.kill(signal)
      await sleep(5)
    } while (performance.now() - firstAtMs < REPEAT_MS / 2)
    answer()
    expect(await created).toMatchObject({ status: 201 })
    expect(await server.ended()).toMatchObject({ status: 0 })
  },
)

test('who asks again later does not wait for what is under way', async () => {
  using cli = commandLine()
  const { server, created } = await waitingServer(cli)
  const lost = expect(created).rejects.toThrow()
  while (server.child.exitCode === null && server.child.signalCode === null) {
    server.child.kill('SIGTERM')
    await sleep(50)
  }
  expect(server.child.signalCode).toBe('SIGTERM')
  await lost
})

test('where a public address is set, the link of the first start leads there', async () => {
  using cli = commandLine()
  const server = cli.start(['serve'], { MNEMOGRAPH_PUBLIC_URL: 'https://memory.example.com' })
  await server.listening()
  expect(server.stdout).toMatch(/^ {2}https:\/\/memory\.example\.com\/console\/link#\S+$/m)
  server.child.kill('SIGTERM')
  await server.ended()
})

test.each([
  ['keys', 'first key', /no insert/],
  ['links', 'link to the console', /nobody has seen it: revoke it with .* key_\w+".*no insert/s],
])(
  'a server that cannot write to %s, for its %s, says why and ends with status 1',
  async (table, _what, told) => {
    using cli = commandLine()
    await cli.run(['keys', 'create', '--name', 'x'])
    const store = new Database(join(cli.directory, 'mnemograph.db'))
    store.exec(
      `DELETE FROM keys; CREATE TRIGGER t BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'no insert'); END`,
    )
    store.close()
    const { status, stdout, stderr } = await cli.run(['serve'])
    expect(status, stderr).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(told)
  },
)
