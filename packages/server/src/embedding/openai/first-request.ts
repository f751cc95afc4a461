// Proves at start that the service gives vectors of the configured dimension, and otherwise tells
// the person who starts the server which setting to look at.
import { EmbedderRefusal } from '../embedder.ts'
import { type EmbedTexts, type EndpointOptions, embeddingsEndpoint } from './embeddings-endpoint.ts'
import { EndpointError, WrongDimension } from './endpoint-error.ts'

export const PROBE_TEXT = 'Is anybody there?'

type ConfiguredEndpoint = Omit<EndpointOptions, 'requestDimension'>
type Probe = (embedTexts: EmbedTexts) => Promise<unknown>

/**
 * The endpoint as it has to be asked: models with a choice of dimensions are asked for ours, which
 * others would refuse. Throws an EmbedderRefusal.
 */
export async function provenEndpoint(
  options: ConfiguredEndpoint,
  probe: Probe,
): Promise<EmbedTexts> {
  const plain = embeddingsEndpoint({ ...options, requestDimension: false })
  try {
    await probe(plain)
    return plain
  } catch (error) {
    if (!(error instanceof WrongDimension)) throw refusalFor(options, error)
    const requesting = embeddingsEndpoint({ ...options, requestDimension: true })
    const isGranted = await probe(requesting).then(
      () => true,
      () => false,
    )
    if (isGranted) return requesting
    throw refusalFor(options, error)
  }
}

function refusalFor(options: ConfiguredEndpoint, error: unknown): EmbedderRefusal {
  // A gateway's query may hold a key.
  const { origin, pathname } = new URL(options.baseUrl)
  return new EmbedderRefusal(
    `The embedding service at ${origin}${pathname} ${complaint(options, error)}`,
    error,
  )
}

function complaint({ model, dimension }: ConfiguredEndpoint, error: unknown): string {
  if (error instanceof WrongDimension) {
    return (
      `gives vectors of ${error.dimension} dimensions for the model ${model}, not ${dimension}: ` +
      `set MNEMOGRAPH_EMBEDDING_DIMENSION=${error.dimension}, or another ` +
      'MNEMOGRAPH_EMBEDDING_MODEL.'
    )
  }
  const status = error instanceof EndpointError ? error.status : undefined
  if (status === 401 || status === 403) {
    return (
      `refuses the key (${status}): set MNEMOGRAPH_EMBEDDING_KEY to a key that may use the model ` +
      `${model}.`
    )
  }
  if (status === 404) {
    return (
      'has no such address or model (404): MNEMOGRAPH_EMBEDDING_URL must be the part before ' +
      `/embeddings, which often ends in /v1, and MNEMOGRAPH_EMBEDDING_MODEL (${model}) a model ` +
      'of the service.'
    )
  }
  if (status !== undefined) {
    return (
      `answers ${status} to a first text: check MNEMOGRAPH_EMBEDDING_URL and ` +
      `MNEMOGRAPH_EMBEDDING_MODEL (${model}).`
    )
  }
  if (error instanceof EndpointError && !error.isTransient) {
    return 'does not speak the OpenAI protocol for embeddings: check MNEMOGRAPH_EMBEDDING_URL.'
  }
  return (
    'cannot be reached: check MNEMOGRAPH_EMBEDDING_URL, or set MNEMOGRAPH_EMBEDDING_TIMEOUT_MS ' +
    'higher if the service is slow.'
  )
}
