// The memories of a space by what they have in common: the user, the agent, a tag.
import type { MemoryFilter } from '../store.ts'

/** A memory or a filter. */
type Grouped = {
  userId?: string | undefined
  agentId?: string | undefined
  tags?: string[] | undefined
}

export class Groups {
  readonly #members = new Map<string, Set<number>>()

  add(memory: number, grouped: Grouped): void {
    for (const group of groupsOf(grouped)) {
      const members = this.#members.get(group)
      if (members === undefined) this.#members.set(group, new Set([memory]))
      else members.add(memory)
    }
  }

  remove(memory: number, grouped: Grouped): void {
    for (const group of groupsOf(grouped)) {
      const members = this.#members.get(group)
      members?.delete(memory)
      if (members?.size === 0) this.#members.delete(group)
    }
  }

  /**
   * The members of the smallest group that the filter names: whoever passes is among them. Undefined
   * when that would be more than `max`.
   */
  smallest(filter: MemoryFilter, max: number): Uint32Array | undefined {
    const groups = groupsOf(filter).map((group) => this.#members.get(group))
    if (groups.includes(undefined)) return new Uint32Array(0)
    const [smallest] = groups.toSorted((one, other) => (one?.size ?? 0) - (other?.size ?? 0))
    return smallest === undefined || smallest.size > max ? undefined : Uint32Array.from(smallest)
  }
}

/** The first letters keep users, agents and tags apart. */
const groupsOf = ({ userId, agentId, tags = [] }: Grouped): string[] => [
  ...(userId === undefined ? [] : [`u${userId}`]),
  ...(agentId === undefined ? [] : [`a${agentId}`]),
  ...tags.map((tag) => `t${tag}`),
]
