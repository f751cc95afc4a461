// Memories that mention a name: as whole words, whatever case, diacritics and breaks of lines. There is no index
// for it, so contents are read newest first, a bounded number at a time.
import type { TextSpan } from '../retrieval/explanation.ts'
import { foldName, foldText, undivide } from '../retrieval/fold.ts'
import { OF_UNSPACED_SCRIPTS } from '../retrieval/unspaced-scripts.ts'
import type { MentionRecord } from './console-store.ts'
import type { MemoryRecord } from './records.ts'

/**
 * Characters that one call reads at most, besides the memory that goes over it: folded ones, of which a ligature
 * can have eighteen.
 */
const CHARACTERS_MAX = 2_000_000
/** In folded texts, where other marks are gone: a vowel that is a sign at its letter belongs to the word. */
const OF_WORD = String.raw`[[\p{L}\p{Mc}\p{N}]--[${OF_UNSPACED_SCRIPTS}]]`
const BEGINS_WORD = new RegExp(`^${OF_WORD}`, 'v')
const ENDS_WORD = new RegExp(`${OF_WORD}$`, 'v')
/** A vowel, or the end of a syllable of Hangul, which is folded into its letters. */
const OF_LETTER = String.raw`[\p{Mc}\u1160-\u11ff]`

/** What one call has found so far. */
export class Mentions {
  readonly items: MentionRecord[] = []
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
    const found = this.#name.exec(folded)
    if (found !== null) {
      const end = found.index + found[0].length
      this.items.push({ ...memory, place: unfolded(memory.content, { start: found.index, end }) })
    }
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

/** What begins or ends a word in the name has to do so in the text. */
function wholeWords(name: string): RegExp {
  const before = BEGINS_WORD.test(name) ? `(?<!${OF_WORD})` : ''
  const after = ENDS_WORD.test(name) ? `(?!${OF_WORD})` : ''
  const words = name.split(/\s+/).map((word) => RegExp.escape(word))
  return new RegExp(`${before}${words.join(String.raw`\s+`)}(?!${OF_LETTER})${after}`, 'v')
}

/** Where the text has what has this place in the folded one, with the marks behind it. */
function unfolded(text: string, { start, end }: TextSpan): TextSpan {
  const lengths = new Map<string, number>()
  const place = { start: 0, end: text.length }
  let [at, before] = [0, 0]
  for (const character of text) {
    const length = lengths.get(character) ?? undivide(foldText(character)).length
    lengths.set(character, length)
    if (length > 0 && before >= end) return { ...place, end: at }
    if (length > 0 && before <= start) place.start = at
    at += character.length
    before += length
  }
  return place
}
