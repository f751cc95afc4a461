// The bundled model, or any other in a folder with a manifest, in worker threads of this process.
// Long texts go through the queue piece by piece, so that a query waits for one piece at most.
import type { Piece } from '../../retrieval/evidence.ts'
import { Admission } from '../admission.ts'
import { type Embedder, EmbedderRefusal } from '../embedder.ts'
import type { PieceSize, Span } from '../pieces.ts'
import type { Urgency } from '../urgent-first.ts'
import { readManifest } from './manifest.ts'
import type { ModelJob, ModelResult, ModelWorkerData } from './model.worker.ts'
import { WorkerPool } from './worker-pool.ts'

/** Chosen by measurement: see the table in eval/README.md. */
export const PIECE_SIZE: PieceSize = { tokensMax: 128, overlapTokens: 32 }

/** About a minute of work. */
const CHARACTERS_MAX_PER_WORKER = 1_000_000
const START_TIMEOUT_MS = 60_000
const JOB_TIMEOUT_MS = 10_000
const RESTART_DELAY_MS = 200

export type LocalEmbedderOptions = {
  /** The folder with manifest.json. */
  folder: URL
  workers: number
}

/** Resolves when the model is loaded. Throws an EmbedderRefusal when it cannot be. */
export async function openLocalEmbedder({
  folder,
  workers,
}: LocalEmbedderOptions): Promise<Embedder> {
  const manifest = readManifest(folder)
  const pool = new WorkerPool<ModelJob, ModelResult>({
    file: new URL('./model.worker.ts', import.meta.url),
    data: { folder: folder.href, pieceSize: PIECE_SIZE } satisfies ModelWorkerData,
    workers,
    startTimeoutMs: START_TIMEOUT_MS,
    jobTimeoutMs: JOB_TIMEOUT_MS,
    restartDelayMs: RESTART_DELAY_MS,
  })
  const admission = new Admission(CHARACTERS_MAX_PER_WORKER * workers)
  try {
    await pool.started()
  } catch (error) {
    await pool.close()
    throw new EmbedderRefusal(`The embedding model in ${folder.pathname} cannot be loaded.`, error)
  }

  async function embed(text: string, urgency: Urgency): Promise<Piece[]> {
    const { pieces, vector } = await pool.run({ kind: 'split', text }, urgency)
    const embedPiece = async (span: Span): Promise<Piece> => {
      const job: ModelJob = { kind: 'embed', text: text.slice(span.start, span.end) }
      const embedded = vector ?? (await pool.run(job, urgency)).vector
      if (embedded === undefined) throw new Error('An embedding worker answered without a vector.')
      return { ...span, vector: embedded }
    }
    return Promise.all(pieces.map(embedPiece))
  }

  return {
    model: { id: manifest.id, dimension: manifest.dimension },
    embedMemory: (content) => admission.admit(content, 'patient', () => embed(content, 'patient')),
    embedQuery: async (query) => {
      const pieces = await admission.admit(query, 'urgent', () => embed(query, 'urgent'))
      return pieces.map((piece) => piece.vector)
    },
    isReady: () => pool.isReady() && admission.hasRoom(),
    close: () => pool.close(),
  }
}
