// Models in a folder of their own, seen through the embedder: what a manifest says is what happens.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { afterEach, describe, expect, test } from 'vitest'
import { randomNumbers } from '../../testing/random-numbers.ts'
import { describeEmbedder } from '../embedder.suite.ts'
import { type Embedder, EmbedderRefusal, EmbedderUnavailable } from '../embedder.ts'
import { openLocalEmbedder } from './local-embedder.ts'
import {
  TINY_DIMENSION,
  type TinyFolder,
  type TinyModel,
  tinyModelFolder,
} from './testing/tiny-model.ts'
import { tinyOnnx } from './testing/tiny-onnx.ts'

const opened: Embedder[] = []
const folders: TinyFolder[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((embedder) => embedder.close()))
  for (const folder of folders.splice(0)) folder[Symbol.dispose]()
})

function folderWith(model: TinyModel): TinyFolder {
  const folder = tinyModelFolder(model)
  folders.push(folder)
  return folder
}

async function openFolder({ folder }: TinyFolder): Promise<Embedder> {
  const embedder = await openLocalEmbedder({ folder, workers: 1 })
  opened.push(embedder)
  return embedder
}

const open = (model: TinyModel = {}): Promise<Embedder> => openFolder(folderWith(model))

async function refusalOf(opening: Promise<Embedder>): Promise<string> {
  const error: unknown = await opening.catch((thrown: unknown) => thrown)
  if (error instanceof EmbedderRefusal) return error.message
  throw new Error('The model was not refused.')
}

const passage = async (embedder: Embedder, text: string): Promise<number[]> =>
  (await embedder.embedMemory(text)).flatMap(({ vector }) => [...vector])
const query = async (embedder: Embedder, text: string): Promise<number[]> =>
  (await embedder.embedQuery(text)).flatMap(({ vector }) => [...vector])

/** Of the rows of the tiny model's tokens. */
function unit(...values: number[]): unknown[] {
  const length = Math.hypot(...values)
  return values.map((value) => expect.closeTo(value / length, 6))
}

/** The bundled model's files under another manifest. */
function bundledFilesWith(manifest: Record<string, unknown>): TinyFolder {
  const folder = folderWith({ manifest: { dimension: 384, maxTokens: 512, ...manifest } })
  for (const name of readdirSync(modelFolder)) {
    if (name === 'manifest.json') continue
    copyFileSync(new URL(name, modelFolder), join(folder.path, name))
  }
  return folder
}

/** The bundled model's tokenizer without its layers, whose work would be nearly all of the time. */
function bundledTokenizerWith(manifest: Record<string, unknown>): TinyFolder {
  const folder = folderWith({ manifest: { maxTokens: 512, ...manifest } })
  const tokenizer = readFileSync(new URL('tokenizer.json', modelFolder), 'utf8')
  writeFileSync(join(folder.path, 'tokenizer.json'), tokenizer)
  const random = randomNumbers(1)
  const rows = Object.keys(JSON.parse(tokenizer).model.vocab).map(() =>
    Array.from({ length: TINY_DIMENSION }, random),
  )
  writeFileSync(join(folder.path, 'model.onnx'), tinyOnnx(rows))
  return folder
}

describeEmbedder('local, with mean pooling and small pieces,', async () => {
  const pieces = { tokensMax: 48, overlapTokens: 16 }
  const { folder } = bundledTokenizerWith({ pooling: 'mean', pieces })
  return openLocalEmbedder({ folder, workers: 2 })
})

describe('pooling', () => {
  // [CLS] north east [SEP]
  test.each([
    ['cls', unit(0.5, 0.5, 0.5, 0.5)],
    ['last', unit(0, 0, 0, 2)],
    ['mean', unit(1.5, 1.5, 0.5, 2.5)],
  ])('by %s takes what it is named after', async (pooling, expected) => {
    expect(await passage(await open({ manifest: { pooling } }), 'north east')).toEqual(expected)
  })

  test('is the model’s own when it gives one vector for the text', async () => {
    const graph = { output: 'pooled' } as const
    const embedder = await open({ graph, manifest: { pooling: undefined } })
    expect(await passage(embedder, 'north east')).toEqual(unit(1.5, 1.5, 0.5, 2.5))
  })
})

