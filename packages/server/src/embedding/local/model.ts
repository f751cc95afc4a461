// A local model: ONNX runtime and tokenizer. Runs in worker threads, because a run of the model
// blocks its thread for milliseconds. One text a run: the int8 model scales its activations over
// the whole batch, so a batch would make a vector depend on its neighbours.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { toUnitLength } from '../embedder.ts'
import { legible } from './legible.ts'
import { readManifest } from './manifest.ts'

export type Model = {
  /** Tokens of a text, special tokens not counted. */
  countTokens(text: string): number
  embed(text: string): Promise<Float32Array>
}

export async function loadModel(folder: URL): Promise<Model> {
  const manifest = readManifest(folder)
  const tokenizer = new Tokenizer(
    JSON.parse(readFileSync(new URL(manifest.tokenizer, folder), 'utf8')),
    {},
  )
  // One thread a session: more workers use more cores, without fighting over them.
  const session = await InferenceSession.create(fileURLToPath(new URL(manifest.model, folder)), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  })

  return {
    countTokens: (text) =>
      tokenizer.encode(legible(text), { add_special_tokens: false }).ids.length,

    async embed(text) {
      const ids = withinLimit(tokenizer.encode(legible(text)).ids, manifest.maxTokens)
      const outputs = await session.run(inputsFor(session, ids))
      const hidden = outputs[session.outputNames[0] ?? '']?.data
      if (!(hidden instanceof Float32Array)) throw new Error('The model gave no float32 output.')
      // CLS pooling: the first token's state stands for the text.
      return toUnitLength(hidden.slice(0, manifest.dimension))
    },
  }
}

/** Pieces fit; only a single character of very many tokens is cut, and keeps its closing token. */
function withinLimit(ids: number[], maxTokens: number): number[] {
  if (ids.length <= maxTokens) return ids
  return [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)]
}

function inputsFor(session: InferenceSession, ids: number[]): Record<string, Tensor> {
  const shape = [1, ids.length]
  const values: Record<string, BigInt64Array> = {
    input_ids: BigInt64Array.from(ids, BigInt),
    attention_mask: new BigInt64Array(ids.length).fill(1n),
    token_type_ids: new BigInt64Array(ids.length),
  }
  return Object.fromEntries(
    session.inputNames.map((name) => {
      const value = values[name]
      if (value === undefined) throw new Error(`The model wants an unknown input: ${name}.`)
      return [name, new Tensor('int64', value, shape)]
    }),
  )
}
