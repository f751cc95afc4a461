// Memories that mention a name: as whole words, whatever case and diacritics. There is no index for
// it, so contents are read newest first, a bounded number at a time.
import { foldName } from '../retrieval/fold.ts'
import type { MemoryRecord } from './records.ts'

/**
 * Characters that one call reads at most, besides the memory that goes over it: folded ones, of which a ligature
 * can have eighteen.
 */
const CHARACTERS_MAX = 2_000_000
const BEGINS_WORD = /^[\p{L}\p{N}]/u
const ENDS_WORD = /[\p{L}\p{N}]$/u

/** What one call has found so far. */
export class Mentions {
  readonly items: MemoryRecord[] = []
  readonly #name: RegExp
  readonly #limit: number
  #characters = 0

  constructor(name: string, limit: number) {
    this.#name = wholeWords(foldName(name).trim())
    this.#limit = limit
  }

  /** To be called with memories newest first. Where to go on, once that is enough for one call. */
  look(memory: MemoryRecord): string | undefined {
    const folded = foldName(memory.content)
    this.#characters += folded.length
    if (this.#name.test(folded)) this.items.push(memory)
    const isEnough = this.items.length === this.#limit || this.#characters >= CHARACTERS_MAX
    return isEnough ? `${memory.createdAt}.${memory.id}` : undefined
  }
}

/** The memory after which to go on: undefined, the start, for a position that no page gave out. */
export function parsePosition(
  text: string | undefined,
): { createdAt: number; id: string } | undefined {
  const [time = '', id] = text?.split('.') ?? []
  return id !== undefined && /^-?\d{1,15}$/.test(time) ? { createdAt: Number(time), id } : undefined
}

/** In folded texts. What begins or ends a word in the name has to do so in the text. */
function wholeWords(name: string): RegExp {
  const before = BEGINS_WORD.test(name) ? '(?<![\\p{L}\\p{N}])' : ''
  const after = ENDS_WORD.test(name) ? '(?![\\p{L}\\p{N}])' : ''
  return new RegExp(before + RegExp.escape(name) + after, 'u')
}
