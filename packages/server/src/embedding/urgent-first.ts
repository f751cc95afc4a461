// A queue of two lanes: whatever is urgent leaves before anything patient, and within a lane the
// first to come is the first to go. Somebody waits for a query, an import can take its time.
// decisions/2026-11-21-own-embedding-pool.md

export type Urgency = 'urgent' | 'patient'

export class UrgentFirst<Item> {
  readonly #lanes: Record<Urgency, Item[]> = { urgent: [], patient: [] }

  add(item: Item, urgency: Urgency): void {
    this.#lanes[urgency].push(item)
  }

  next(): Item | undefined {
    return this.#lanes.urgent.shift() ?? this.#lanes.patient.shift()
  }

  /** Takes everything out. */
  drain(): Item[] {
    return [...this.#lanes.urgent.splice(0), ...this.#lanes.patient.splice(0)]
  }
}
