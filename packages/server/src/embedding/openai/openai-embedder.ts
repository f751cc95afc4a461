// An embedder over the OpenAI-compatible `/embeddings` protocol. A text goes out in pieces that
// every usual model reads whole, several pieces to a request; requests under way and texts waiting
// are bounded, queries go first. What fails is tried again, and then is an EmbedderUnavailable that
// holds neither a text nor the key. Whether equal texts get equal vectors is up to the service.
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
import { EndpointError } from './endpoint-error.ts'
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
  const health = new Health(() => embedTexts([PROBE_TEXT], signal), checkIntervalMs)

  async function request<Result>(send: () => Promise<Result>): Promise<Result> {
    try {
      const result = await send()
      health.onSuccess()
      return result
    } catch (error) {
      if (!isAboutItsText(error)) health.onFailure()
      throw new EmbedderUnavailable('The embedding service failed.', error)
    }
  }

  async function embed(text: string, claim: Claim): Promise<Piece[]> {
    const spans = piecesOf(text, bytesOf, PIECE_SIZE)
    const embedBatch = async (first: number): Promise<Piece[]> => {
      const batch = spans.slice(first, first + TEXTS_PER_REQUEST_MAX)
      const texts = batch.map(({ start, end }) => text.slice(start, end))
      const vectors = await inFlight.run(claim, () =>
        request(() => withRetries(() => embedTexts(texts, signal), retryOptions)),
      )
      return batch.map((span, index) => {
        const vector = vectors[index]
        if (vector === undefined) throw new Error('An answer was taken that lacks a vector.')
        return { ...span, vector, commonness: undefined, sentences: [] }
      })
    }
    const firsts = spans.flatMap((_, index) => (index % TEXTS_PER_REQUEST_MAX === 0 ? index : []))
    return (await Promise.all(firsts.map(embedBatch))).flat()
  }

  return {
    model: { id: `openai:${config.model}`, dimension: config.dimension, calibration },
    embedMemory: (content, urgency = 'patient', asker = undefined) =>
      backlog.admit(content, urgency, () => embed(content, { urgency, asker })),
    embedQuery: async (query, asker) => {
      const urgency = 'urgent'
      const pieces = await backlog.admit(query, urgency, () => embed(query, { urgency, asker }))
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

/** The service found fault with a caller's text and is well itself. */
const isAboutItsText = (error: unknown): boolean =>
  error instanceof EndpointError && [400, 413, 422].includes(error.status ?? 0)
