// Proves at start that the service gives vectors of the configured dimension, and otherwise tells
// the person who starts the server which setting to look at.
import { EmbedderRefusal } from '../embedder.ts'
import { type EmbedTexts, type EndpointOptions, embeddingsEndpoint } from './embeddings-endpoint.ts'
import { EndpointError, WrongDimension } from './endpoint-error.ts'
import { faultIn } from './fault.ts'

/** Nobody who is trusted has signed it. Names and dates of others are for the service to mend. */
const NOT_TRUSTED = /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/
const TOO_LATE = /timeout|timedout/i

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
    const failure: unknown = await probe(requesting).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (failure === undefined) return requesting
    // Whether the model can give it is not known when the service was only busy.
    throw refusalFor(options, isTransient(failure) ? failure : error)
  }
}

const isTransient = (error: unknown): boolean => error instanceof EndpointError && error.isTransient

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
  if (status === 429) return 'is busy, or its quota is used up (429): start again later.'
  if (status !== undefined && isTransient(error)) {
    return (
      `does not work at the moment (${status}): start again later, and if that does not help, check ` +
      `MNEMOGRAPH_EMBEDDING_URL and MNEMOGRAPH_EMBEDDING_MODEL (${model}).`
    )
  }
  if (status !== undefined) {
    return (
      `answers ${status} to a first text: check MNEMOGRAPH_EMBEDDING_URL and ` +
      `MNEMOGRAPH_EMBEDDING_MODEL (${model}).`
    )
  }
  if (error instanceof EndpointError && !isTransient(error)) {
    return 'does not speak the OpenAI protocol for embeddings: check MNEMOGRAPH_EMBEDDING_URL.'
  }
  return noAnswer(faultIn(error) ?? 'no answer')
}

function noAnswer(fault: string): string {
  if (NOT_TRUSTED.test(fault)) {
    return (
      `has a certificate that is not trusted (${fault}): name the file with the certificates of its ` +
      'authority with NODE_EXTRA_CA_CERTS, or check MNEMOGRAPH_EMBEDDING_URL.'
    )
  }
  const reached = `cannot be reached (${fault}): check MNEMOGRAPH_EMBEDDING_URL`
  if (!TOO_LATE.test(fault)) return `${reached}.`
  return `${reached}, or set MNEMOGRAPH_EMBEDDING_TIMEOUT_MS higher if the service is slow.`
}
