// `mnemograph import --format` as a person meets it: with a store before, and a service after.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { tinyModelFolder } from '../../embedding/local/testing/tiny-model.ts'
import {
  settingsToReach,
  startEmbeddingsServer,
} from '../../embedding/openai/testing/embeddings-server.ts'
import { newKey } from '../../storage/conformance/subject.ts'
import { openSqliteAdministration } from '../../storage/sqlite/open-keys.ts'
import { apiClient } from '../../testing/api-client.ts'
import { commandLine } from '../../testing/command.ts'
import { runService } from '../../testing/running-service.ts'

test('a file of another service comes into the space of a key, once however often it is run', async () => {
  const model = tinyModelFolder({ manifest: { id: 'tiny' } })
  onTestFinished(() => model[Symbol.dispose]())
  using cli = commandLine()
  const settings = {
    MNEMOGRAPH_DATA_DIR: join(cli.directory, 'new'),
    MNEMOGRAPH_MODEL_DIR: model.path,
  }
  const { stdout } = await cli.run(['keys', 'create', '--name', 'k', '--json'], settings)
  const { id, key } = JSON.parse(stdout)
  const fixture = (name: string) =>
    fileURLToPath(new URL(`./foreign/testing/${name}`, import.meta.url))
  const run = (name: string, ...args: string[]) =>
    cli.run(['import', fixture(name), '--key-id', id, ...args], settings)

  const mcp = ['--format', 'mcp-memory', '--user-id', 'elena']
  expect((await run('memory.jsonl', ...mcp)).stderr).toContain('Created: 8. There already: 0.')
  const again = await run('memory.jsonl', ...mcp)
  expect(again).toMatchObject({ status: 0 })
  expect(again.stderr).toContain('Created: 0. There already: 8. Left out: 0.')

  const twice = join(cli.directory, 'twice.jsonl')
  const [observation, name] = ['speaks Latin', 'Marcus']
  const entity = { type: 'entity', name, entityType: 'person', observations: [observation] }
  writeFileSync(twice, `${JSON.stringify(entity)}\n`.repeat(2))
  const repeated = await cli.run(['import', twice, '--key-id', id, ...mcp], settings)
  expect(repeated.stderr).toContain('3 of 3 records (100 %)')
  expect(repeated.stderr).toContain('Created: 2. There already: 1. Left out: 0.')

  // One memory says nothing of a user, and none was given.
  const mem0 = await run('mem0-get-all.json', '--format', 'mem0')
  expect(mem0).toMatchObject({ status: 1 })
  expect(mem0.stderr).toMatch(/Created: 7\..*Left out: 1\.\n.*\n *memory 3: .* --user-id /)

  const service = await runService({
    directory: settings.MNEMOGRAPH_DATA_DIR,
    embedder: null,
    settings: { MNEMOGRAPH_MODEL_DIR: model.path, MNEMOGRAPH_EMBEDDING_WORKERS: '1' },
  })
  onTestFinished(() => service.stop())
  const call = apiClient(service.address, key)
  const { body } = await call('GET', '/v1/memories?userId=maria')
  expect(body).toMatchObject({
    items: [
      { content: 'Is allergic to peanuts', createdAt: '2025-03-05T18:00:00.000Z' },
      { createdAt: '2025-03-04T16:15:22.417Z' },
    ],
  })
  const relations = await call('GET', '/v1/relations?type=works_at')
  expect(relations.body).toMatchObject({
    items: [{ source: { name: 'Elena_Rossi' }, target: { name: 'Nordlicht GmbH' } }],
  })
  const search = { query: 'Speaks Italian and German', threshold: 0 }
  const found = await call('POST', '/v1/memories/search', { json: search })
  expect(found.body).toMatchObject({ results: expect.arrayContaining([expect.anything()]) })
  const late = await run('memory.jsonl', ...mcp)
  expect(late.stderr).toContain('A server or an import of Mnemograph is using')
}, 120_000)

test('a file that is not UTF-8 is refused before anything is done, from stdin too', async () => {
  using cli = commandLine()
  const file = join(cli.directory, 'latin1.jsonl')
  const entity = '{"type":"entity","name":"Zoë","entityType":"person","observations":[]}'
  const bytes = Buffer.from(entity, 'latin1')
  writeFileSync(file, bytes)
  const flags = ['--format', 'mcp-memory', '--user-id', 'u', '--key-id', 'key_1']
  for (const refused of [
    await cli.run(['import', file, ...flags]),
    await cli.feed(['import', '-', ...flags], bytes),
  ]) {
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toContain('not UTF-8')
  }
})

test('a user that no memory could have is wrong usage, and nothing of the file is brought in', async () => {
  using cli = commandLine()
  const file = join(cli.directory, 'memory.jsonl')
  writeFileSync(file, '{"type":"entity","name":"Anna","entityType":"person","observations":["x"]}')
  const flags = ['--format', 'mcp-memory', '--key-id', 'key_1']
  for (const userId of ['', ' ', 'x'.repeat(257)]) {
    const refused = await cli.run(['import', file, ...flags, `--user-id=${userId}`])
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toContain('--user-id')
    expect(refused.stderr).toContain('1 to 256 characters')
  }
})

test('one that is asked to stop says so, and the same command brings the rest', async () => {
  using cli = commandLine()
  const model = await startEmbeddingsServer()
  onTestFinished(() => model.close())
  const id = await addKey(cli.directory)
  const file = join(cli.directory, 'memory.jsonl')
  const observations = Array.from({ length: 100 }, (_, number) => `likes tea ${number}`)
  const entity = { type: 'entity', name: 'Anna', entityType: 'person', observations }
  writeFileSync(file, JSON.stringify(entity))
  const command = ['import', file, '--format', 'mcp-memory', '--user-id', 'u', '--key-id', id]
  const stopping = cli.start(command, settingsToReach(model))
  model.misbehave(({ texts }) => {
    if (texts[0]?.startsWith('Anna') && !stopping.child.killed) stopping.child.kill('SIGTERM')
    return false
  })
  const { status, stderr } = await stopping.ended()
  expect([status, stderr]).toEqual([1, expect.stringContaining('Stopped. What is done is kept')])
  const rest = await cli.run(command, settingsToReach(model))
  expect(rest.status).toBe(0)
  const [, created, wereThere] = /Created: (\d+)\. There already: (\d+)\./.exec(rest.stderr) ?? []
  expect(Number(created) + Number(wereThere)).toBe(101)
  expect(Number(created)).toBeGreaterThan(0)
})

test('nothing comes into the space of a key that is revoked, which another key may have by now', async () => {
  using cli = commandLine()
  const id = await addKey(cli.directory, { isRevoked: true })
  const file = join(cli.directory, 'memories.json')
  writeFileSync(file, '[]')
  const refused = await cli.run(['import', file, '--format', 'mem0', '--key-id', id])
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toContain(`The key ${id} is revoked.`)
})

async function addKey(directory: string, { isRevoked = false } = {}): Promise<string> {
  const { keys, close } = openSqliteAdministration(directory)
  const key = newKey()
  await keys.insert(key)
  if (isRevoked) await keys.revoke(key.id)
  close()
  return key.id
}
