// Describes a model's folder: which files, which shape. Everything that a local model needs.
import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { EmbedderRefusal } from '../embedder.ts'

const Manifest = Type.Object({
  id: Type.String({ minLength: 1 }),
  /** The ONNX file, relative to the folder. */
  model: Type.String({ minLength: 1 }),
  /** The tokenizer.json, relative to the folder. */
  tokenizer: Type.String({ minLength: 1 }),
  dimension: Type.Integer({ minimum: 1 }),
  maxTokens: Type.Integer({ minimum: 16 }),
  pooling: Type.Literal('cls'),
})
export type Manifest = Static<typeof Manifest>

export function readManifest(folder: URL): Manifest {
  try {
    return Value.Parse(Manifest, JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')))
  } catch (error) {
    throw new EmbedderRefusal(
      `The model folder ${folder.pathname} has no valid manifest.json.`,
      error,
    )
  }
}
