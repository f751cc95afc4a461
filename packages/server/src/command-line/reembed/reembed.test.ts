// `mnemograph reembed` as a person meets it: what it says, its exit statuses, and a running service
// that follows it from one local model to another.
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { type TinyFolder, tinyModelFolder } from '../../embedding/local/testing/tiny-model.ts'
import { bundledModelId } from '../../embedding/open-embedder.ts'
import {
  answer,
  type EmbeddingsServer,
  settingsToReach,
  startEmbeddingsServer,
} from '../../embedding/openai/testing/embeddings-server.ts'
import { PIECES_VERSION } from '../../embedding/pieces-version.ts'
import { openSqliteReembedding } from '../../storage/sqlite/reembedding/open-reembedding.ts'
import { StoreRefusal } from '../../storage/store.ts'
import { apiClient } from '../../testing/api-client.ts'
import { type CommandLine, commandLine } from '../../testing/command.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

function modelFolder(id: string): string {
  const folder = tinyModelFolder({ manifest: { id } })
  onTestFinished(() => folder[Symbol.dispose]())
  return folder.path
}

const serviceIn = (directory: string, settings: Record<string, string>): Promise<TestService> =>
  runService({
    directory,
    embedder: null,
    settings: { MNEMOGRAPH_EMBEDDING_WORKERS: '1', ...settings },
  })

test('a service follows the store from one local model to another, and back', async () => {
  using cli = commandLine()
  const { directory } = cli
  const [a, b] = [modelFolder('tiny-a'), modelFolder('tiny-b')]
  const service = await serviceIn(directory, { MNEMOGRAPH_MODEL_DIR: a })
  const call = apiClient(service.address, (await service.newKey()).key)
  const firstFor = async (query: string): Promise<unknown> => {
    const { body } = await call('POST', '/v1/memories/search', { json: { query, threshold: 0 } })
    return body
  }
  for (const content of ['north', 'east', 'up']) {
    await call('POST', '/v1/memories', { json: { content, userId: 'u' } })
  }
  const reembed = (...args: string[]) => cli?.run(['reembed', ...args]) ?? Promise.reject()

  const plan = await reembed('--dry-run', '--model', b)
  expect(plan.stderr).toContain('3 of 3 memories would be embedded, from tiny-a')
  const status = await reembed('--status')
  expect(status).toMatchObject({ status: 0, stderr: '' })
  expect(status.stdout).toBe(`model: tiny-a (4 dimensions, pieces version ${PIECES_VERSION})\n`)

  const moved = await reembed('--model', b)
  expect(moved).toMatchObject({ status: 0, stdout: '' })
  expect(moved.stderr).toMatch(
    /^3 of 3 memories \(100 %\).*\n.* are in use.*\nThe store uses tiny-b .* now\./m,
  )
  expect(await firstFor('east')).toMatchObject({ results: [{ content: 'east' }, {}, {}] })
  expect((await reembed('--model', b)).stderr).toContain('uses tiny-b (4 dimensions')
  expect((await reembed('--model', b, '--restart')).stderr).toContain('The store uses tiny-b')
  expect(await firstFor('up')).toMatchObject({ results: [{ content: 'up' }, {}, {}] })
  expect(await service.service.store.generations.current()).toMatchObject({ number: 3 })
  await service.stop()

  const wrong = serviceIn(directory, { MNEMOGRAPH_MODEL_DIR: a })
  await expect(wrong).rejects.toBeInstanceOf(StoreRefusal)
  // Without a server too.
  expect(await reembed('--model', a)).toMatchObject({ status: 0 })
  // It ends before the folder of the commands goes.
  await using again = await serviceIn(directory, {})
  expect(again.service.model.isReady()).toBe(true)
  expect(await again.service.store.generations.current()).toMatchObject({ id: 'tiny-a' })
}, 90_000)

const said = (text: string) => expect.objectContaining({ stderr: expect.stringContaining(text) })

