// `mnemograph export` and `mnemograph import` as a person meets them, with services before and after.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { checksumLine, RunningChecksum } from '../../core/archive/format.ts'
import { fillStore } from '../../storage/conformance/filled-store.ts'
import { openSqliteStore } from '../../storage/sqlite/open-store.ts'
import { apiClient, type Call } from '../../testing/api-client.ts'
import { type CommandLine, commandLine } from '../../testing/command.ts'
import { newDatabase } from '../../testing/postgres.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

let cli: CommandLine
beforeEach(() => {
  cli = commandLine()
})
afterEach(() => cli[Symbol.dispose]())

const inFolder = (name: string) => ({ MNEMOGRAPH_DATA_DIR: join(cli.directory, name) })

const serviceIn = (name: string): Promise<TestService> =>
  runService({ directory: join(cli.directory, name) })

/** A store with something of everything, and many memories. */
async function filledFolder(name: string, memories: number): Promise<void> {
  const store = await openSqliteStore({
    directory: join(cli.directory, name),
    onDeath: (error) => {
      throw error
    },
  })
  await fillStore(store, { memories })
  await store.close()
}

const QUERIES = ['Who likes coffee?', 'tea in the morning', 'a dog named Rex', '"order 17"']
const TEXTS = [
  'Anna likes coffee in the morning.',
  'Ben drinks tea.',
  'Order 17 was late.',
  'The dog is called Rex.',
]

async function everything(call: Call): Promise<unknown[]> {
  const answers = [
    ...QUERIES.map((query) =>
      call('POST', '/v1/memories/search', { json: { query, threshold: 0, limit: 100 } }),
    ),
    call('GET', '/v1/memories?limit=100'),
    call('GET', '/v1/entities?limit=100'),
    call('GET', '/v1/relations?limit=100'),
  ]
  return (await Promise.all(answers)).map(({ status, body }) => ({ status, body }))
}

test('keys, records and search results are the same after a move, made while a server runs', async () => {
  const before = await serviceIn('old')
  const { id, key } = await before.newKey()
  const call = apiClient(before.address, key)
  for (const [index, content] of TEXTS.entries()) {
    const json = { content, userId: 'u', tags: [`t${index % 2}`], metadata: { z: index, a: 'ü' } }
    await call('POST', '/v1/memories', { json, headers: { 'idempotency-key': `made-${index}` } })
  }
  const ends = ['Anna', 'Rex'].map((name) =>
    call('POST', '/v1/entities', { json: { name, type: 'PERSON' } }),
  )
  const [sourceId, targetId] = (await Promise.all(ends)).map((answer) => answer.id)
  await call('POST', '/v1/relations', { json: { sourceId, targetId, type: 'OWNS' } })
  const answers = await everything(call)

  const file = join(cli.directory, 'archive.jsonl')
  const exported = await cli.run(['export', file], inFolder('old'))
  expect(exported).toMatchObject({ status: 0, stdout: '' })
  expect(exported.stderr).toContain(': keys 1, accounts 0, memories 4, entities 2, relations 1.')
  // Keys, counts and what is remembered of creates included.
  const [, all] = /^(\d+) of \1 records \(100 %\)/m.exec(exported.stderr) ?? []
  expect(Number(all)).toBe(recordsOf(file).length)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(cli.directory).filter((name) => name.includes('partial'))).toEqual([])
  await before.stop()

  const imported = await cli.run(['import', file], inFolder('new'))
  expect(imported).toMatchObject({ status: 0, stdout: '' })
  expect(imported.stderr).toContain(`${all} of ${all} records (100 %)`)
  expect(imported.stderr).toContain(
    'The store holds now: keys 1, accounts 0, memories 4, entities 2',
  )
  const again = await cli.run(['import', file], inFolder('new'))
  expect(again).toMatchObject({ status: 0 })
  expect(again.stderr).toContain('This archive is in the store already. Nothing was done.')

  await using after = await serviceIn('new')
  const moved = apiClient(after.address, key)
  expect(await everything(moved)).toEqual(answers)
  // A replay is answered from the record that moved along.
  const json = { content: TEXTS[0], userId: 'u', tags: ['t0'], metadata: { z: 0, a: 'ü' } }
  const headers = { 'idempotency-key': 'made-0' }
  const replayed = await moved('POST', '/v1/memories', { json, headers })
  expect(JSON.stringify(answers)).toContain(replayed.id)
  expect((await cli.run(['keys', 'list', '--json'], inFolder('new'))).stdout).toContain(id)
}, 90_000)

