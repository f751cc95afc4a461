// Which memories have a term, and how many: the weights of a query's terms, and what the words of a
// query are worth to each memory, as points beside the rows. A memory of several pieces counts as
// having the terms of all of them: that is more than any one piece has, never less.
import type { QueryTerm } from '../../../../retrieval/evidence.ts'
import { IDENTITY_MARK } from '../../../../retrieval/identity.ts'
import { type WeighedTerm, weighTerms } from '../../../../retrieval/weighing.ts'
import type { CopyReader, CopyWriter, Reading } from '../packed/copy-file.ts'
import type { CodeMemory } from '../scan/code-memory.ts'
import { bitsOf, listOf } from './groups.ts'
import { Identities } from './identities.ts'
import { type Members, Postings } from './postings.ts'

export class TermIndex {
  readonly #postings = new Postings()
  readonly #identities = new Identities()

  get bytes(): number {
    return this.#postings.bytes + this.#identities.bytes
  }

  /** The terms of all pieces of a memory, each once. */
  add(memory: number, terms: Iterable<string>): void {
    for (const term of terms) {
      if (term.startsWith(IDENTITY_MARK)) this.#identities.add(term, memory)
      else this.#postings.add(term, memory)
    }
  }

  remove(memory: number, terms: Iterable<string>): void {
    for (const term of terms) {
      if (term.startsWith(IDENTITY_MARK)) this.#identities.remove(term, memory)
      else this.#postings.remove(term, memory)
    }
  }

  save(to: CopyWriter): void {
    this.#postings.save(to)
    this.#identities.save(to)
  }

  *restore(from: CopyReader): Reading {
    yield* this.#postings.restore(from)
    yield* this.#identities.restore(from)
  }

  /** The memories that probably have the very text. */
  sameAs(identity: string): Uint32Array {
    const isOne = identity.startsWith(IDENTITY_MARK)
    return isOne ? listOf(this.#identities.members(identity)) : new Uint32Array(0)
  }

  /** `memories` is how many there are in the space. */
  weigh(terms: readonly QueryTerm[], memories: number): WeighedTerm[] {
    return weighTerms(terms, memories, (term) => this.#postings.count(term))
  }

  /**
   * Adds the worth of each term to the points of the memories that have any of its forms. There are
   * points for `rows`, a multiple of 8: bits may be kept for more, in reserve.
   */
  addPoints(
    memory: CodeMemory,
    { points, rows }: { points: number; rows: number },
    terms: readonly { forms: readonly string[]; worth: number }[],
  ): void {
    for (const { forms, worth } of terms) {
      if (worth === 0) continue
      const members = forms.flatMap((form) => this.#postings.members(form) ?? [])
      const [only] = members
      if (only === undefined) continue
      const any = members.length === 1 ? only : { bits: anyOf(members) }
      if ('list' in any) {
        // No room is taken meanwhile, so the view stays.
        const all = new Int16Array(memory.buffer, points)
        for (const member of any.list) all[member] = (all[member] ?? 0) + worth
      } else {
        const bits = any.bits.subarray(0, rows / 8)
        memory.kernel.addPoints(memory.setBits(bits), bits.length, worth, points)
      }
    }
  }
}

function anyOf(members: readonly Members[]): Uint8Array {
  const all = members.map(bitsOf)
  const any = new Uint8Array(Math.max(...all.map(({ length }) => length)))
  for (const bits of all) {
    for (let at = 0; at < bits.length; at += 1) any[at] = (any[at] ?? 0) | (bits[at] ?? 0)
  }
  return any
}
