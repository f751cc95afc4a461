// Between the settings and what a store remembers of its model. The store never holds a secret: the
// key of a remote model, and the query of its address, which may hold one, stay in the settings.
import type { Config } from './config.ts'
import type { Embedder } from './embedding/embedder.ts'
import type { EmbedderConfig } from './embedding/embedder-config.ts'
import { PIECES_VERSION } from './embedding/pieces-version.ts'
import type { ModelSource, VectorModel } from './storage/generation.ts'

export function sourceOf(config: EmbedderConfig): ModelSource {
  if (config.kind === 'openai') {
    return { kind: 'openai', baseUrl: withoutQuery(config.baseUrl), model: config.model }
  }
  const { modelDirectory } = config
  if (modelDirectory === undefined) return { kind: 'bundled' }
  return { kind: 'local', folder: modelDirectory }
}

/** What a generation made by this embedder remembers. */
export const vectorModel = (
  { model: { id, dimension } }: Embedder,
  source: ModelSource | undefined,
): VectorModel => ({ id, dimension, piecesVersion: PIECES_VERSION, source })

/** How to open the model of a store here. A key and a calibration are for the service that is configured. */
export function configOf(
  source: ModelSource,
  dimension: number,
  { embedder: configured, embedding }: Pick<Config, 'embedder' | 'embedding'>,
): EmbedderConfig {
  if (source.kind !== 'openai') {
    const modelDirectory = source.kind === 'local' ? source.folder : undefined
    return { kind: 'local', workers: embedding.workers, modelDirectory }
  }
  const { apiKey, calibrationFile, timeoutMs, retries } = embedding
  const remote = configured?.kind === 'openai' ? configured : undefined
  const isSameAddress = remote !== undefined && withoutQuery(remote.baseUrl) === source.baseUrl
  const isSameModel = isSameAddress && remote.model === source.model
  return {
    kind: 'openai',
    baseUrl: isSameAddress ? remote.baseUrl : source.baseUrl,
    // A key that was given for one address is not sent to another.
    apiKey: remote === undefined || isSameAddress ? apiKey : undefined,
    model: source.model,
    dimension,
    // It was fitted to one model.
    calibrationFile: remote === undefined || isSameModel ? calibrationFile : undefined,
    timeoutMs,
    retries,
  }
}

function withoutQuery(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname}`
}
