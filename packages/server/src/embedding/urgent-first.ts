// A queue of three lanes: whatever is urgent leaves before anything patient, that before anything of a
// bulk import, and within a lane those who ask take turns. Somebody waits for a query, and somebody for a
// create; an import can take its time. But a lane that was passed over often enough has its turn: queries that
// never cease, of one caller, would keep everybody's creates waiting for ever. And whoever waits for a query
// gives up at some time, so that of one asker's many the newest have turns too.
// decisions/2026-11-21-own-embedding-pool.md, decisions/2026-11-21-bulk-import.md,
// decisions/2026-11-28-callers-who-leave.md
import { FairQueue, type RankOf } from '../turns/fair-queue.ts'

const URGENCIES = ['urgent', 'patient', 'bulk'] as const
export type Urgency = (typeof URGENCIES)[number]

/** How soon something is to be done, and for whom. What still waits when the signal comes is not done. */
export type Claim = {
  urgency: Urgency
  asker: number | undefined
  signal?: AbortSignal | undefined
}

export const isBefore = (one: Urgency, other: Urgency): boolean =>
  URGENCIES.indexOf(one) < URGENCIES.indexOf(other)

/**
 * How often a lane that waits is passed over before its turn comes. A memory's piece may cost as much as some three
 * queries: where both never cease, creates have a quarter of the model, and imports come further, too.
 */
const PASSED_OVER_MAX = { patient: 8, bulk: 32 }
const LOWER = ['patient', 'bulk'] as const
type Lower = (typeof LOWER)[number]

/** The bundled model has as many done in a quarter of a second, and most callers wait longer than that. */
const QUERIES_IN_ORDER_MAX = 64

/** Work of the service itself, all of which counts as one asker's. */
const NOBODY = 0

/** The asker is a space: one key's many texts do not hold up another one's. */
export class UrgentFirst<Item> {
  readonly #lanes: Record<Urgency, FairQueue<Item>> = {
    urgent: new FairQueue(QUERIES_IN_ORDER_MAX),
    patient: new FairQueue(),
    bulk: new FairQueue(),
  }

  /** How often each lane was passed over while it waits. */
  readonly #passedOver = { patient: 0, bulk: 0 }

  add(item: Item, urgency: Urgency, asker = NOBODY): void {
    this.#lanes[urgency].add(item, asker)
  }

  /** In front of its lane: it had its turn, and was called back. */
  putBack(item: Item, urgency: Urgency, asker = NOBODY): void {
    this.#lanes[urgency].putBack(item, asker)
  }

  /** Takes out one that waits. False where there is none: it has left. */
  remove(item: Item, urgency: Urgency, asker = NOBODY): boolean {
    return this.#lanes[urgency].remove(item, asker)
  }

  /** With ranks, the next one of the first lane out of which anything may leave. */
  next(rankOf?: RankOf<Item>): Item | undefined {
    for (const lane of [...this.#overdue(), ...URGENCIES]) {
      const item = this.#lanes[lane].next(rankOf)
      if (item === undefined) continue
      this.#countPassed(lane)
      if (lane !== 'urgent') this.#passedOver[lane] = 0
      return item
    }
    return undefined
  }

  /**
   * The next item that may be handed out early. It is called back for whatever is more urgent, so this does not
   * count as its lane's turn. Undefined while something urgent waits, or a lane whose turn it is.
   */
  nextPatient(): Item | undefined {
    const lane = this.#patientLane()
    const item = lane && this.#lanes[lane].next()
    if (lane !== undefined) this.#countPassed(lane)
    return item
  }

  /** What `nextPatient` would give, left where it is. */
  get firstPatient(): Item | undefined {
    const lane = this.#patientLane()
    return lane && this.#lanes[lane].first
  }

  get length(): number {
    return URGENCIES.reduce((sum, urgency) => sum + this.#lanes[urgency].length, 0)
  }

  #patientLane(): Lower | undefined {
    if (this.#isWaiting('urgent') || this.#overdue().length > 0) return undefined
    return LOWER.find((lane) => this.#isWaiting(lane))
  }

  #overdue(): Lower[] {
    return LOWER.filter(
      (lane) => this.#passedOver[lane] >= PASSED_OVER_MAX[lane] && this.#isWaiting(lane),
    )
  }

  #isWaiting(lane: Urgency): boolean {
    return this.#lanes[lane].first !== undefined
  }

  #countPassed(left: Urgency): void {
    for (const lane of LOWER) {
      if (lane !== left && this.#isWaiting(lane)) this.#passedOver[lane] += 1
    }
  }

  /** Takes everything out. */
  drain(): Item[] {
    return URGENCIES.flatMap((urgency) => this.#lanes[urgency].drain())
  }
}
