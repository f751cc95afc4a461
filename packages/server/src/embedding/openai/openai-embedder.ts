// An embedder over the OpenAI-compatible `/embeddings` protocol. A text goes out in pieces that
// every usual model reads whole, several pieces to a request; requests under way and texts waiting
// are bounded, queries go first. What fails is tried again, and then is an EmbedderUnavailable that
// holds neither a text nor the key. While the service is away nobody waits for it: what comes or waits
// is refused. Whether equal texts get equal vectors is up to the service.
// Sentences are not embedded beside the pieces: a service takes money for every text.
// decisions/2026-11-21-remote-embedder.md
import type { Piece } from '../../retrieval/evidence.ts'
import { Backlog } from '../backlog.ts'
import { type Embedder, EmbedderUnavailable } from '../embedder.ts'
import type { EmbedderConfig } from '../embedder-config.ts'
import { calibrationOfBundledModel, readCalibrationFile } from '../model-calibration.ts'
import { type PieceSize, piecesOf } from '../pieces.ts'
import type { Claim } from '../urgent-first.ts'
import type { EmbedTexts } from './embeddings-endpoint.ts'
import { AnswerTooLate, EndpointError } from './endpoint-error.ts'
import { PROBE_TEXT, provenEndpoint } from './first-request.ts'
import { Health } from './health.ts'
import { InFlight } from './in-flight.ts'
import { withRetries } from './retries.ts'

export type OpenAiConfig = Extract<EmbedderConfig, { kind: 'openai' }>

/**
 * The tokenizer of a foreign model is not known here, so a piece is measured in bytes of UTF-8: no
 * usual tokenizer makes more than one token of a byte. The models with the shortest reach read 512
 * tokens, and in English 500 bytes are the about 120 tokens of a piece of the bundled model.
 */
const bytesOf = (text: string): number => Buffer.byteLength(text)
const PIECE_SIZE: PieceSize = { tokensMax: 500, overlapTokens: 125 }

/** Keeps an answer small enough to be read without holding up the event loop. */
const TEXTS_PER_REQUEST_MAX = 16

export type Limits = {
  requestsMax: number
  charactersMax: number
  backoffMs: number
  waitMsMax: number
  checkIntervalMs: number
}

const LIMITS: Limits = {
  requestsMax: 8,
  charactersMax: 2_000_000,
  backoffMs: 250,
  waitMsMax: 5_000,
  checkIntervalMs: 5_000,
}

/** Resolves when the service has embedded a first text. Throws an EmbedderRefusal. */
export async function openOpenAiEmbedder(
  config: OpenAiConfig,
  limits: Partial<Limits> = {},
): Promise<Embedder> {
  const { requestsMax, charactersMax, backoffMs, waitMsMax, checkIntervalMs } = {
    ...LIMITS,
    ...limits,
  }
  const calibration =
    config.calibrationFile === undefined
      ? calibrationOfBundledModel()
      : readCalibrationFile(config.calibrationFile)
  const closing = new AbortController()
  const { signal } = closing
  const retryOptions = { retries: config.retries, backoffMs, waitMsMax, signal }

  const embedTexts: EmbedTexts = await provenEndpoint(config, (probed) =>
    withRetries(() => probed([PROBE_TEXT], signal), retryOptions),
  )
  const backlog = new Backlog(charactersMax)
  const inFlight = new InFlight(requestsMax)
  const health = new Health({
    check: () => embedTexts([PROBE_TEXT], signal),
    checkIntervalMs,
    onAway: () => inFlight.refuseWaiting(away()),
  })

  /** A place is held for one try alone. */
  async function tryOnce(texts: string[], claim: Claim): Promise<Float32Array[]> {
    if (!health.isGood()) throw away()
    return inFlight.run(claim, async () => {
      try {
        const vectors = await embedTexts(texts, signal)
        health.onSuccess()
        return vectors
      } catch (error) {
        if (error instanceof AnswerTooLate) health.onFailure()
        throw error
      }
    })
  }

  async function request(texts: string[], claim: Claim): Promise<Float32Array[]> {
    try {
      return await withRetries(() => tryOnce(texts, claim), retryOptions)
    } catch (error) {
      if (error instanceof EmbedderUnavailable || error === claim.signal?.reason) throw error
      if (isOfTheService(error)) health.onFailure()
      throw new EmbedderUnavailable('The embedding service failed.', error)
    }
  }

  async function embed(text: string, claim: Claim): Promise<Piece[]> {
    const spans = piecesOf(text, bytesOf, PIECE_SIZE)
    const embedBatch = async (first: number): Promise<Piece[]> => {
      const batch = spans.slice(first, first + TEXTS_PER_REQUEST_MAX)
      const texts = batch.map(({ start, end }) => text.slice(start, end))
      const vectors = await request(texts, claim)
      return batch.map((span, index) => {
        const vector = vectors[index]
        if (vector === undefined) throw new Error('An answer was taken that lacks a vector.')
        return { ...span, vector, commonness: undefined, sentences: [] }
      })
    }
    const firsts = spans.flatMap((_, index) => (index % TEXTS_PER_REQUEST_MAX === 0 ? index : []))
    return (await Promise.all(firsts.map(embedBatch))).flat()
  }

  const admit = (text: string, claim: Claim): Promise<Piece[]> =>
    backlog.admit(text, claim, () => embed(text, claim))

  return {
    model: { id: `openai:${config.model}`, dimension: config.dimension, calibration },
    embedMemory: (content, urgency = 'patient', asker = undefined) =>
      admit(content, { urgency, asker }),
    embedQuery: async (query, asker, left) => {
      const pieces = await admit(query, { urgency: 'urgent', asker, signal: left })
      return pieces.map(({ vector, commonness }) => ({ vector, commonness }))
    },
    isReady: () => health.isGood() && backlog.hasRoom(),
    async close() {
      health.close()
      inFlight.close(new EmbedderUnavailable('The embedder is closed.'))
      closing.abort(new EmbedderUnavailable('The embedder is closed.'))
    },
  }
}

/** Not yet counted, and not the fault of a caller's text, which a service that is well finds. */
const isOfTheService = (error: unknown): boolean =>
  error instanceof EndpointError &&
  !(error instanceof AnswerTooLate) &&
  ![400, 413, 422].includes(error.status ?? 0)

const away = (): EmbedderUnavailable => new EmbedderUnavailable('The embedding service is away.')
