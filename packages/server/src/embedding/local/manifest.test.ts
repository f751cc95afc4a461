// A manifest is read as it is written, or refused with the field and what is allowed: a mistake in one would
// only show as bad results, months later.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { afterAll, describe, expect, test } from 'vitest'
import { EmbedderRefusal } from '../embedder.ts'
import { calibrationOfBundledModel } from '../model-calibration.ts'
import { readManifest } from './manifest.ts'

const path = mkdtempSync(join(tmpdir(), 'mnemograph-manifest-'))
afterAll(() => rmSync(path, { recursive: true, force: true }))

const LEAST = {
  id: 'some/model-1.5_q',
  model: 'model.onnx',
  tokenizer: 'tokenizer.json',
  dimension: 384,
  maxTokens: 512,
}

const withScripts = (scripts: unknown) => ({ ...calibrationOfBundledModel(), scripts })
const withCosine = (cosine: object) => ({ ...calibrationOfBundledModel(), cosine })
const withAsking = (changed: object) => {
  const calibration = calibrationOfBundledModel()
  return { ...calibration, asking: { ...calibration.asking, ...changed } }
}

function readWith(content: unknown, options: { isCalibrated?: boolean }) {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(path, 'manifest.json'), text)
  return readManifest(pathToFileURL(`${path}/`), options)
}

const read = (content: unknown) => readWith(content, {})

function refusalOf(content: unknown): string {
  try {
    read(content)
  } catch (error) {
    if (error instanceof EmbedderRefusal) return error.message
    throw error
  }
  throw new Error('The manifest was not refused.')
}

describe('a manifest', () => {
  test('of the least fields is enough, and is given a size of pieces and the bundled model’s calibration', () => {
    expect(read(LEAST)).toEqual({
      ...LEAST,
      pieces: { tokensMax: 128, overlapTokens: 32 },
      calibration: calibrationOfBundledModel(),
    })
  })

  test('with every field is read as it is', () => {
    const full = {
      ...LEAST,
      origin: 'somebody/model',
      license: 'MIT',
      sha256: { 'model.onnx': 'a'.repeat(64), 'model.onnx_data': '0'.repeat(64) },
      pooling: 'mean',
      output: 'last_hidden_state',
      queryPrefix: 'query: ',
      passagePrefix: '',
      pieces: { tokensMax: 64, overlapTokens: 32 },
      reference: 'reference.bin',
      calibration: withCosine({ scale: 2.3, offset: -1.2 }),
    }
    expect(read(full)).toEqual(full)
  })

  test.each([
    ['outdated', { calibration: { version: 1, scale: 2 }, reference: 'gone.bin' }],
    ['nonsense', { calibration: 'good', reference: 7 }],
  ])('is read without its calibration where that is made anew, also when it is %s', (_, fields) => {
    const manifest = readWith({ ...LEAST, ...fields }, { isCalibrated: false })
    expect(manifest).toEqual(read(LEAST))
    expect(() => read({ ...LEAST, ...fields })).toThrow(EmbedderRefusal)
  })

  test('of the bundled model is one', () => {
    expect(readManifest(modelFolder)).toMatchObject({ pooling: 'cls', dimension: 384 })
  })
})

describe('a manifest is refused', () => {
  test.each([
    ['id', '', 'letters, digits'],
    ['id', 'openai:some-model', 'letters, digits'],
    ['id', undefined, 'letters, digits'],
    ['model', '', 'the ONNX file'],
    ['tokenizer', 7, 'tokenizer.json'],
    ['dimension', 0, 'a whole number from 1 to 8192'],
    ['dimension', '384', 'a whole number from 1 to 8192'],
    ['dimension', undefined, 'a whole number from 1 to 8192'],
    ['maxTokens', 15, 'a whole number from 16'],
    ['pooling', 'max', 'one of: cls, mean, last'],
    ['queryPrefix', null, 'a text'],
    ['passagePrefix', 'x'.repeat(1_001), 'at most 1000 characters'],
    ['output', '', 'outputs'],
    ['sha256', 'abc', 'an object'],
    ['sha256.model.onnx', { 'model.onnx': 'A'.repeat(64) }, '64 hexadecimal digits'],
    ['pieces.tokensMax', { tokensMax: 7.5, overlapTokens: 0 }, 'a whole number from 8'],
    ['pieces.overlapTokens', { tokensMax: 64 }, 'from 0 to half'],
    ['pieces.overlapTokens', { tokensMax: 64, overlapTokens: 33 }, 'from 0 to half'],
    ['pieces.size', { tokensMax: 64, overlapTokens: 32, size: 1 }, 'is not a field'],
    ['calibration', 'good', 'mnemograph calibrate'],
    ['calibration.version', { version: 1, scale: 1, offset: 0 }, 'run `mnemograph calibrate`'],
    ['calibration.cosine.scale', withCosine({ scale: -1, offset: 0 }), 'from 0.01 to 100'],
    ['calibration.cosine.offset', withCosine({ scale: 1 }), 'a number from -100 to 100'],
    ['calibration.asking.names', withAsking({ names: -0.1 }), 'mnemograph calibrate'],
    ['calibration.scripts', withScripts('Greek'), 'some of Arabic, Cyrillic'],
    ['calibration.scripts.Greek', withScripts({ Greek: 1.1 }), 'a number from 0 to 1'],
    ['calibration.scripts.Klingon', withScripts({ Klingon: 0.1 }), 'is not a field'],
    ['reference', '', '`mnemograph calibrate` writes'],
    ['querryPrefix', 'query: ', 'known are: id, '],
  ])('for %s=%j, and told what is allowed', (field, value, allowed) => {
    const [name = ''] = field.split('.')
    const message = refusalOf({ ...LEAST, [name]: value })
    expect(message).toContain(`"${field}"`)
    expect(message).toContain(allowed)
    expect(message).toContain(join(path, 'manifest.json'))
  })

  test.each([
    ['{"id":', 'is not JSON'],
    ['[]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
  ])('for being %s', (content, complaint) => {
    expect(refusalOf(content)).toContain(complaint)
  })

  test('for not being there, with a text that names the file', () => {
    const missing = pathToFileURL('/nonexistent/model/')
    expect(() => readManifest(missing)).toThrow(EmbedderRefusal)
    expect(() => readManifest(missing)).toThrow('/nonexistent/model/manifest.json')
  })
})
