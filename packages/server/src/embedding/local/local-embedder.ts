// The bundled model, or any other in a folder with a manifest, in worker threads of this process.
// Long texts go through the queue piece by piece, so that a query waits for one piece at most.
import { fileURLToPath } from 'node:url'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import type { Passage, Piece, QueryPart } from '../../retrieval/evidence.ts'
import { Backlog } from '../backlog.ts'
import { type Embedder, EmbedderRefusal } from '../embedder.ts'
import type { Span } from '../pieces.ts'
import { textToRead } from '../query-text.ts'
import { readReference } from '../reference.ts'
import { pieceOfQuery, pieceText, sentenceText } from '../sentences.ts'
import { costOf } from '../text-cost.ts'
import type { Claim } from '../urgent-first.ts'
import { type Manifest, readManifest } from './manifest.ts'
import type { Embedding, ModelJob, ModelResult, ModelWorkerData } from './model.worker.ts'
import { findModelFiles } from './model-files.ts'
import type { Role } from './token-reader.ts'
import { WorkerPool } from './worker-pool.ts'

/** About a minute of work. */
const CHARACTERS_MAX_PER_WORKER = 1_000_000
const START_TIMEOUT_MS = 60_000
const JOB_TIMEOUT_MS = 10_000
/** Of a loaded model. With what a stop waits for before, it stays within the 25 s that a stop may take. */
const END_TIMEOUT_MS = 3_000
const RESTART_DELAY_MS = 200
/** The start of a server is over by then. */
const OTHERS_DELAY_MS = 1_000
/** A query of more pieces waits with the memories: in some scripts it has hundreds. */
const QUICK_PIECES_MAX = 4
/** Of short texts, which are done in some ten milliseconds. */
const AT_HAND_CHARACTERS_MAX = 600
/** A worker's garbage dies young: a larger nursery holds more memory and gains no time. */
const NURSERY_MB = 4

type SplitPiece = ModelResult['pieces'][number]

type LocalEmbedderOptions = {
  /** The folder with manifest.json. */
  folder: URL
  workers: number
  /** Whether calibration and reference are used; true unless it is given. */
  isCalibrated?: boolean
}

/** Resolves when the model is loaded. Throws an EmbedderRefusal when it cannot be. */
export async function openLocalEmbedder({
  folder,
  workers,
  isCalibrated,
}: LocalEmbedderOptions): Promise<Embedder> {
  const manifest = readManifest(folder, { isCalibrated })
  const files = await findModelFiles(folder, manifest)
  const reference =
    files.reference === undefined ? undefined : readReference(files.reference, manifest.dimension)
  // The runtime would write a device id into the home folder and report events to its maker. It reads
  // this from the process, and a worker has but a copy: so it is set here, before there is any worker.
  process.env['ORT_DISABLE_TELEMETRY'] = '1'
  const isKnownToFit = folder.href === modelFolder.href
  const pool = new WorkerPool<ModelJob, ModelResult>({
    file: new URL('./model.worker.ts', import.meta.url),
    data: { files, manifest, reference, isKnownToFit } satisfies ModelWorkerData,
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
    workers,
    startTimeoutMs: START_TIMEOUT_MS,
    jobTimeoutMs: JOB_TIMEOUT_MS,
    endTimeoutMs: END_TIMEOUT_MS,
    othersDelayMs: OTHERS_DELAY_MS,
    restartDelayMs: RESTART_DELAY_MS,
    costOf: ({ text }) => costOf(text),
    atHandCostMax: AT_HAND_CHARACTERS_MAX,
  })
  try {
    await pool.started()
  } catch (error) {
    await pool.close()
    const reason = error instanceof Error ? error.message : String(error)
    throw new EmbedderRefusal(
      `The model in ${fileURLToPath(folder)} cannot be used. ${reason}`,
      error,
    )
  }
  return embedderOver(pool, manifest, new Backlog(CHARACTERS_MAX_PER_WORKER * workers))
}

function embedderOver(
  pool: WorkerPool<ModelJob, ModelResult>,
  { id, dimension, calibration }: Manifest,
  backlog: Backlog,
): Embedder {
  const run = (job: ModelJob, { urgency, asker, signal }: Claim): Promise<ModelResult> =>
    pool.run(job, urgency, asker, signal)

  async function embedText(text: string, role: Role, claim: Claim): Promise<Embedding> {
    const { embedding } = await run({ kind: 'embed', text, role }, claim)
    return expectEmbedding(embedding)
  }

  /** A text of one piece comes back embedded. */
  const split = (text: string, role: Role, claim: Claim): Promise<ModelResult> =>
    run({ kind: 'split', text, role }, claim)

  async function embedMemory(content: string, claim: Claim): Promise<Piece[]> {
    const { pieces, embedding } = await split(content, 'passage', claim)
    const embedded = new Map<string, Promise<Embedding>>()
    /** What a text repeats is embedded once. */
    function embedOnce(text: string): Promise<Embedding> {
      const before = embedded.get(text)
      if (before !== undefined) return before
      const now = embedText(text, 'passage', claim)
      embedded.set(text, now)
      return now
    }
    const embedSentence = async (span: Span): Promise<Passage> => ({
      ...span,
      ...(await embedOnce(sentenceText(content, span))),
    })
    const embedPiece = async ({ start, end, sentences }: SplitPiece): Promise<Piece> => {
      const [own, ...others] = await Promise.all([
        embedding ?? embedOnce(pieceText(content, { start, end })),
        ...sentences.map(embedSentence),
      ])
      return { start, end, ...own, sentences: others }
    }
    return Promise.all(pieces.map(embedPiece))
  }

  async function embedQuery(query: string, claim: Claim): Promise<QueryPart[]> {
    const text = textToRead(query)
    const parts = await embedParts(text, claim)
    // The vector is not that of the query, so it does not tell whether a memory is the same text.
    return text === query.trim() ? parts : parts.map((part) => ({ ...part, hasUnknown: true }))
  }

  async function embedParts(text: string, claim: Claim): Promise<QueryPart[]> {
    const { pieces, embedding } = await split(text, 'query', claim)
    if (pieces.length === 1) return [expectEmbedding(embedding)]
    const urgency = pieces.length > QUICK_PIECES_MAX ? 'patient' : 'urgent'
    return Promise.all(
      pieces.map((span) => embedText(pieceOfQuery(text, span), 'query', { ...claim, urgency })),
    )
  }

  return {
    model: { id, dimension, calibration },
    embedMemory(content, urgency = 'patient', asker = undefined) {
      const claim = { urgency, asker }
      return backlog.admit(content, claim, () => embedMemory(content, claim))
    },
    embedQuery(query, asker, signal) {
      const claim: Claim = { urgency: 'urgent', asker, signal }
      return backlog.admit(query, claim, () => embedQuery(query, claim))
    },
    isReady: () => pool.isReady() && backlog.hasRoom(),
    close: () => pool.close(),
  }
}

function expectEmbedding(embedding: Embedding | undefined): Embedding {
  if (embedding === undefined) throw new Error('An embedding worker answered without a vector.')
  return embedding
}
