// One embedding worker: loads the model, says that it is ready, then does one job at a time.
import { parentPort, workerData } from 'node:worker_threads'
import { Commonness, type Reference } from '../commonness/commonness.ts'
import { queryWithOwner, withOwner } from '../owner.ts'
import { piecesOf, type Span } from '../pieces.ts'
import { sentencesOf } from '../sentences.ts'
import type { Manifest } from './manifest.ts'
import { loadModel, type ModelEmbedding } from './model.ts'
import type { ModelFiles } from './model-files.ts'
import { type PoolWorkerData, serveJobs, type WorkerAnswer } from './serve-jobs.ts'
import { stepBehindOtherThreads } from './thread-priority.ts'
import type { Role } from './token-reader.ts'

export type ModelWorkerData = {
  files: ModelFiles
  manifest: Manifest
  reference: Reference | undefined
  /** Whether nobody has to try if the manifest fits the model. */
  isKnownToFit: boolean
}

/** `split` also embeds when the text is one piece, which saves short texts a second trip. */
export type ModelJob = { kind: 'split' | 'embed'; text: string; role: Role }
export type Embedding = ModelEmbedding & { commonness: number | undefined }
export type ModelResult = {
  /** Those of a query have no sentences. */
  pieces: (Span & { sentences: Span[] })[]
  embedding: Embedding | undefined
}

if (parentPort === null) throw new Error('This file runs as a worker thread.')
const { own, cells }: PoolWorkerData<ModelWorkerData> = workerData
const { files, manifest, reference, isKnownToFit } = own
stepBehindOtherThreads()
const commonness = reference && new Commonness(reference)
const model = await loadModel(files, manifest, { isKnownToFit })

async function run({ kind, text, role }: ModelJob): Promise<ModelResult> {
  if (kind === 'embed') return { pieces: [], embedding: await embed(text, role) }
  const pieces = split(text, role)
  if (pieces.length > 1) return { pieces, embedding: undefined }
  const whole = role === 'passage' ? withOwner(text) : queryWithOwner(text)
  return { pieces, embedding: await embed(whole, role) }
}

function split(text: string, role: Role): ModelResult['pieces'] {
  const pieces = piecesOf(text, model.countTokens, model.pieceSize(role))
  const sentences = role === 'passage' ? sentencesOf(text, pieces, model.countTokens) : []
  return pieces.map((piece, index) => ({ ...piece, sentences: sentences[index] ?? [] }))
}

async function embed(text: string, role: Role): Promise<Embedding> {
  const embedding = await model.embed(text, role)
  return { ...embedding, commonness: commonness?.of(embedding.vector) }
}

async function answer(job: ModelJob): Promise<WorkerAnswer<ModelResult>> {
  try {
    return { result: await run(job) }
  } catch (error) {
    return { error }
  }
}

serveJobs(parentPort, cells, answer)
