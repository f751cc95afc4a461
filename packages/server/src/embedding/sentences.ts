// The sentences of a piece, which are embedded beside it: a fact among others hardly moves the
// vector of a whole piece, but it is the whole of its sentence. Very short ones ("Yes, of course!")
// mean too little alone, and would be found for anything. What was spoken, or is a list, ends no
// sentence: there windows of words stand for them. What a piece repeats is there once, and a memory
// has a bounded number, since every search of its space reads them all.
// decisions/2026-11-25-sentences-of-a-memory.md, decisions/2026-11-26-windows-of-long-sentences.md
import { labelOf } from '../retrieval/words/names.ts'
import { queryWithOwner, withOwner } from './owner.ts'
import type { CountTokens, Span } from './pieces.ts'

const TOKENS_MIN = 5
/** More than the tersest conversation has in the longest text, of whatever script. */
const OF_MEMORY_MAX = 1_000

/** A sentence of more words is read in windows. */
const SENTENCE_WORDS_MAX = 40
const WINDOW_WORDS = 16
/** Half a window, so that what one cuts in two stands whole in the next. */
const STEP_WORDS = 8

/** `Dr. Lee`, `St. James`, `Samuel L. Jackson`, `e.g. Tuesday`: a full stop that ends no sentence. */
const ABBREVIATED =
  /(?<![\p{L}\p{N}])(?:Mrs?|Ms|Dr|Prof|Rev|Gen|Sen|Capt|Lt|Col|Sgt|St|Mt|vs|cf|e\.g|i\.e|\p{Lu}\p{Ll}+ \p{Lu})\.[^\S\n\r]+$/u
/** More than the longest of them with the first name before it. */
const ABBREVIATED_LENGTH_MAX = 24
/** `der 1. FC`, `am 3. Dezember`: German writes a full stop behind a number in a row. */
const ORDINAL = /(?<![\p{L}\p{N}])(?:d(?:er|ie|as|em|en|es)|vom|zu[mr]) \d{1,3}\.[^\S\n\r]+$/iu
const DAY = /(?<![\p{L}\p{N}.,])[0-3]?\d\.[^\S\n\r]+$/u
const MONTH =
  /^(?:Jan(?:uar)?|Jänner|Feb(?:ruar)?|März|Apr(?:il)?|Mai|Juni|Juli|Aug(?:ust)?|Sept?(?:ember)?|Okt(?:ober)?|Nov(?:ember)?|Dez(?:ember)?)(?!\p{L})/u

/** Made by the first text: they take 20 ms, and the main thread only puts sentences together. */
let segmenters: { sentences: Intl.Segmenter; words: Intl.Segmenter } | undefined

/**
 * For each piece the sentences that begin in it, and in no piece before. None for a text that is one
 * sentence of ordinary length. Windows overlap. Beyond a thousand, or one a piece where there are more pieces,
 * neighbours are joined.
 */
export function sentencesOf(text: string, pieces: Span[], countTokens: CountTokens): Span[][] {
  const sentences = sentencesIn(text)
  let next = 0
  const ofPieces = pieces.map(({ end }) => {
    const first = next
    while ((sentences[next]?.start ?? end) < end) next += 1
    const begun = sentences.slice(first, next)
    if (pieces.length === 1 && begun.length === 1) return []
    const telling = begun.filter(
      (span) => countTokens(text.slice(span.start, span.end)) >= TOKENS_MIN,
    )
    return withoutRepeated(text, telling)
  })
  return fewEnough(ofPieces)
}

/** A piece has the score of its best sentence, and of equal ones the first is the one that is shown. */
function withoutRepeated(text: string, sentences: Span[]): Span[] {
  const first = new Map<string, Span>()
  for (const span of sentences) {
    const embedded = sentenceText(text, span)
    if (!first.has(embedded)) first.set(embedded, span)
  }
  return [...first.values()]
}

/** In groups of one size, of neighbours in a piece: what is joined is read whole, as the piece is. */
function fewEnough(ofPieces: Span[][]): Span[][] {
  const longest = Math.max(...ofPieces.map(({ length }) => length))
  let joined = ofPieces
  for (let size = 2; joined.flat().length > OF_MEMORY_MAX && size <= longest; size += 1) {
    joined = ofPieces.map((sentences) => inGroups(sentences, size))
  }
  return joined
}

function inGroups(sentences: Span[], size: number): Span[] {
  const groups: Span[] = []
  for (let first = 0; first < sentences.length; first += size) {
    const group = sentences.slice(first, first + size)
    const [start, end] = [group.at(0)?.start, group.at(-1)?.end]
    if (start !== undefined && end !== undefined) groups.push({ start, end })
  }
  return groups
}

/** What is embedded for a sentence: who says it is told in front of each. */
export function sentenceText(text: string, span: Span): string {
  const label = labelOf(text)
  const sentence = pieceText(text, span)
  return label === undefined || span.start === 0 ? sentence : `${label}: ${sentence}`
}

/** What is embedded for a piece. */
export function pieceText(text: string, { start, end }: Span): string {
  const piece = text.slice(start, end)
  return start === 0 ? withOwner(piece) : piece
}

/** The same of a query. */
export function pieceOfQuery(query: string, { start, end }: Span): string {
  const piece = query.slice(start, end)
  return start === 0 ? queryWithOwner(piece) : piece
}

/** Without white space around them. A note in brackets is a sentence of its own. */
function sentencesIn(text: string): Span[] {
  const spans: Span[] = []
  segmenters ??= {
    sentences: new Intl.Segmenter('en', { granularity: 'sentence' }),
    words: new Intl.Segmenter('en', { granularity: 'word' }),
  }
  for (const { start: begin, end } of wholeSentences(text, segmenters.sentences)) {
    let start = begin
    for (const part of text.slice(begin, end).split(/(?=\s\[)/)) {
      const content = part.trim()
      const lead = part.length - part.trimStart().length
      if (content !== '') spans.push(...windowsOf(content, start + lead, segmenters.words))
      start += part.length
    }
  }
  return spans
}

/** What the segmenter parts after an abbreviation or a number in a row is put together again. */
function wholeSentences(text: string, segmenter: Intl.Segmenter): Span[] {
  const spans: Span[] = []
  let before = ''
  for (const { index, segment } of segmenter.segment(text)) {
    const end = index + segment.length
    const last = spans.at(-1)
    if (last !== undefined && goesOn(before, segment)) last.end = end
    else spans.push({ start: index, end })
    before = segment.slice(-ABBREVIATED_LENGTH_MAX)
  }
  return spans
}

const goesOn = (before: string, after: string): boolean =>
  ABBREVIATED.test(before) || ORDINAL.test(before) || (DAY.test(before) && MONTH.test(after))

/** The sentence as it is, unless it is too long; together they cover it. `offset` is where it begins. */
function windowsOf(sentence: string, offset: number, segmenter: Intl.Segmenter): Span[] {
  const words = [...segmenter.segment(sentence)].filter(({ isWordLike }) => isWordLike)
  const end = offset + sentence.length
  if (words.length <= SENTENCE_WORDS_MAX) return [{ start: offset, end }]
  const count = Math.ceil((words.length - WINDOW_WORDS) / STEP_WORDS) + 1
  return Array.from({ length: count }, (_, place) => {
    const first = words[place * STEP_WORDS]
    const last = place < count - 1 ? words[place * STEP_WORDS + WINDOW_WORDS - 1] : undefined
    return {
      start: place === 0 || first === undefined ? offset : offset + first.index,
      end: last === undefined ? end : offset + last.index + last.segment.length,
    }
  })
}
