// `mnemograph calibrate` as a person runs it, on a model whose every number is known.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openLocalEmbedder } from '../../embedding/local/local-embedder.ts'
import {
  TINY_DIMENSION,
  type TinyFolder,
  tinyModelFolder,
} from '../../embedding/local/testing/tiny-model.ts'
import {
  calibrationOfBundledModel,
  readCalibrationFile,
} from '../../embedding/model-calibration.ts'
import {
  type EmbeddingsServer,
  settingsToReach,
  startEmbeddingsServer,
} from '../../embedding/openai/testing/embeddings-server.ts'
import { commandLine } from '../../testing/command.ts'

const cli = commandLine()
afterAll(() => cli[Symbol.dispose]())

let model: TinyFolder
let manifestFile: string
beforeEach(() => {
  model = tinyModelFolder({ manifest: { license: 'MIT' } })
  manifestFile = join(model.path, 'manifest.json')
})
afterEach(() => model[Symbol.dispose]())

/** Twenty of each kind: nearly the same words, and words that have nothing in common. */
const PAIRS = Array.from({ length: 20 }, (_, index) => {
  const more = 'up '.repeat(index % 4)
  return `north north ${more}up,north ${more}up up,4.5\nnorth,"east, ${more}east",0.5\nnorth,up,3\n`
}).join('')

function pairsFile(content: string): string {
  const file = join(cli.directory, 'pairs.csv')
  writeFileSync(file, content)
  return file
}

const calibrate = (content: string, args: string[] = [], settings: Record<string, string> = {}) =>
  cli.run(['calibrate', '--pairs', pairsFile(content), ...args], settings)

const manifest = (): Record<string, unknown> => JSON.parse(readFileSync(manifestFile, 'utf8'))

/** The figures before and now. */
function columnsOf(report: string): string[][] {
  const cells = [...report.matchAll(/ {2,}(-?[\d.]+(?: %)?) +(-?[\d.]+(?: %)?)$/gm)]
  expect(cells).toHaveLength(3)
  return [1, 2].map((column) => cells.map((row) => row[column] ?? ''))
}

/** As it is printed. */
function cosineIn(report: string): object {
  const [, scale, sign, offset] = /= ([\d.]+) \* cosine ([+-]) ([\d.]+)/.exec(report) ?? []
  return { cosine: { scale: Number(scale), offset: Number(`${sign}${offset}`) } }
}

