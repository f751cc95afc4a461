// A queue of three lanes: whatever is urgent leaves before anything patient, that before anything of a
// bulk import, and within a lane the first to come is the first to go. Somebody waits for a query, and
// somebody for a create; an import can take its time.
// decisions/2026-11-21-own-embedding-pool.md, decisions/2026-11-21-bulk-import.md

const URGENCIES = ['urgent', 'patient', 'bulk'] as const
export type Urgency = (typeof URGENCIES)[number]

export const isBefore = (one: Urgency, other: Urgency): boolean =>
  URGENCIES.indexOf(one) < URGENCIES.indexOf(other)

export class UrgentFirst<Item> {
  readonly #lanes: Record<Urgency, Item[]> = { urgent: [], patient: [], bulk: [] }

  add(item: Item, urgency: Urgency): void {
    this.#lanes[urgency].push(item)
  }

  /** In front of its lane: it had its turn, and was called back. */
  putBack(item: Item, urgency: Urgency): void {
    this.#lanes[urgency].unshift(item)
  }

  next(): Item | undefined {
    return this.#lanes.urgent.shift() ?? this.nextPatient()
  }

  /** The next of those that need not be first; nothing while there is one that does. */
  nextPatient(): Item | undefined {
    const { urgent, patient, bulk } = this.#lanes
    return urgent.length > 0 ? undefined : (patient.shift() ?? bulk.shift())
  }

  /** Takes everything out. */
  drain(): Item[] {
    const { urgent, patient, bulk } = this.#lanes
    return [...urgent.splice(0), ...patient.splice(0), ...bulk.splice(0)]
  }
}
