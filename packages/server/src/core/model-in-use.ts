// Embeds with the model whose vectors the store uses, and follows it when `mnemograph reembed` has
// moved the store to another one. Vectors of a model that is no longer in use are refused by the
// store inside its transaction, so nothing wrong can be stored or answered in between: the work is
// done again with the new model, and its caller notices a moment's delay. A model that cannot be
// opened fails what needs vectors, and nothing else, until it can.
// decisions/2026-11-21-reembedding.md
import { type Embedder, EmbedderUnavailable } from '../embedding/embedder.ts'
import type { Generation, GenerationStore } from '../storage/generation.ts'
import { StoreError } from '../storage/store.ts'

export type OpenedModel = { embedder: Embedder; generation: number }

export type ModelOptions = {
  generations: GenerationStore
  /** Rejects when the model of a generation cannot be opened here. */
  open: (generation: Generation) => Promise<Embedder>
  /** Hears why the model of the store cannot be followed, or why one that was left does not end. */
  onFailure: (error: unknown) => void
  /** Hears which generation is in use from now on. */
  onMoved?: (to: Generation) => void
  waitMsMax?: number
  checkIntervalMs?: number
}

/** How often work is done again. Each time the store was moved to yet another model. */
const REPETITIONS_MAX = 3
/** How long a request waits for a new model to be opened. */
const WAIT_MS_MAX = 15_000
/** A server without requests learns of a new model too, and of one that can be opened again. */
const CHECK_INTERVAL_MS = 1_000

type Held = OpenedModel & { users: number }

export class ModelInUse {
  readonly #options: ModelOptions
  readonly #waitMsMax: number
  readonly #check: NodeJS.Timeout
  /** Models that were left and are being closed: nobody's work waits for that. */
  readonly #closing = new Set<Promise<void>>()
  #held: Held
  #closed: Promise<void> | undefined
  #following: Promise<void> | undefined
  #failure: { error: EmbedderUnavailable; ofGeneration: number } | undefined

  constructor(opened: OpenedModel, options: ModelOptions) {
    this.#held = { ...opened, users: 0 }
    this.#options = options
    this.#waitMsMax = options.waitMsMax ?? WAIT_MS_MAX
    this.#check = setInterval(() => {
      this.#follow().catch(() => undefined)
    }, options.checkIntervalMs ?? CHECK_INTERVAL_MS).unref()
  }

  /** Runs the work again when the store has meanwhile come to use another model. */
  async run<Result>(
    work: (embedder: Embedder, generation: number) => Promise<Result>,
  ): Promise<Result> {
    for (let repetitions = 0; ; repetitions += 1) {
      if (this.#failure !== undefined) throw this.#failure.error
      const held = this.#held
      held.users += 1
      try {
        return await work(held.embedder, held.generation)
      } catch (error) {
        const isOutdated = error instanceof StoreError && error.kind === 'outdated'
        if (!isOutdated || repetitions === REPETITIONS_MAX) throw error
      } finally {
        held.users -= 1
        this.#closeIfUnused(held)
      }
      await this.#atMost(this.#follow())
    }
  }

  isReady(): boolean {
    return this.#failure === undefined && this.#held.embedder.isReady()
  }

  /** What waits for the model is refused. A second call waits for the first one. */
  close(): Promise<void> {
    clearInterval(this.#check)
    this.#closed ??= this.#closeAll()
    return this.#closed
  }

  async #closeAll(): Promise<void> {
    try {
      await this.#held.embedder.close()
    } finally {
      await Promise.all(this.#closing)
    }
  }

  /** One attempt at a time, for everybody who waits for it. */
  #follow(): Promise<void> {
    this.#following ??= this.#moveToCurrent().finally(() => {
      this.#following = undefined
    })
    return this.#following
  }

  async #moveToCurrent(): Promise<void> {
    const current = await this.#options.generations.current()
    if (current === undefined || current.number === this.#held.generation) {
      this.#failure = undefined
      return
    }
    const embedder = await this.#options.open(current).catch((error: unknown) => {
      throw this.#unopened(current, error)
    })
    if (this.#closed !== undefined) {
      await embedder.close()
      return
    }
    const left = this.#held
    this.#held = { embedder, generation: current.number, users: 0 }
    this.#failure = undefined
    this.#options.onMoved?.(current)
    this.#closeIfUnused(left)
  }

  #unopened({ id, number }: Generation, cause: unknown): EmbedderUnavailable {
    const isNew = this.#failure?.ofGeneration !== number
    const error = new EmbedderUnavailable(
      `The store has moved to the model ${id}, which cannot be opened here.`,
      cause,
    )
    this.#failure = { error, ofGeneration: number }
    // Once, and not with every attempt.
    if (isNew) this.#options.onFailure(error)
    return error
  }

  /** A model that was left is closed when the last text that was given to it is done. */
  #closeIfUnused(held: Held): void {
    if (held === this.#held || held.users > 0) return
    const closing = held.embedder
      .close()
      .catch((error: unknown) => this.#options.onFailure(error))
      .finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  async #atMost(work: Promise<void>): Promise<void> {
    let timeout: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timeout = setTimeout(
        () => reject(new EmbedderUnavailable('The new model is still being opened.')),
        this.#waitMsMax,
      )
    })
    try {
      await Promise.race([work, late])
    } finally {
      clearTimeout(timeout)
    }
  }
}