describe('prefixes', () => {
  const prefixes = { queryPrefix: 'ask ', passagePrefix: 'tell ' }

  test('tell a query from a passage', async () => {
    const embedder = await open({ manifest: prefixes })
    expect(await query(embedder, 'up')).toEqual(unit(3.5, 0.5, 1.5, 2.5))
    expect(await passage(embedder, 'up')).toEqual(unit(0.5, 3.5, 1.5, 2.5))
  })

  test('stand before every piece', async () => {
    // Two sentences of three words and a mark fill a piece.
    const manifest = { ...prefixes, pieces: { tokensMax: 8, overlapTokens: 0 } }
    const embedder = await open({ manifest })
    const text = 'Up up up. '.repeat(6)
    const pieces = await embedder.embedMemory(text)
    expect(pieces.map(({ vector }) => [...vector])).toEqual(Array(3).fill(unit(0.5, 3.5, 6.5, 4.5)))
    const queries = await embedder.embedQuery(text)
    expect(queries.map(({ vector }) => [...vector])).toEqual(
      Array(3).fill(unit(3.5, 0.5, 6.5, 4.5)),
    )
  })

  test('stand before what is read in the first person', async () => {
    const embedder = await openFolder(bundledFilesWith({ id: 'bge-prefixed', ...prefixes }))
    const texts = ['User lives in Lisbon', 'I lives in Lisbon'] as const
    expect(await passage(embedder, texts[0])).toEqual(await passage(embedder, texts[1]))
    expect(await query(embedder, texts[0])).toEqual(await query(embedder, texts[1]))
  })

  test('and special tokens count against what the model reads, and nothing of the text is lost', async () => {
    // 16 less five of the prefix and two special ones leave one sentence of five tokens, not two.
    const manifest = { passagePrefix: 'tell '.repeat(5), maxTokens: 16 }
    const embedder = await open({ manifest })
    const content = 'North north north north. '.repeat(6)
    const pieces = await embedder.embedMemory(content)
    expect(pieces[0]?.start).toBe(0)
    expect(pieces.at(-1)?.end).toBe(content.length)
    for (const { vector } of pieces) expect([...vector]).toEqual(unit(4.5, 15.5, 0.5, 3.5))
  })

  test('that leave no room for a text are refused', async () => {
    const message = await refusalOf(
      open({ manifest: { queryPrefix: 'ask '.repeat(10), maxTokens: 16 } }),
    )
    expect(message).toContain('queryPrefix')
  })
})

/** A row for each position: those of eight tokens and the two around them. */
const TEN_POSITIONS = {
  graph: { inputs: ['position_ids'] },
  rows: { broken: [0, 0, 0, 1] },
}

describe('a model', () => {
  test('is given the inputs that it names', async () => {
    const graph = { inputs: ['position_ids', 'attention_mask'] }
    const manifest = { pieces: { tokensMax: 8, overlapTokens: 0 } }
    const embedder = await open({ ...TEN_POSITIONS, graph, manifest })
    // The rows at 0, 1, 2, whatever the text says.
    expect(await passage(embedder, 'up')).toEqual(unit(0.5, 0.5, 0.5, 2.5))
  })

  test('that reads less than a piece may have is refused at start', async () => {
    const refused = (manifest: Record<string, unknown>) =>
      refusalOf(open({ ...TEN_POSITIONS, manifest }))
    const pieces = { tokensMax: 9, overlapTokens: 0 }
    expect(await refused({ pieces })).toMatch(/fails on a text of 11 tokens.*"maxTokens".*"pieces"/)
    // What its prefix takes belongs to what is read.
    const prefixed = { passagePrefix: 'tell ', pieces: { ...pieces, tokensMax: 8 } }
    expect(await refused(prefixed)).toContain('11 tokens')
    expect(await refused({ maxTokens: 16 })).toContain('16 tokens')
  })

  test('that wants something unknown is refused', async () => {
    const message = await refusalOf(open({ graph: { inputs: ['input_ids', 'pixel_values'] } }))
    expect(message).toContain('"pixel_values"')
    expect(message).toContain('input_ids')
  })

  test.each<[string, TinyModel, string]>([
    ['of another dimension', { manifest: { dimension: 5 } }, '4 dimensions, but "dimension" is 5'],
    ['without the output', { manifest: { output: 'pooler' } }, 'last_hidden_state'],
    ['without a pooling that it needs', { manifest: { pooling: undefined } }, '"pooling"'],
    ['that gives NaN', { rows: { '[CLS]': [Number.NaN, 0, 0, 0] } }, 'without direction'],
  ])('%s is refused at start', async (_, model, complaint) => {
    expect(await refusalOf(open(model))).toContain(complaint)
  })
})

