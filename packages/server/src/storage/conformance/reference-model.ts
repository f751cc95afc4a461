// What a store holds, as plain lists: slow, obvious, and the measure for the real ones.
import type { EntityRecord, ExpandedRelation, MemoryRecord, RelationRecord } from '../records.ts'
import type { MemoryFilter, RelationInsertion } from '../store.ts'
import { exactSearch, passes, type StoredMemory } from './oracle.ts'

type Dated = { id: string; createdAt: number }
type SearchArguments = Parameters<typeof exactSearch>

const newestFirst = <Item extends Dated>(items: Item[]): Item[] =>
  items.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))

const without = <Item extends { id: string }>(items: Item[], id: string): Item[] =>
  items.filter((item) => item.id !== id)

export class ReferenceSpace {
  #memories: StoredMemory[] = []
  #entities: EntityRecord[] = []
  #relations: RelationRecord[] = []

  insertMemory(stored: StoredMemory): void {
    this.#memories.push(stored)
  }

  removeMemory(id: string): boolean {
    const before = this.#memories.length
    this.#memories = this.#memories.filter(({ memory }) => memory.id !== id)
    return this.#memories.length < before
  }

  memories(filter: MemoryFilter = {}): MemoryRecord[] {
    const all = this.#memories.map(({ memory }) => memory)
    return newestFirst(all.filter((memory) => passes(memory, filter)))
  }

  search(query: SearchArguments[1], filter: MemoryFilter, cut: SearchArguments[3]) {
    return exactSearch(this.#memories, query, filter, cut)
  }

  insertEntity(entity: EntityRecord): void {
    this.#entities.push(entity)
  }

  removeEntity(id: string): boolean {
    const before = this.#entities.length
    this.#entities = without(this.#entities, id)
    this.#relations = this.#relations.filter(
      ({ sourceId, targetId }) => sourceId !== id && targetId !== id,
    )
    return this.#entities.length < before
  }

  entities(): EntityRecord[] {
    return newestFirst(this.#entities)
  }

  insertRelation(relation: RelationRecord): RelationInsertion {
    const has = (id: string) => this.#entities.some((entity) => entity.id === id)
    if (!has(relation.sourceId)) return 'source-missing'
    if (!has(relation.targetId)) return 'target-missing'
    this.#relations.push(relation)
    return 'inserted'
  }

  removeRelation(id: string): boolean {
    const before = this.#relations.length
    this.#relations = without(this.#relations, id)
    return this.#relations.length < before
  }

  relations(): ExpandedRelation[] {
    const ends = new Map(this.#entities.map(({ id, name, type }) => [id, { id, name, type }]))
    return newestFirst(this.#relations).flatMap((relation) => {
      const [source, target] = [ends.get(relation.sourceId), ends.get(relation.targetId)]
      return source && target ? [{ ...relation, source, target }] : []
    })
  }
}
