// A local model: ONNX runtime and tokenizer. Runs in worker threads, because a run of the model
// blocks its thread for milliseconds. One text a run: an int8 model scales its activations over the
// whole batch, so a batch would make a vector depend on its neighbours. It is tried while it is loaded,
// with a short text and one as long as a piece can be, so that a manifest that does not fit its model
// ends the start and not the first request.
// decisions/2026-11-21-model-and-vectors.md
import { InferenceSession } from 'onnxruntime-node'
import { hasUnitLength, toUnitLength } from '../embedder.ts'
import type { Manifest } from './manifest.ts'
import type { ModelFiles } from './model-files.ts'
import { pooled } from './pooling.ts'
import { expectTokenInputs, tokenInputs } from './token-inputs.ts'
import { openTokenReader, type Role, type TokenReader } from './token-reader.ts'

export type ModelEmbedding = { vector: Float32Array; hasUnknown: boolean; isUnread: boolean }

type Model = Pick<TokenReader, 'countTokens' | 'pieceSize'> & {
  /** Rejects when the model gives no vector that means a direction. */
  embed(text: string, role: Role): Promise<ModelEmbedding>
}

const PROBE_TEXT = 'Is anybody there?'

/**
 * Rejects with a text that says what does not fit. Of a model that is known to fit no long text is tried,
 * which takes some ten milliseconds.
 */
export async function loadModel(
  files: ModelFiles,
  manifest: Manifest,
  { isKnownToFit }: { isKnownToFit: boolean },
): Promise<Model> {
  const { dimension, pooling } = manifest
  const reader = openTokenReader(files.tokenizer, manifest)
  // One thread a session: more workers use more cores, without fighting over them.
  const session = await InferenceSession.create(files.model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  })
  expectTokenInputs(session)
  const output = outputOf(session, manifest.output)

  const embed: Model['embed'] = async (text, role) => {
    const ids = reader.idsOf(text, role)
    const hasUnknown = reader.hasUnknown(ids)
    const isUnread = hasUnknown && reader.isUnread(text)
    return { vector: await embedIds(ids), hasUnknown, isUnread }
  }

  async function embedIds(ids: number[]): Promise<Float32Array> {
    const outputs = await session.run(tokenInputs(session, ids), [output])
    const { data, dims } = outputs[output] ?? {}
    if (!(data instanceof Float32Array) || dims === undefined) {
      throw new Error('The model gives something other than float32.')
    }
    const vector = pooled({ data, dims }, pooling)
    if (vector.length !== dimension) {
      throw new Error(
        `The model gives vectors of ${vector.length} dimensions, but "dimension" is ${dimension}.`,
      )
    }
    const unit = toUnitLength(vector)
    if (!hasUnitLength(unit)) throw new Error('The model gave a vector without direction.')
    return unit
  }

  async function expectLongTexts(role: Role): Promise<void> {
    const ids = reader.mostIds(role)
    await embedIds(ids).catch((cause: unknown) => {
      throw new Error(
        `The model fails on a text of ${ids.length} tokens, which "maxTokens" and "pieces" allow: ` +
          'make one of them smaller.',
        { cause },
      )
    })
  }

  await embed(PROBE_TEXT, 'passage')
  if (!isKnownToFit) for (const role of ['passage', 'query'] as const) await expectLongTexts(role)
  return { countTokens: reader.countTokens, pieceSize: reader.pieceSize, embed }
}

function outputOf({ outputNames }: InferenceSession, wanted: string | undefined): string {
  const output = wanted === undefined ? outputNames[0] : wanted
  if (output !== undefined && outputNames.includes(output)) return output
  throw new Error(`The "output" must be one of the model's: ${outputNames.join(', ')}.`)
}
