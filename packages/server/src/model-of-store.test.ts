// Which model a start uses, and what a person is told when the settings and the store do not agree.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from './config.ts'
import type { Embedder } from './embedding/embedder.ts'
import { tinyModelFolder } from './embedding/local/testing/tiny-model.ts'
import { calibrationOfBundledModel } from './embedding/model-calibration.ts'
import { bundledModelId } from './embedding/open-embedder.ts'
import {
  DIMENSION,
  type EmbeddingsServer,
  startEmbeddingsServer,
} from './embedding/openai/testing/embeddings-server.ts'
import { PIECES_VERSION } from './embedding/pieces-version.ts'
import { openModelAtStart, type StartedModel } from './model-of-store.ts'
import { configOf, sourceOf } from './model-source.ts'
import type { Generation, GenerationStore } from './storage/generation.ts'
import { StoreRefusal } from './storage/store.ts'
import { newFolder } from './testing/new-folder.ts'

const REMOTE = {
  MNEMOGRAPH_EMBEDDER: 'openai',
  MNEMOGRAPH_EMBEDDING_URL: 'https://models.example.com/v1?api-key=secret',
  MNEMOGRAPH_EMBEDDING_KEY: 'sk-secret',
  MNEMOGRAPH_EMBEDDING_MODEL: 'some-model',
  MNEMOGRAPH_EMBEDDING_DIMENSION: '768',
}

const models: Embedder[] = []
vi.mock(import('./embedding/open-embedder.ts'), async (load) => {
  const actual = await load()
  const openEmbedder: typeof actual.openEmbedder = async (config) => {
    const embedder = await actual.openEmbedder(config)
    models.push(embedder)
    return embedder
  }
  return { ...actual, openEmbedder }
})

/** The model that was opened last has no thread any more. */
const expectClosed = (): void => expect(models.at(-1)?.isReady()).toBe(false)

/** A store that has this generation, or none. */
function storeWith(stored?: Omit<Generation, 'number'>): GenerationStore {
  let current: Generation | undefined = stored && { ...stored, number: 1 }
  return {
    current: async () => current,
    adopt: async (model) => {
      current ??= { ...model, number: 1 }
      return current
    },
  }
}

function tinyModel(id: string, dimension?: number) {
  const { path, [Symbol.dispose]: remove } = tinyModelFolder({ manifest: { id } })
  onTestFinished(remove)
  return { id, dimension: dimension ?? 4, source: { kind: 'local' as const, folder: path } }
}

async function opened(settings: Record<string, string>, store: GenerationStore) {
  const config = readConfig({ MNEMOGRAPH_EMBEDDING_WORKERS: '1', ...settings })
  const warned: string[] = []
  const onOtherPieces = ({ id }: Generation) => warned.push(id)
  const model = await openModelAtStart(config, store, { embedder: undefined, onOtherPieces })
  onTestFinished(() => model.embedder.close())
  return { ...model, warned }
}

describe('a start', () => {
  test('of a new store adopts the model that the settings name', async () => {
    const { source } = tinyModel('tiny-a')
    const store = storeWith()
    const { embedder, warned } = await opened({ MNEMOGRAPH_MODEL_DIR: source.folder }, store)
    expect(embedder.model).toMatchObject({ id: 'tiny-a', dimension: 4 })
    expect(await store.current()).toMatchObject({ id: 'tiny-a', source })
    expect(warned).toEqual([])
  })

  test('without settings uses the model of the store, wherever that lies', async () => {
    const stored = { ...tinyModel('tiny-a'), piecesVersion: PIECES_VERSION }
    const { embedder, generation, warned } = await opened({}, storeWith(stored))
    expect([embedder.model.id, generation]).toEqual(['tiny-a', 1])
    expect(warned).toEqual([])
  })

  test.each([
    ['an earlier', PIECES_VERSION - 1],
    ['a later', PIECES_VERSION + 1],
  ])('says of vectors by %s version that they could be made anew', async (_, piecesVersion) => {
    const { warned } = await opened({}, storeWith({ ...tinyModel('tiny-a'), piecesVersion }))
    expect(warned).toEqual(['tiny-a'])
  })

  test('with another model than the store’s is refused with the command to run', async () => {
    const stored = { ...tinyModel('tiny-a'), piecesVersion: 1 }
    const other = tinyModel('tiny-b').source.folder
    const refused = opened({ MNEMOGRAPH_MODEL_DIR: other }, storeWith(stored))
    await expect(refused).rejects.toBeInstanceOf(StoreRefusal)
    await expect(refused).rejects.toThrow(
      /made by the model tiny-a \(4 dimensions\), but this start uses tiny-b \(4\).*`mnemograph reembed`/,
    )
    expectClosed()
  })

  test('of a store that does not know where its model is asks for it', async () => {
    const unknown = { id: 'tiny-a', dimension: 4, piecesVersion: 1, source: undefined }
    await expect(opened({}, storeWith(unknown))).rejects.toThrow(/tiny-a.*MNEMOGRAPH_MODEL_DIR/)
    const { source } = tinyModel('tiny-a')
    await opened({ MNEMOGRAPH_MODEL_DIR: source.folder }, storeWith(unknown))
  })

  test('of a store as old as that finds the bundled model by its name', async () => {
    const stored = { id: bundledModelId(), dimension: 384, piecesVersion: 1, source: undefined }
    const { embedder } = await opened({}, storeWith(stored))
    expect(embedder.model.id).toBe(bundledModelId())
  })
})

