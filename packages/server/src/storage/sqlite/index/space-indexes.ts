// The indexes of all spaces, of one generation of vectors: loads that of a space when it is searched
// first, keeps it current with what the writer committed, and lets go of the least recently used ones
// when memory runs short. When another generation comes into use, all are dropped. While a large space is
// loaded, and a copy of it written, others are searched, and so they are while very many spaces are loaded: the
// loads take turns. All but the first of them wait while they hold as much as indexes may.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FairSlots } from '../../../turns/fair-slots.ts'
import type { SpaceId } from '../../records.ts'
import type { Connection } from '../opening/open-database.ts'
import { generationReads } from '../reembedding/generations.ts'
import { indexCopies } from './copies.ts'
import { IndexCache } from './index-cache.ts'
import type { IndexedSpaces } from './indexed-spaces.ts'
import { indexLoader, isOutgrown, type Place } from './load-index.ts'
import type { Rows } from './search/rows-ranking.ts'
import type { SearchIndex } from './search-index.ts'
import type { IndexChange } from './tables/indexed.ts'
import { Workspace } from './tables/workspace.ts'

/** How much larger a space has become when its copy is made anew. */
const COPY_GROWTH = 1.5

/** Where indexes are made. */
type Room = {
  workspace: Workspace
  copies: ReturnType<typeof indexCopies>
  stepsOfLoad: ReturnType<typeof indexLoader>
}

type Loading = {
  done: Promise<void>
  /** Undefined until it takes changes. */
  index: SearchIndex | undefined
  /** Then it takes none for a while. */
  isBeingCopied: boolean
  /** Those that wait until it takes them. */
  early: IndexChange[]
  failure: RangeError | undefined
  /** As far as it is made. */
  begun: Pick<SearchIndex, 'bytes'> | undefined
  /** Those that the sum has for it. */
  bytes: number
}

