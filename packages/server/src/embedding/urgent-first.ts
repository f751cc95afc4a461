// A queue of three lanes: whatever is urgent leaves before anything patient, that before anything of a
// bulk import, and within a lane the first to come is the first to go. Somebody waits for a query, and
// somebody for a create; an import can take its time.
// decisions/2026-11-21-own-embedding-pool.md, decisions/2026-11-21-bulk-import.md

export type Urgency = 'urgent' | 'patient' | 'bulk'

export class UrgentFirst<Item> {
  readonly #lanes: Record<Urgency, Item[]> = { urgent: [], patient: [], bulk: [] }

  add(item: Item, urgency: Urgency): void {
    this.#lanes[urgency].push(item)
  }

  next(): Item | undefined {
    const { urgent, patient, bulk } = this.#lanes
    return urgent.shift() ?? patient.shift() ?? bulk.shift()
  }

  /** Takes everything out. */
  drain(): Item[] {
    const { urgent, patient, bulk } = this.#lanes
    return [...urgent.splice(0), ...patient.splice(0), ...bulk.splice(0)]
  }
}