/** Fills a folder with a store of the one model with a memory, and leaves no service. */
async function fill(directory: string, folder: string): Promise<void> {
  const service = await serviceIn(directory, { MNEMOGRAPH_MODEL_DIR: folder })
  const call = apiClient(service.address, (await service.newKey()).key)
  await call('POST', '/v1/memories', { json: { content: 'north', userId: 'u' } })
  await service.stop()
}

let model: TinyFolder
let filled: CommandLine
beforeAll(async () => {
  model = tinyModelFolder({ manifest: { id: 'tiny-a' } })
  filled = commandLine()
  await fill(filled.directory, model.path)
})
afterAll(() => {
  filled?.[Symbol.dispose]()
  model?.[Symbol.dispose]()
})

/** A copy of a store of the model `tiny-a`, which no test changes. */
function filledStore(): CommandLine {
  const cli = commandLine()
  onTestFinished(() => cli[Symbol.dispose]())
  cpSync(filled.directory, cli.directory, { recursive: true })
  return cli
}

describe('without words and settings of a model', () => {
  const [A, B] = ['tiny-a', 'tiny-b']

  test('the vectors of the store’s own model are made anew, as the log of a start advises', async () => {
    const { directory, run } = filledStore()
    expect(await run(['reembed'])).toEqual(said(`uses ${A} (4 dimensions`))
    const before = new Database(join(directory, 'mnemograph.db'))
    before.exec('UPDATE generations SET pieces_version = pieces_version - 1')
    before.close()
    const plan = await run(['reembed', '--dry-run'])
    expect(plan).toEqual(said('1 of 1 memories would be embedded, from tiny-a'))
    expect(plan).toEqual(said(`to ${A} (4 dimensions, pieces version ${PIECES_VERSION})`))
    expect(await run(['reembed'])).toEqual(said(`The store uses ${A} (4 dimensions`))
    expect(await run(['reembed', '--restart'])).toEqual(said(`The store uses ${A} (4 dimensions`))
    expect(await run(['reembed', '--status'])).toMatchObject({
      stdout: `model: ${A} (4 dimensions, pieces version ${PIECES_VERSION})\n`,
    })
  }, 60_000)

  test('an unfinished move goes on', async () => {
    const { directory, run } = filledStore()
    const mover = openSqliteReembedding(directory)
    const source = { kind: 'local' as const, folder: modelFolder(B) }
    await mover.begin({ id: B, dimension: 4, piecesVersion: PIECES_VERSION, source })
    await mover.close()
    expect(await run(['reembed'])).toEqual(said(`The store uses ${B} (4 dimensions`))
  }, 60_000)

  test('a plan to begin anew counts what is embedded already, and a status tells of old vectors', async () => {
    const { directory, run } = filledStore()
    const mover = openSqliteReembedding(directory)
    onTestFinished(() => mover.close())
    const source = { kind: 'local' as const, folder: modelFolder(B) }
    await mover.begin({ id: B, dimension: 4, piecesVersion: PIECES_VERSION, source })
    const pieces = [
      {
        start: 0,
        end: 5,
        vector: Float32Array.of(1, 0, 0, 0),
        commonness: undefined,
        sentences: [],
      },
    ]
    const missing = await mover.missing({ memoriesMax: 1, charactersMax: 1 })
    await mover.add(missing.map(({ ref }) => ({ ref, pieces })))
    const anew = await run(['reembed', '--dry-run', '--restart'])
    expect(anew).toEqual(said('1 of 1 memories would be embedded'))
    await mover.switchOver({ restMax: 0, waitMsMax: 1_000, embed: async () => pieces })
    const { stdout } = await run(['reembed', '--status'])
    expect(stdout).toMatch(/^model: tiny-b .*\nold vectors are still to be removed: .*\n$/)
  }, 60_000)

  test('an unfinished move of another version is told from one that can be finished', async () => {
    const { directory, run } = filledStore()
    const mover = openSqliteReembedding(directory)
    const source = { kind: 'local' as const, folder: modelFolder(B) }
    await mover.begin({ id: B, dimension: 4, piecesVersion: PIECES_VERSION - 1, source })
    await mover.close()
    const refused = await run(['reembed'])
    expect(refused).toMatchObject({ status: 1 })
    expect(refused).toEqual(
      said('another version of this software began. This one cannot finish it.'),
    )
    expect(await run(['reembed', '--dry-run'])).toEqual(said('Give it up by adding --restart'))
    expect(await run(['reembed', '--restart'])).toEqual(said(`The store uses ${B} (4 dimensions`))
  }, 60_000)

  test('a setting for the bundled model insists on it', async () => {
    const { run } = filledStore()
    const plan = await run(['reembed', '--dry-run'], { MNEMOGRAPH_EMBEDDER: 'local' })
    expect(plan).toEqual(said(`to ${bundledModelId()} (384 dimensions`))
  }, 60_000)

  test('a folder that was moved is asked for', async () => {
    const folder = modelFolder(A)
    using cli = commandLine()
    const { directory, run } = cli
    await fill(directory, folder)
    const moved = `${folder}-moved`
    renameSync(folder, moved)
    onTestFinished(() => rmSync(moved, { recursive: true }))
    const refused = await run(['reembed'])
    expect(refused).toMatchObject({ status: 1 })
    expect(refused).toEqual(said(`the model ${A}, which the store remembers in ${folder}`))
    expect(refused).toEqual(said('MNEMOGRAPH_MODEL_DIR'))
    expect(await run(['serve'])).toMatchObject({ status: 1, stderr: refused.stderr })
    const found = await run(['reembed'], { MNEMOGRAPH_MODEL_DIR: moved })
    expect(found).toEqual(said(`uses ${A} (4 dimensions`))
  }, 60_000)
})