export class SpaceIndexes {
  readonly #bytesMax: number
  readonly #cache: IndexCache
  readonly #newRoom: () => Room
  /** Of the generation. */
  #room: Room
  readonly #generations: ReturnType<typeof generationReads>
  readonly #indexed: IndexedSpaces
  /** Those that are loaded at the moment, which hear of changes as the others do. */
  readonly #loading = new Map<SpaceId, Loading>()
  #bytesOfLoads = 0
  #loadEnded = Promise.withResolvers<void>()
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
    this.#bytesMax = bytesMax
    this.#cache = new IndexCache(bytesMax, (space, index) => this.#letGo(space, index))
    this.#indexed = indexed
    this.#newRoom = () => {
      const workspace = new Workspace()
      const copies = indexCopies(db, workspace, rows)
      return { workspace, copies, stepsOfLoad: indexLoader(db, rows, { workspace, copies }) }
    }
    this.#room = this.#newRoom()
    this.#room.copies.dropStale()
    this.#generations = generationReads(db)
  }

  /** Of the vectors in the indexes. */
  get generation(): number {
    return this.#generation
  }

  /** Drops the indexes of the generation before, and their room: vectors of another length have no use for it. */
  moveTo(generation: number): void {
    this.#cache.clear()
    this.#room.workspace.scanners.close()
    this.#room = this.#newRoom()
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
    const loading = this.#loading.get(change.space)
    try {
      loading?.early.push(change)
      if (loading?.isBeingCopied === false) this.#takeEarly(loading)
      this.#cache.change(change.space, (index) => this.#take(index, change))
      this.#cache.dropIf(change.space, isOutgrown)
    } catch (error) {
      // There is no more room: what is changed in part must not be searched, and others go on.
      if (!(error instanceof RangeError)) throw error
      if (loading !== undefined) loading.failure = error
      this.#cache.dropIf(change.space, () => true)
    }
  }

  #takeEarly({ index, early }: Loading): void {
    if (index !== undefined) for (const change of early.splice(0)) this.#take(index, change)
  }

  #take(index: SearchIndex, change: IndexChange): void {
    if (change.kind === 'added') index.add(change.memory, change.pieces)
    else {
      index.remove(change.memory)
      // The writer has removed it.
      this.#copied.delete(index)
    }
  }

  /** Those who ask while it is loaded wait for the same load. It may be gone again when they go on. */
  async load(space: SpaceId): Promise<void> {
    const known = this.#loading.get(space)
    if (known !== undefined) return known.done
    const generation = this.#generation
    const table = this.#generations.tableInUse(generation)
    // The writer sends changes of the space before the first row of it is read.
    this.#indexed.add(space)
    const loading: Loading = {
      done: Promise.resolve(),
      index: undefined,
      isBeingCopied: false,
      early: [],
      failure: undefined,
      begun: undefined,
      bytes: 0,
    }
    this.#loading.set(space, loading)
    loading.done = this.#fill(loading, { space, table, generation })
    return loading.done
  }

  #letGo(space: SpaceId, index: SearchIndex | undefined): void {
    index?.release()
    this.#indexed.remove(space)
  }

  async #fill(loading: Loading, place: Place): Promise<void> {
    const { space, generation } = place
    const steps = this.#stepsOf(loading, place)
    try {
      await this.#takeSteps(loading, place, steps)
      const { index } = loading
      // What came or went meanwhile may have made it the wrong kind: then it is loaded anew.
      const isOfUse = generation === this.#generation && index !== undefined && !isOutgrown(index)
      if (isOfUse) this.#cache.put(space, index)
      else this.#letGo(space, index)
    } catch (error) {
      this.#letGo(space, loading.index)
      throw error
    } finally {
      steps.return()
      this.#loading.delete(space)
      this.#loadEnded.resolve()
      this.#loadEnded = Promise.withResolvers()
    }
  }

  /** The index, and the copy of it. */
  *#stepsOf(loading: Loading, place: Place): Generator<void, void> {
    yield* this.#room.stepsOfLoad(place, {
      onBegun: (index) => {
        loading.begun = index
      },
      onIndex: (index, { isCopy }) => {
        if (isCopy) this.#copied.set(index, index.size)
        loading.index = index
        this.#takeEarly(loading)
      },
    })
    if (loading.index === undefined) return
    loading.isBeingCopied = true
    yield* this.#keepCopy(place.space, loading.index)
    loading.isBeingCopied = false
    this.#takeEarly(loading)
  }

  /** Until nothing is left, or none of it is of use any more. */
  async #takeSteps(loading: Loading, place: Place, steps: Iterator<void>): Promise<void> {
    try {
      while (!(await this.#step(loading, place, steps))) {
        this.#count(loading, loading.begun?.bytes ?? 0)
      }
    } finally {
      this.#count(loading, 0)
    }
  }

  #count(loading: Loading, bytes: number): void {
    this.#bytesOfLoads += bytes - loading.bytes
    loading.bytes = bytes
    this.#cache.leaveRoomFor(this.#bytesOfLoads)
  }

  /** Ends by `#steps.end()`. */
  async #turn(loading: Loading, space: SpaceId): Promise<void> {
    for (;;) {
      await this.#steps.take(space)
      if (this.#mayGoOn(loading)) return
      this.#steps.end()
      await this.#loadEnded.promise
    }
  }

  /** The first goes on in any case, so all of them come to their end. */
  #mayGoOn(loading: Loading): boolean {
    const [first = loading] = this.#loading.values()
    return first === loading || this.#bytesOfLoads - first.bytes <= this.#bytesMax
  }

  /** At the turn of the space. True when nothing is left, or none of it is of use any more. */
  async #step(
    loading: Loading,
    { space, generation }: Place,
    steps: Iterator<void>,
  ): Promise<boolean> {
    await this.#turn(loading, space)
    try {
      // Before the first step, too: not even an empty space is loaded at once. So whoever waits for one
      // has searched it before another one takes its place.
      await nextTurn()
      // A switch in between: these vectors are of no use any more.
      const isOfUse =
        generation === this.#generation && this.#generations.place('current')?.number === generation
      if (!isOfUse) return true
      if (loading.failure !== undefined) throw loading.failure
      return steps.next().done === true
    } finally {
      this.#steps.end()
    }
  }

  /** Of a large space that has none, or has become much larger. */
  *#keepCopy(space: SpaceId, index: SearchIndex, growth = COPY_GROWTH): Generator<void, void> {
    const before = this.#copied.get(index)
    if (before !== undefined && index.size <= before * growth) return
    if (!index.isLarge || isOutgrown(index)) return
    const isCopied = yield* this.#room.copies.save(space, this.#generation, index)
    if (isCopied) this.#copied.set(index, index.size)
  }

  /** Keeps copies of what would take long to make again. */
  close(): void {
    for (const [space, index] of this.#cache.all()) {
      for (const _ of this.#keepCopy(space, index, 1));
    }
    this.#room.workspace.scanners.close()
  }
}
