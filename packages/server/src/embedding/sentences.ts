// The sentences of a piece, which are embedded beside it: a fact among others hardly moves the
// vector of a whole piece, but it is the whole of its sentence. Very short ones ("Yes, of course!")
// mean too little alone, and would be found for anything.
import { labelOf } from '../retrieval/names.ts'
import type { CountTokens, Span } from './pieces.ts'

const TOKENS_MIN = 5

/** Made by the first text: it takes 20 ms, and the main thread only puts sentences together. */
let segmenter: Intl.Segmenter | undefined

/**
 * For each piece the sentences that begin in it, and in no piece before. None for a piece that is
 * one sentence.
 */
export function sentencesOf(text: string, pieces: Span[], countTokens: CountTokens): Span[][] {
  const sentences = sentencesIn(text)
  let next = 0
  return pieces.map(({ end }) => {
    const first = next
    while ((sentences[next]?.start ?? end) < end) next += 1
    const begun = sentences.slice(first, next)
    if (pieces.length === 1 && begun.length === 1) return []
    return begun.filter((span) => countTokens(text.slice(span.start, span.end)) >= TOKENS_MIN)
  })
}

/** What is embedded for a sentence: who says it is told in front of each. */
export function sentenceText(text: string, { start, end }: Span): string {
  const label = labelOf(text)
  const sentence = text.slice(start, end)
  return label === undefined || start === 0 ? sentence : `${label}: ${sentence}`
}

/** Without white space around them. A note in brackets is a sentence of its own. */
function sentencesIn(text: string): Span[] {
  const spans: Span[] = []
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  for (const { index, segment } of segmenter.segment(text)) {
    let start = index
    for (const part of segment.split(/(?=\s\[)/)) {
      const content = part.trim()
      const lead = part.length - part.trimStart().length
      if (content !== '') spans.push({ start: start + lead, end: start + lead + content.length })
      start += part.length
    }
  }
  return spans
}