test('an import that is killed goes on where it was, and no server starts in between', async () => {
  await filledFolder('old', 1_500)
  const file = join(cli.directory, 'archive.jsonl')
  expect(await cli.run(['export', file], inFolder('old'))).toMatchObject({ status: 0 })
  const bytes = readFileSync(file)
  const first = cli.start(['import', '-'], inFolder('new'), { stdin: 'pipe' })
  // Never the whole of it, so that the import is under way whenever the signal comes.
  first.child.stdin?.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
  while (!first.stderr.includes('records (')) await once(first.child.stderr ?? first.child, 'data')
  first.child.kill('SIGKILL')
  await first.ended()

  const server = await cli.run(['serve'], inFolder('new'))
  expect(server).toMatchObject({ status: 1 })
  expect(server.stderr).toContain('An import into this store is unfinished.')
  const other = join(cli.directory, 'other.jsonl')
  await cli.run(['export', other], inFolder('old'))
  const refused = await cli.run(['import', other], inFolder('new'))
  expect(refused).toMatchObject({ status: 1 })
  expect(refused.stderr).toContain('The import of another archive into this store is unfinished.')

  expect(await cli.run(['import', file], inFolder('new'))).toMatchObject({ status: 0 })
  const copy = join(cli.directory, 'copy.jsonl')
  await cli.run(['export', copy], inFolder('new'))
  expect(recordsOf(copy)).toEqual(recordsOf(file))
}, 90_000)

test('an import that is asked to stop does not wait for what a pipe may bring', async () => {
  await filledFolder('old', 1_500)
  const file = join(cli.directory, 'archive.jsonl')
  await cli.run(['export', file], inFolder('old'))
  const bytes = readFileSync(file)
  const command = cli.start(['import', '-'], inFolder('new'), { stdin: 'pipe' })
  command.child.stdin?.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
  await expect.poll(() => command.stderr).toContain('records (')
  command.child.kill('SIGINT')
  const { status, stderr } = await command.ended()
  expect([status, stderr]).toEqual([1, expect.stringContaining('Stopped. What is done is kept')])
  expect(await cli.run(['import', file], inFolder('new'))).toMatchObject({ status: 0 })
}, 60_000)

test('an export that is asked to stop does not wait for who does not read', async () => {
  await filledFolder('old', 3_000)
  const command = cli.start(['export', '-'], inFolder('old'))
  const { child } = command
  child.stdout?.pause()
  await expect.poll(() => child.stdout?.readableLength).toBeGreaterThan(0)
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([1, null])
  child.stdout?.resume()
  const { stdout, stderr } = await command.ended()
  expect(stderr).toMatch(/^mnemograph: Stopped\. There is no archive\.$/m)
  expect(stdout).not.toContain('"kind":"end"')
}, 30_000)

test('an archive goes through a pipe as through a file', async () => {
  await filledFolder('old', 0)
  const { stdout, stderr } = await cli.run(['export', '-'], inFolder('old'))
  expect(stderr).toContain(': keys 4, accounts 2')
  const fed = await cli.feed(['import', '-'], Buffer.from(stdout), inFolder('new'))
  expect(fed).toMatchObject({ status: 0 })
  const second = await cli.run(['export', '-'], inFolder('new'))
  expect(second.stdout.split('\n').filter(isRecord)).toEqual(stdout.split('\n').filter(isRecord))
  // As a shell names one in the place of a file: it can be read only once.
  const pipe = join(cli.directory, 'pipe')
  spawnSync('mkfifo', [pipe])
  const named = cli.run(['import', pipe], inFolder('newer'))
  await writeFile(pipe, stdout)
  expect(await named).toMatchObject({ status: 0 })
}, 60_000)