describe('a move to a service', () => {
  let server: EmbeddingsServer
  beforeEach(async () => {
    server = await startEmbeddingsServer()
  })
  afterEach(() => server.close())

  const settings = (): Record<string, string> => ({
    ...settingsToReach(server),
    MNEMOGRAPH_EMBEDDING_KEY: 'sk-secret',
  })

  test('that refuses a text ends with the reason and the memory, and neither text nor key', async () => {
    const { run } = filledStore()
    server.misbehave(({ texts }, response) =>
      texts.includes('north') ? answer(response, 400, { error: 'north sk-secret' }) : false,
    )
    const { status, stderr } = await run(['reembed'], settings())
    expect(status).toBe(1)
    expect(stderr).toMatch(/failed on the memory \S+\. The embedding service answered 400\./)
    expect(stderr).not.toMatch(/north|sk-secret/)
    expect(server.asked).toHaveLength(2)
  }, 60_000)

  test('that hangs is stopped at once', async () => {
    const { start } = filledStore()
    const hanging = Promise.withResolvers<void>()
    server.misbehave(({ texts }) => {
      const isOfMemory = texts.includes('north')
      if (isOfMemory) hanging.resolve()
      return isOfMemory
    })
    const moving = start(['reembed'], settings())
    await hanging.promise
    const stoppedAtMs = performance.now()
    moving.child.kill('SIGINT')
    expect(await moving.ended()).toEqual(said('Stopped. What is done is kept'))
    // A try alone has ten seconds.
    expect(performance.now() - stoppedAtMs).toBeLessThan(5_000)
  }, 60_000)
})

test('a folder without a store is refused, and not made', async () => {
  using cli = commandLine()
  const missing = join(cli.directory, 'missing')
  const { status, stderr } = await cli.run(['reembed'], { MNEMOGRAPH_DATA_DIR: missing })
  expect([status, existsSync(missing)]).toEqual([1, false])
  expect(stderr).toContain(`There is no store in ${missing}`)
})

test('a store without vectors has nothing to be moved', async () => {
  using cli = commandLine()
  await cli.run(['keys', 'create', '--name', 'first'])
  const { status, stderr } = await cli.run(['reembed', '--model', modelFolder('tiny-a')])
  expect(status).toBe(1)
  expect(stderr).toContain('has no vectors yet')
})

test.each([['--dry-run'], ['--restart'], ['--model', 'folder']])(
  'what makes no sense together is bad usage: --status and %s',
  async (...others) => {
    using cli = commandLine()
    expect(await cli.run(['reembed', ...others, '--status'])).toMatchObject({ status: 2 })
  },
)
