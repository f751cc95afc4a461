// The indexes of all spaces, of one generation of vectors: loads that of a space when it is searched
// first, keeps it current with what the writer committed, and lets go of the least recently used ones
// when memory runs short. When another generation comes into use, all are dropped. While a large space is
// loaded, others are searched, and so they are while very many spaces are: the loads take turns.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FairSlots } from '../../../turns/fair-slots.ts'
import type { SpaceId } from '../../records.ts'
import { generationReads } from '../generations.ts'
import type { Connection } from '../opening/open-database.ts'
import { IndexCache } from './index-cache.ts'
import type { IndexChange } from './indexed.ts'
import type { IndexedSpaces } from './indexed-spaces.ts'
import { indexLoader, isOutgrown, type Place } from './load-index.ts'
import type { Rows } from './rows-ranking.ts'
import type { SearchIndex } from './search-index.ts'
import { snapshots } from './snapshots.ts'
import { Workspace } from './workspace.ts'

/** How much larger a space has become when its copy is made anew. */
const COPY_GROWTH = 1.5

type Started = ReturnType<ReturnType<typeof indexLoader>>
type Loading = { index: SearchIndex; done: Promise<void>; failure?: RangeError }

export class SpaceIndexes {
  readonly #cache: IndexCache
  readonly #workspace = new Workspace()
  readonly #copies: ReturnType<typeof snapshots>
  readonly #startLoad: ReturnType<typeof indexLoader>
  readonly #generations: ReturnType<typeof generationReads>
  readonly #indexed: IndexedSpaces
  /** Those that are loaded at the moment, which hear of changes as the others do. */
  readonly #loading = new Map<SpaceId, Loading>()
  /** Of all loads one step is made before others are searched: those of fifty spaces would take half a second. */
  readonly #steps = new FairSlots(1)
  /** How many memories the copy of an index has; unknown when it is none any more. */
  readonly #copied = new WeakMap<SearchIndex, number>()
  #generation = 0

  constructor(
    db: Connection,
    rows: Rows,
    { bytesMax, indexed }: { bytesMax: number; indexed: IndexedSpaces },
  ) {
    this.#cache = new IndexCache(bytesMax, (space, index) => this.#letGo(space, index))
    this.#indexed = indexed
    this.#copies = snapshots(db, this.#workspace, rows)
    this.#copies.dropStale()
    const shared = { workspace: this.#workspace, copies: this.#copies }
    this.#startLoad = indexLoader(db, rows, shared)
    this.#generations = generationReads(db)
  }

  /** Of the vectors in the indexes. */
  get generation(): number {
    return this.#generation
  }

  /** Drops the indexes of the generation before. */
  moveTo(generation: number): void {
    this.#cache.clear()
    this.#generation = generation
  }

  /** Undefined when the space has to be loaded first. */
  use(space: SpaceId): SearchIndex | undefined {
    return this.#cache.use(space)
  }

  /** Changes of a space that is not loaded are dropped: loading it reads them from the rows. */
  apply(change: IndexChange): void {
    // Of an earlier generation: what is loaded was read from rows that knew of it. Of a later one: what is
    // loaded is not searched any more.
    if (change.generation !== this.#generation) return
    const take = (index: SearchIndex): void => {
      if (change.kind === 'added') index.add(change.memory, change.pieces)
      else {
        index.remove(change.memory)
        // The writer has removed it.
        this.#copied.delete(index)
      }
    }
    const started = this.#loading.get(change.space)
    try {
      if (started !== undefined) take(started.index)
      this.#cache.change(change.space, take)
      this.#cache.dropIf(change.space, isOutgrown)
    } catch (error) {
      // There is no more room: what is changed in part must not be searched, and others go on.
      if (!(error instanceof RangeError)) throw error
      if (started !== undefined) started.failure = error
      this.#cache.dropIf(change.space, () => true)
    }
  }

  /** Those who ask while it is loaded wait for the same load. It may be gone again when they go on. */
  async load(space: SpaceId): Promise<void> {
    const known = this.#loading.get(space)
    if (known !== undefined) return known.done
    const generation = this.#generation
    const table = this.#generations.tableInUse(generation)
    const started = this.#start({ space, table, generation })
    if (started.isCopy) this.#copied.set(started.index, started.index.size)
    const done = this.#finish(space, started)
    this.#loading.set(space, { index: started.index, done })
    return done
  }

  /** The writer sends changes of the space before the first row of it is read. */
  #start(place: Place): Started {
    this.#indexed.add(place.space)
    try {
      return this.#startLoad(place)
    } catch (error) {
      this.#indexed.remove(place.space)
      throw error
    }
  }

  #letGo(space: SpaceId, index: SearchIndex): void {
    index.release()
    this.#indexed.remove(space)
  }

  async #finish(space: SpaceId, { index, fill }: Started): Promise<void> {
    const own = this.#generation
    try {
      const steps = fill[Symbol.iterator]()
      let isOver = false
      while (!isOver) isOver = await this.#step(space, own, steps)
      // What came or went meanwhile may have made it the wrong kind: then it is loaded anew.
      const isOfUse = own === this.#generation && !isOutgrown(index)
      if (isOfUse) this.#cache.put(space, index)
      else this.#letGo(space, index)
    } catch (error) {
      this.#letGo(space, index)
      throw error
    } finally {
      this.#loading.delete(space)
    }
    // After the searches that waited for it.
    setImmediate(() => {
      if (this.#cache.use(space) === index) this.#keepCopy(space, index)
    })
  }

  /** At the turn of the space. True when nothing is left, or none of it is of use any more. */
  async #step(space: SpaceId, own: number, steps: Iterator<void>): Promise<boolean> {
    await this.#steps.take(space)
    try {
      // Before the first step, too: not even an empty space is loaded at once. So whoever waits for one
      // has searched it before another one takes its place.
      await nextTurn()
      // A switch in between: these vectors are of no use any more.
      const isOfUse = own === this.#generation && this.#generations.place('current')?.number === own
      if (!isOfUse) return true
      const { failure } = this.#loading.get(space) ?? {}
      if (failure !== undefined) throw failure
      return steps.next().done === true
    } finally {
      this.#steps.end()
    }
  }

  /** Of a large space that has none, or has become much larger. */
  #keepCopy(space: SpaceId, index: SearchIndex, growth = COPY_GROWTH): void {
    const before = this.#copied.get(index)
    if (!index.isLarge || (before !== undefined && index.size <= before * growth)) return
    if (this.#copies.save(space, this.#generation, index)) this.#copied.set(index, index.size)
  }

  /** Keeps copies of what would take long to make again. */
  close(): void {
    for (const [space, index] of this.#cache.all()) this.#keepCopy(space, index, 1)
    this.#workspace.scanners.close()
  }
}