test.runIf(inject('postgresUrl'))(
  'a store goes from a folder to PostgreSQL and back',
  async () => {
    const { url, drop } = await newDatabase(inject('postgresUrl') ?? '')
    onTestFinished(drop)
    await filledFolder('old', 600)
    const [first, second, third] = ['1', '2', '3'].map((name) => join(cli.directory, name))
    const run = async (args: string[], settings: Record<string, string>) =>
      expect(await cli.run(args, settings)).toMatchObject({ status: 0 })
    await run(['export', first ?? ''], inFolder('old'))
    await run(['import', first ?? ''], { DATABASE_URL: url })
    await run(['export', second ?? ''], { DATABASE_URL: url })
    await run(['import', second ?? ''], inFolder('new'))
    await run(['export', third ?? ''], inFolder('new'))
    expect(recordsOf(third ?? '').toSorted()).toEqual(recordsOf(first ?? '').toSorted())
  },
  90_000,
)

test('what cannot be done is said, and changes nothing', async () => {
  await filledFolder('old', 0)
  const file = join(cli.directory, 'archive.jsonl')
  await cli.run(['export', file], inFolder('old'))
  const run = async (args: string[], folder: string) => {
    const { status, stderr } = await cli.run(args, inFolder(folder))
    return [status, stderr]
  }
  expect(await run(['export', file], 'old')).toEqual([1, expect.stringContaining('Move it away')])
  expect(await run(['export', ''], 'old')).toEqual([2, expect.stringContaining('is empty')])
  const lines = join(cli.directory, 'memories.jsonl')
  writeFileSync(lines, '{"content":"Anna likes tea.","userId":"u"}\n')
  const hint = 'Memories as JSON lines are sent to a running server, with --url'
  expect(await run(['import', lines], 'new')).toEqual([1, expect.stringContaining(hint)])
  const nowhere = join(cli.directory, 'no', 'folder')
  expect(await run(['export', nowhere], 'old')).toEqual([
    1,
    expect.stringContaining('The archive cannot be wri'),
  ])
  expect(await run(['export', nowhere], 'none')).toEqual([
    1,
    expect.stringContaining('no store in'),
  ])
  expect(existsSync(inFolder('none').MNEMOGRAPH_DATA_DIR)).toBe(false)
  expect(await run(['import', nowhere], 'new')).toEqual([
    1,
    expect.stringContaining('cannot be read'),
  ])
  expect(await run(['import', file], 'old')).toEqual([
    1,
    expect.stringContaining('holds data alrea'),
  ])
  const damaged = join(cli.directory, 'damaged.jsonl')
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 500) ^ 1, bytes.length - 500)
  writeFileSync(damaged, bytes)
  const [status, text] = await run(['import', damaged], 'new')
  expect([status, text]).toEqual([1, expect.stringMatching(/It is damaged between line \d+ and/)])
  writeFileSync(damaged, randomBytes(1000))
  expect(await run(['import', damaged], 'new')).toEqual([
    1,
    expect.stringContaining('cannot be used'),
  ])
  expect(text).toContain('MNEMOGRAPH_DATA_DIR')
  // As it says: copied again it goes on, and another one needs an empty store.
  expect(await cli.run(['import', file], inFolder('new'))).toMatchObject({ status: 0 })
  for (const format of ['archive', 'mem0']) {
    const args = ['import', cli.directory, '--format', format]
    const ofFolder = await run(format === 'mem0' ? [...args, '--key-id', 'key_1'] : args, 'newer')
    expect(ofFolder).toEqual([1, `mnemograph: ${cli.directory} is a folder. Name a file in it.\n`])
  }
  expect(await run(['import', file, '--key-id', 'key_1'], 'new')).toEqual([
    2,
    expect.stringContaining('An archive is a whole store'),
  ])
  expect(await run(['import', file, '--format', 'mem0'], 'new')).toEqual([
    2,
    expect.stringContaining('--key-id'),
  ])
}, 90_000)

test('an archive of another version is not to be copied again, which would not help', async () => {
  const checksum = new RunningChecksum()
  const header = '{"format":"mnemograph-archive","version":2}'
  checksum.add(`${header}\n`)
  const archive = `${header}\n${checksumLine(1, checksum.value())}\n`
  const { status, stderr } = await cli.feed(['import', '-'], Buffer.from(archive), inFolder('new'))
  expect(status).toBe(1)
  expect(stderr).toContain('import it with the version that wrote it, or a newer one.')
  expect(stderr).not.toContain('Copy it again')
})

const isRecord = (line: string): boolean => !/^(\{"format"|\{"kind":"(checksum|end)"|$)/.test(line)
const recordsOf = (file: string): string[] =>
  readFileSync(file, 'utf8').split('\n').filter(isRecord)
