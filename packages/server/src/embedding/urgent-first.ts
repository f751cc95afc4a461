// A queue of three lanes: whatever is urgent leaves before anything patient, that before anything of a
// bulk import, and within a lane those who ask take turns. Somebody waits for a query, and somebody for a
// create; an import can take its time.
// decisions/2026-11-21-own-embedding-pool.md, decisions/2026-11-21-bulk-import.md
import { FairQueue, type RankOf } from '../turns/fair-queue.ts'

const URGENCIES = ['urgent', 'patient', 'bulk'] as const
export type Urgency = (typeof URGENCIES)[number]

/** How soon something is to be done, and for whom. */
export type Claim = { urgency: Urgency; asker: number | undefined }

export const isBefore = (one: Urgency, other: Urgency): boolean =>
  URGENCIES.indexOf(one) < URGENCIES.indexOf(other)

/** Work of the service itself, all of which counts as one asker's. */
const NOBODY = 0

/** The asker is a space: one key's many texts do not hold up another one's. */
export class UrgentFirst<Item> {
  readonly #lanes: Record<Urgency, FairQueue<Item>> = {
    urgent: new FairQueue(),
    patient: new FairQueue(),
    bulk: new FairQueue(),
  }

  add(item: Item, urgency: Urgency, asker = NOBODY): void {
    this.#lanes[urgency].add(item, asker)
  }

  /** In front of its lane: it had its turn, and was called back. */
  putBack(item: Item, urgency: Urgency, asker = NOBODY): void {
    this.#lanes[urgency].putBack(item, asker)
  }

  /** With ranks, the next one of the first lane out of which anything may leave. */
  next(rankOf?: RankOf<Item>): Item | undefined {
    const { urgent, patient, bulk } = this.#lanes
    return urgent.next(rankOf) ?? patient.next(rankOf) ?? bulk.next(rankOf)
  }

  /** The next of those that need not be first; nothing while there is one that does. */
  nextPatient(): Item | undefined {
    const { urgent, patient, bulk } = this.#lanes
    return urgent.first === undefined ? (patient.next() ?? bulk.next()) : undefined
  }

  /** What `nextPatient` would give, left where it is. */
  get firstPatient(): Item | undefined {
    const { urgent, patient, bulk } = this.#lanes
    return urgent.first === undefined ? (patient.first ?? bulk.first) : undefined
  }

  get length(): number {
    return URGENCIES.reduce((sum, urgency) => sum + this.#lanes[urgency].length, 0)
  }

  /** Takes everything out. */
  drain(): Item[] {
    return URGENCIES.flatMap((urgency) => this.#lanes[urgency].drain())
  }
}
