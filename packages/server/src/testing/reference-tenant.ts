// What one key must see, kept in plain maps: the reference that the service is compared with.
// Every text of a tenant carries its canary, so that a foreign byte shows wherever it turns up.
import type { Answer, Call } from './api-client.ts'

export type Row = { id: string } & Record<string, unknown>
export type Noun = 'memories' | 'entities' | 'relations'

export class ReferenceTenant {
  readonly canary: string
  readonly call: Call
  readonly rows: Record<Noun, Map<string, Row>> = {
    memories: new Map(),
    entities: new Map(),
    relations: new Map(),
  }

  constructor(canary: string, call: Call) {
    this.canary = canary
    this.call = call
  }

  owns(noun: Noun, id: string): boolean {
    return this.rows[noun].has(id)
  }

  /** Newest first: rows are remembered in the order of their making. */
  list(noun: Noun, keep: (row: Row) => boolean = () => true): Row[] {
    return [...this.rows[noun].values()].filter(keep).toReversed()
  }

  remember(noun: Noun, { body }: Answer): void {
    const row: Row = Object(body)
    this.rows[noun].set(row.id, row)
  }

  forget(noun: Noun, id: string): void {
    this.rows[noun].delete(id)
    if (noun !== 'entities') return
    for (const [relationId, { sourceId, targetId }] of this.rows.relations) {
      if (sourceId === id || targetId === id) this.rows.relations.delete(relationId)
    }
  }

  /** What a get answers: what its create answered, and for a relation its ends. */
  expanded(noun: Noun, row: Row): Row {
    if (noun !== 'relations') return row
    return { ...row, source: this.#end(row['sourceId']), target: this.#end(row['targetId']) }
  }

  #end(id: unknown): object {
    const entity = this.rows.entities.get(String(id))
    return { id, name: entity?.['name'], type: entity?.['type'] }
  }
}

export const withoutMetadata = (row: Row): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'metadata'))