describe('the files of a model', () => {
  test.each(['model.onnx', 'tokenizer.json'])('%s is named when it is missing', async (name) => {
    const folder = folderWith({})
    rmSync(join(folder.path, name))
    expect(await refusalOf(openFolder(folder))).toContain(join(folder.path, name))
  })

  test.each(['model.onnx', 'tokenizer.json'])('%s is named when it is cut short', async (name) => {
    const folder = folderWith({})
    truncateSync(join(folder.path, name), 100)
    expect(await refusalOf(openFolder(folder))).toContain(join(folder.path, name))
  })

  test.each(['null', '{}', '{"model":null}'])(
    'tokenizer.json is named when it is %s',
    async (text) => {
      const folder = folderWith({})
      writeFileSync(join(folder.path, 'tokenizer.json'), text)
      expect(await refusalOf(openFolder(folder))).toContain(join(folder.path, 'tokenizer.json'))
    },
  )

  test('are taken with the right checksum and refused with another', async () => {
    const sha256 = createHash('sha256')
    const folder = folderWith({})
    const file = join(folder.path, 'model.onnx')
    const manifestFile = join(folder.path, 'manifest.json')
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
    const checksum = sha256.update(readFileSync(file)).digest('hex')
    writeFileSync(manifestFile, JSON.stringify({ ...manifest, sha256: { 'model.onnx': checksum } }))
    await openFolder(folder)
    const other = '0'.repeat(64)
    writeFileSync(manifestFile, JSON.stringify({ ...manifest, sha256: { 'model.onnx': other } }))
    const message = await refusalOf(openFolder(folder))
    expect(message).toContain(file)
    expect(message).toContain('"sha256"')
  })

  test('are compared also where only the checksums name them, such as weights beside the graph', async () => {
    const sha256 = { 'model.onnx_data': '0'.repeat(64) }
    const folder = folderWith({ manifest: { sha256 } })
    const file = join(folder.path, 'model.onnx_data')
    expect(await refusalOf(openFolder(folder))).toContain(`There is no file ${file}`)
    writeFileSync(file, 'weights')
    expect(await refusalOf(openFolder(folder))).toContain(`${file} has the checksum`)
  })
})

describe('a vector that means nothing', () => {
  const zeros = [0, 0, 0, 0]
  test.each<[string, TinyModel, string]>([
    ['of NaN', {}, 'broken'],
    ['of infinity', { rows: { broken: [Number.POSITIVE_INFINITY, 0, 0, 0] } }, 'broken'],
    ['of zeros', { rows: { '[CLS]': zeros, '[SEP]': zeros, up: zeros } }, 'up'],
  ])('%s fails its text, is told without it, and no other text', async (_, model, word) => {
    const embedder = await open({ ...model, manifest: { pooling: 'mean' } })
    for (const failing of [embedder.embedMemory(word), embedder.embedQuery(word)]) {
      await expect(failing).rejects.toBeInstanceOf(EmbedderUnavailable)
      await expect(failing).rejects.toMatchObject({
        cause: { message: expect.stringContaining('without direction') },
      })
    }
    await expect(embedder.embedMemory('north')).resolves.toHaveLength(1)
    expect(embedder.isReady()).toBe(true)
  })
})