describe('a local model', () => {
  test('gets its calibration into its manifest, and nothing else changes', async () => {
    const before = manifest()
    const { status, stdout, stderr } = await calibrate(PAIRS, ['--model', model.path])
    expect({ status, stderr }).toMatchObject({ status: 0 })
    expect(stdout).toMatch(/^model: tiny\ncalibration: similarity = [\d.]+ \* cosine [+-] [\d.]+\n/)
    expect(stdout).toContain('commonness: by the vectors of 2000 words\n')
    expect(stdout).toMatch(/of 60 pairs +not calibrated +calibrated/)
    expect(stdout).toMatch(/Spearman +-?[\d.]+ +-?[\d.]+\n/)
    const { calibration, reference, ...others } = manifest()
    expect(others).toEqual(before)
    const cosine = { scale: expect.any(Number), offset: expect.any(Number) }
    expect(calibration).toEqual({ ...calibrationOfBundledModel(), cosine })
    expect(reference).toBe('reference.bin')
    expect(statSync(join(model.path, 'reference.bin')).size).toBe(2_000 * TINY_DIMENSION)
    expect(readdirSync(model.path).toSorted()).toEqual([
      'manifest.json',
      'model.onnx',
      'reference.bin',
      'tokenizer.json',
    ])
    const [without = [], calibrated = []] = columnsOf(stdout)
    expect(calibrated).not.toEqual(without)
    const again = await calibrate(PAIRS, ['--dry-run'], { MNEMOGRAPH_MODEL_DIR: model.path })
    expect(again.stdout).toBe(stdout)
  })

  test('uses both at its next start', async () => {
    await calibrate(PAIRS, ['--model', model.path])
    const embedder = await openLocalEmbedder({ folder: model.folder, workers: 1 })
    onTestFinished(() => embedder.close())
    expect(embedder.model.calibration).toEqual(manifest()['calibration'])
    expect(await embedder.embedQuery('north')).toMatchObject([{ commonness: expect.any(Number) }])
    expect(await embedder.embedMemory('north')).toMatchObject([{ commonness: expect.any(Number) }])
  })

  test('is calibrated anew when what it has is of another version or broken', async () => {
    const outdated = { calibration: { version: 1, scale: 1, offset: 0 }, reference: 'gone.bin' }
    writeFileSync(manifestFile, JSON.stringify({ ...manifest(), ...outdated }))
    const { status } = await calibrate(PAIRS, ['--model', model.path])
    expect(status).toBe(0)
    expect(manifest()).toMatchObject({ calibration: { version: 3 }, reference: 'reference.bin' })
  })

  test('with a checksum of its reference is calibrated anew, and can be started then', async () => {
    const checksumOf = (name: string): string =>
      createHash('sha256')
        .update(readFileSync(join(model.path, name)))
        .digest('hex')
    await calibrate(PAIRS, ['--model', model.path])
    const names = ['model.onnx', 'reference.bin']
    const sha256 = Object.fromEntries(names.map((name) => [name, checksumOf(name)]))
    writeFileSync(manifestFile, JSON.stringify({ ...manifest(), passagePrefix: 'up ', sha256 }))
    for (let time = 0; time < 2; time += 1) {
      expect(await calibrate(PAIRS, ['--model', model.path])).toMatchObject({ status: 0 })
      expect(checksumOf('reference.bin')).not.toBe(sha256['reference.bin'])
      const embedder = await openLocalEmbedder({ folder: model.folder, workers: 1 })
      await embedder.close()
      // Whatever has come of the file, it is made anew.
      writeFileSync(join(model.path, 'reference.bin'), 'damaged')
    }
    expect(manifest()['sha256']).toMatchObject({ 'model.onnx': sha256['model.onnx'] })
  }, 60_000)

  test('is left alone by a dry run', async () => {
    const before = readFileSync(manifestFile, 'utf8')
    const { status, stdout } = await calibrate(PAIRS, ['--model', model.path, '--dry-run'])
    expect(status).toBe(0)
    expect(stdout).toContain('similarity =')
    expect(readFileSync(manifestFile, 'utf8')).toBe(before)
    expect(readdirSync(model.path)).not.toContain('reference.bin')
  })

  test.each([
    ['too few pairs', 'north,north,5\nnorth,east,0\n', 'there are 1 and 1'],
    ['pairs of one kind', 'north,north,5\n'.repeat(40), 'there are 40 and 0'],
    ['something that is no pair', 'secret words\n', 'Row 1'],
    ['nothing', '', 'there are 0 and 0'],
    ['texts that it takes for the same', `${'up,up,5\nup,up,0\n'.repeat(20)}`, 'as near'],
  ])('refuses %s with status 2 and stays as it is', async (_, content, complaint) => {
    const before = readFileSync(manifestFile, 'utf8')
    const { status, stdout, stderr } = await calibrate(content, ['--model', model.path])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(complaint)
    expect(stderr).not.toMatch(/secret| {4}at /)
    expect(readFileSync(manifestFile, 'utf8')).toBe(before)
  })

  test('is not the bundled one by mistake: all stores share its calibration', async () => {
    const { status, stderr } = await calibrate('too,few,5\n')
    expect(status).toBe(2)
    expect(stderr).toContain('Say with --model')
    // Nothing of it is kept.
    expect((await calibrate('too,few,5\n', ['--dry-run'])).stderr).not.toContain('Say with --model')
  })

  test('refuses --out with status 2', async () => {
    const out = join(cli.directory, 'unused.json')
    const { status, stderr } = await calibrate(PAIRS, ['--model', model.path, '--out', out])
    expect(status).toBe(2)
    expect(stderr).toContain('manifest')
  })

  test('that does not understand one of the texts ends the command without it', async () => {
    const { status, stderr } = await calibrate(`${PAIRS}broken,north,3\n`, ['--model', model.path])
    expect(status).toBe(1)
    expect(stderr).toContain('without direction')
    expect(stderr).not.toMatch(/broken| {4}at /)
    expect(manifest()).not.toHaveProperty('calibration')
  })
})

describe('a service', () => {
  let server: EmbeddingsServer
  beforeEach(async () => {
    server = await startEmbeddingsServer()
  })
  afterEach(() => server.close())

  const settings = () => settingsToReach(server)

  test('gets its calibration into a file that the next start reads', async () => {
    const file = join(cli.directory, 'calibration.json')
    const { status, stdout } = await calibrate(PAIRS, ['--out', file], settings())
    expect(status).toBe(0)
    expect(stdout).toContain('commonness: that of a typical text\n')
    const calibrated = { ...settings(), MNEMOGRAPH_EMBEDDING_CALIBRATION: file }
    expect(readCalibrationFile(file)).toMatchObject(cosineIn(stdout))
    // Nothing of it is needed to make another one.
    writeFileSync(file, '{}')
    expect(await calibrate(PAIRS, ['--dry-run'], calibrated)).toMatchObject({ status: 0, stdout })
  })

  test('needs to be told where to write, before any text is sent', async () => {
    const { status, stderr } = await calibrate(PAIRS, [], settings())
    expect(status).toBe(2)
    expect(stderr).toContain('--out')
    expect(server.asked).toEqual([])
  })

  test('is not asked about any text when there is no such place to write to', async () => {
    const missing = join(cli.directory, 'missing', 'calibration.json')
    for (const out of [missing, cli.directory]) {
      const { status, stderr } = await calibrate(PAIRS, ['--out', out], settings())
      expect(status).toBe(1)
      expect(stderr).toContain(`${out} cannot be written`)
      expect(server.asked).toEqual([])
    }
  })

  test('is not asked about pairs that are too few', async () => {
    const { status } = await calibrate('north,north,5\n', ['--dry-run'], settings())
    expect(status).toBe(2)
    expect(server.asked).toEqual([])
  })
})

test('a file of pairs that is not there is named', async () => {
  const missing = join(cli.directory, 'missing.csv')
  const { status, stderr } = await cli.run(['calibrate', '--dry-run', '--pairs', missing])
  expect(status).toBe(1)
  expect(stderr).toContain(missing)
})