test('a folder that holds another model by now is not followed', async () => {
  const { source } = tinyModel('tiny-b')
  const generation = { id: 'tiny-a', dimension: 4, piecesVersion: 1, source, number: 2 }
  const { open } = await opened({}, storeWith({ ...tinyModel('tiny-a'), piecesVersion: 1 }))
  await expect(open(generation)).rejects.toBeInstanceOf(StoreRefusal)
  expectClosed()
})

describe('what the store remembers of a model', () => {
  const configured = readConfig(REMOTE)
  const source = configured.embedder && sourceOf(configured.embedder)

  test('holds no secret', () => {
    expect(source).toEqual({
      kind: 'openai',
      baseUrl: 'https://models.example.com/v1',
      model: 'some-model',
    })
  })

  test('together with the settings is all that opens it', () => {
    if (source === undefined) throw new Error('There is no source.')
    expect(configOf(source, 768, configured)).toEqual(configured.embedder)
    const withKeyAlone = readConfig({ MNEMOGRAPH_EMBEDDING_KEY: 'sk-secret' })
    expect(configOf(source, 768, withKeyAlone)).toMatchObject({ ...source, apiKey: 'sk-secret' })
  })

  test('never has a calibration of another model', () => {
    if (source?.kind !== 'openai') throw new Error('There is no source.')
    const calibrated = { ...REMOTE, MNEMOGRAPH_EMBEDDING_CALIBRATION: '/calibration.json' }
    const fileFor = (model: string) => {
      const config = configOf({ ...source, model }, 768, readConfig(calibrated))
      return config.kind === 'openai' ? config.calibrationFile : 'none'
    }
    expect(fileFor('some-model')).toBe('/calibration.json')
    expect(fileFor('other-model')).toBeUndefined()
  })

  test('never has a key sent to another address than the one it was given for', () => {
    const elsewhere = { kind: 'openai' as const, baseUrl: 'http://127.0.0.1:11434/v1', model: 'm' }
    expect(configOf(elsewhere, 768, configured)).toMatchObject({ apiKey: undefined })
  })
})

describe('a key and a calibration without a service in the settings', () => {
  const FOR_A = { MNEMOGRAPH_EMBEDDING_KEY: 'sk-of-a' }
  let servers: EmbeddingsServer[]
  beforeEach(async () => {
    servers = await Promise.all([startEmbeddingsServer(), startEmbeddingsServer()])
  })
  afterEach(() => Promise.all(servers.map((server) => server.close())))

  const onService = (number: number): Generation => ({
    number,
    id: 'openai:some-model',
    dimension: DIMENSION,
    piecesVersion: 1,
    source: { kind: 'openai', baseUrl: servers[number]?.baseUrl ?? '', model: 'some-model' },
  })
  const keysSeen = () => servers.map(({ asked }) => asked.map(({ authorization }) => authorization))

  async function follow({ open }: StartedModel, number: number) {
    const embedder = await open(onService(number))
    onTestFinished(() => embedder.close())
    return embedder.model.calibration
  }

  test('are for the service that the store names at the start, and for no other', async () => {
    const calibration = { ...calibrationOfBundledModel(), cosine: { scale: 2, offset: 0 } }
    const file = join(newFolder(), 'calibration.json')
    writeFileSync(file, JSON.stringify(calibration))
    const settings = { ...FOR_A, MNEMOGRAPH_EMBEDDING_CALIBRATION: file }
    const started = await opened(settings, storeWith(onService(0)))
    expect(started.embedder.model.calibration).toEqual(calibration)
    expect(await follow(started, 1)).toEqual(calibrationOfBundledModel())
    expect(keysSeen()).toEqual([['Bearer sk-of-a'], [undefined]])
    // It is still its own, when the store comes back.
    expect(await follow(started, 0)).toEqual(calibration)
  })

  test('are for the first service that a store with a local model comes to', async () => {
    const started = await opened(FOR_A, storeWith({ ...tinyModel('tiny-a'), piecesVersion: 1 }))
    await follow(started, 0)
    await follow(started, 1)
    expect(keysSeen()).toEqual([['Bearer sk-of-a'], [undefined]])
  })
})
