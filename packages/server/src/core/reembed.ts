// Moves a store to another model. What has pieces of the new generation is done, so it can be
// stopped at any moment and begun again; searches are answered from the old vectors until the one
// commit that puts the new ones in their place. No quota is charged.
// decisions/2026-11-21-reembedding.md
import { type Embedder, EmbedderUnavailable } from '../embedding/embedder.ts'
import type { Piece } from '../retrieval/evidence.ts'
import type {
  Embedded,
  Generation,
  ReembeddingStore,
  Unembedded,
  VectorModel,
} from '../storage/generation.ts'
import { type Patience, patiently } from './patience.ts'

export type ReembedOptions = Pick<Patience, 'onAway'> & {
  embedder: Embedder
  /** What the embedder makes. */
  model: VectorModel
  /** Gives up an unfinished generation, and makes the vectors of the model in use again. */
  restart: boolean
  /** Ends any wait for the model at once, and one for others soon; a commit is finished. */
  stop: AbortSignal
  /** The move cannot begin while others use the vectors, such as a backup; once for each try. */
  onWait: () => void
  onProgress: (embedded: number, memories: number) => void
  /** The new vectors are in use; what is left is to remove the old ones. */
  onSwitched: () => void
}

/** `other`: another generation is unfinished. `empty`: the store has no vectors yet. */
export type Outcome =
  | { kind: 'moved' | 'stopped' | 'nothing-to-do' | 'empty' }
  | { kind: 'other'; growing: Generation }

/** Small enough to be made again after a kill, large enough to keep every worker busy. */
const BATCH = { memoriesMax: 32, charactersMax: 100_000 }
/** When so many tries were in vain, memories are created without a break: the switch then embeds the last few. */
const TRIES_WITHOUT_REST = 5
const REST = { restMax: 8, waitMsMax: 1_000 }

export const isSameModel = (a: VectorModel, b: VectorModel): boolean =>
  a.id === b.id && a.dimension === b.dimension && a.piecesVersion === b.piecesVersion

/** The model did not embed a memory: it refused the text, or was away for too long. */
export class NotEmbedded extends Error {
  override readonly name = 'NotEmbedded'
  override readonly cause: EmbedderUnavailable
  readonly memoryId: string

  constructor(memoryId: string, cause: EmbedderUnavailable) {
    super(`The memory ${memoryId} was not embedded.`)
    this.cause = cause
    this.memoryId = memoryId
  }
}

/** Rejects with a NotEmbedded or a StoreError, when all else of a batch is stored; a later call goes on. */
export async function reembed(store: ReembeddingStore, options: ReembedOptions): Promise<Outcome> {
  const begun = await begin(store, options)
  if (begun !== undefined) return begun
  let { embedded, memories } = await store.progress()
  options.onProgress(embedded, memories)
  for (let tries = 0; ; ) {
    if (options.stop.aborted) return { kind: 'stopped' }
    const batch = await store.missing(BATCH)
    if (batch.length === 0) {
      tries += 1
      const restMax = tries > TRIES_WITHOUT_REST ? REST.restMax : 0
      const embed = (content: string) => options.embedder.embedMemory(content)
      // While a model is away creates are not held up: the rest is waited for as all others were.
      const switched = await store.switchOver({ ...REST, restMax, embed }).catch(unlessAway)
      if (switched) break
      continue
    }
    const { done, failure } = await embedBatch(batch, options)
    if (done.length > 0) await store.add(done)
    embedded += done.length
    memories = Math.max(memories, embedded)
    options.onProgress(embedded, memories)
    if (failure !== undefined && !options.stop.aborted) throw failure
  }
  options.onSwitched()
  return { kind: (await removeRetired(store, options)) ? 'moved' : 'stopped' }
}

/** Leaves a generation of the wanted model growing, or says why there is none. */
async function begin(
  store: ReembeddingStore,
  options: ReembedOptions,
): Promise<Outcome | undefined> {
  const { model, restart } = options
  const { current, growing } = await store.state()
  if (current === undefined) return { kind: 'empty' }
  if (growing !== undefined && !restart) {
    if (!isSameModel(growing, model)) return { kind: 'other', growing }
    // Servers will open it there, and the run before may have had it in another place.
    await store.locate(model.source)
    return undefined
  }
  if (growing !== undefined) await store.discard()
  if (!(await removeRetired(store, options))) return { kind: 'stopped' }
  if (isSameModel(current, model) && !restart) return { kind: 'nothing-to-do' }
  try {
    await store.begin(model, options)
    return undefined
  } catch (error) {
    if (options.stop.aborted) return { kind: 'stopped' }
    throw error
  }
}

/** False when it was stopped before all was removed. */
async function removeRetired(store: ReembeddingStore, { stop }: ReembedOptions): Promise<boolean> {
  while (await store.removeRetired()) if (stop.aborted) return false
  return true
}

function unlessAway(error: unknown): false {
  if (error instanceof EmbedderUnavailable) return false
  throw error
}

/**
 * `failure` is one that another try would not mend, or else the first one, of whatever is not done. With such a
 * one the others are asked no more: a service that refuses the key counts as away after a few answers.
 */
async function embedBatch(
  batch: readonly Unembedded[],
  options: ReembedOptions,
): Promise<{ done: Embedded[]; failure: unknown }> {
  const { stop, onAway } = options
  const lasting = new AbortController()
  const patience = { stop: AbortSignal.any([stop, lasting.signal]), onAway }
  const outcomes = await Promise.allSettled(
    batch.map(async (memory) => {
      try {
        return { ref: memory.ref, pieces: await embedPatiently(memory, options, patience) }
      } catch (error) {
        if (error instanceof NotEmbedded && !error.cause.isTransient) lasting.abort(error)
        throw error
      }
    }),
  )
  return {
    done: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])),
    failure:
      lasting.signal.reason ?? outcomes.find((outcome) => outcome.status === 'rejected')?.reason,
  }
}

/** What ends the patience does not end a try under way. */
async function embedPatiently(
  { id, content }: Unembedded,
  { embedder, stop }: ReembedOptions,
  patience: Patience,
): Promise<Piece[]> {
  try {
    const ask = () => unlessStopped(stop, () => embedder.embedMemory(content))
    return await patiently(patience, ask)
  } catch (error) {
    throw error instanceof EmbedderUnavailable ? new NotEmbedded(id, error) : error
  }
}

/** Rejects with the signal, however long the work goes on. */
async function unlessStopped<Result>(
  stop: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  stop.throwIfAborted()
  const stopped = Promise.withResolvers<never>()
  const onStop = () => stopped.reject(stop.reason)
  stop.addEventListener('abort', onStop)
  try {
    return await Promise.race([work(), stopped.promise])
  } finally {
    stop.removeEventListener('abort', onStop)
  }
}
