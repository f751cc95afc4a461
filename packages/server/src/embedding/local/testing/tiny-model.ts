// A folder with a model for tests, some hundred bytes in all. The model looks up a row of numbers for
// every token, and each word is one token, so that a test knows a vector before it is made.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type TinyGraph, tinyOnnx } from './tiny-onnx.ts'

/** Each word has numbers of its own; unknown words and marks have the last row. */
const ROWS: Readonly<Record<string, readonly number[]>> = {
  '[PAD]': [0, 0, 0, 0],
  '[CLS]': [0.5, 0.5, 0.5, 0.5],
  '[SEP]': [0, 0, 0, 2],
  north: [1, 0, 0, 0],
  east: [0, 1, 0, 0],
  up: [0, 0, 1, 0],
  ask: [3, 0, 0, 0],
  tell: [0, 3, 0, 0],
  broken: [Number.NaN, 0, 0, 0],
  '[UNK]': [0, 0, 0, 1],
}
const VOCABULARY = Object.keys(ROWS)
export const TINY_DIMENSION = 4

export type TinyModel = {
  /** Other numbers for some words. */
  rows?: Record<string, number[]>
  graph?: TinyGraph
  /** Written into the manifest, over what it says otherwise; undefined leaves a field out. */
  manifest?: Record<string, unknown>
}

export type TinyFolder = { path: string; folder: URL; [Symbol.dispose](): void }

/** A folder with the model, its tokenizer and its manifest. */
export function tinyModelFolder(options: TinyModel = {}): TinyFolder {
  const path = mkdtempSync(join(tmpdir(), 'mnemograph-tiny-model-'))
  const manifest = {
    id: 'tiny',
    model: 'model.onnx',
    tokenizer: 'tokenizer.json',
    dimension: TINY_DIMENSION,
    maxTokens: 64,
    pooling: 'mean',
    ...options.manifest,
  }
  writeFileSync(
    join(path, 'model.onnx'),
    tinyOnnx(
      VOCABULARY.map((word) => options.rows?.[word] ?? ROWS[word] ?? []),
      options.graph,
    ),
  )
  writeFileSync(join(path, 'tokenizer.json'), JSON.stringify(TOKENIZER))
  writeFileSync(join(path, 'manifest.json'), JSON.stringify(manifest))
  return {
    path,
    folder: pathToFileURL(`${path}/`),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

const special = (content: string) => ({
  id: VOCABULARY.indexOf(content),
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
})

const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(special),
  normalizer: { type: 'BertNormalizer', lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [VOCABULARY.indexOf('[CLS]')], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [VOCABULARY.indexOf('[SEP]')], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##' },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(VOCABULARY.map((word, id) => [word, id])),
  },
}
