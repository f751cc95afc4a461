// One embedding worker: loads the model, says that it is ready, then does one job at a time.
import { parentPort, workerData } from 'node:worker_threads'
import { type PieceSize, piecesOf, type Span } from '../pieces.ts'
import { loadModel } from './model.ts'
import type { WorkerAnswer } from './worker-pool.ts'

export type ModelWorkerData = { folder: string; pieceSize: PieceSize }

/** `split` also embeds when the text is one piece, which saves short texts a second trip. */
export type ModelJob = { kind: 'split'; text: string } | { kind: 'embed'; text: string }
export type ModelResult = { pieces: Span[]; vector: Float32Array | undefined }

if (parentPort === null) throw new Error('This file runs as a worker thread.')
const port = parentPort
const { folder, pieceSize }: ModelWorkerData = workerData
const model = await loadModel(new URL(folder))

async function run({ kind, text }: ModelJob): Promise<ModelResult> {
  const pieces =
    kind === 'split'
      ? piecesOf(text, model.countTokens, pieceSize)
      : [{ start: 0, end: text.length }]
  const vector = pieces.length === 1 ? await model.embed(text) : undefined
  return { pieces, vector }
}

async function answer(job: ModelJob): Promise<WorkerAnswer<ModelResult>> {
  try {
    return { result: await run(job) }
  } catch (error) {
    return { error }
  }
}

port.on('message', (job: ModelJob) => {
  void answer(job).then((done) => port.postMessage(done))
})
port.postMessage('ready')
