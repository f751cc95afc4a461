// Cuts a text into overlapping pieces that an embedding model reads whole. A piece ends where a
// sentence ends; only a sentence longer than a piece is cut between words, and only a word longer
// than that between characters. The overlap keeps what lies on a border readable in one of the two
// pieces.

export type Span = { start: number; end: number }

export type PieceSize = {
  /** Most tokens of a piece, special tokens not counted. */
  tokensMax: number
  /** At most this many tokens of a piece are repeated at the start of the next. */
  overlapTokens: number
}

type Unit = Span & { tokens: number }
export type CountTokens = (text: string) => number

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Spans in UTF-16 code units, in order; together they cover the text. A piece has more tokens than
 * allowed only when it is a single character.
 */
export function piecesOf(text: string, countTokens: CountTokens, size: PieceSize): Span[] {
  const units = spansOf(sentences, text, 0).flatMap((sentence) =>
    unitsOf(text, sentence, countTokens, size),
  )
  const pieces: Span[] = []
  let first = 0
  while (first < units.length) {
    const next = endOfPiece(units, first, size.tokensMax)
    pieces.push(spanOf(units.slice(first, next)))
    if (next === units.length) break
    first = startOfOverlap(units, { first, next }, size)
  }
  return pieces
}

/** A sentence, or the parts of one that is too long for a piece. */
function unitsOf(text: string, sentence: Span, countTokens: CountTokens, size: PieceSize): Unit[] {
  // Parts no longer than the overlap, so that an overlap remains possible inside the sentence.
  const partTokensMax = Math.min(size.overlapTokens || size.tokensMax, size.tokensMax)

  function cut(span: Span, tokensMax: number): Unit[] {
    const tokens = countTokens(text.slice(span.start, span.end))
    if (tokens <= tokensMax) return [{ ...span, tokens }]
    // Tokens are not spread evenly: aiming below the limit saves most parts a second cut.
    const parts = partsOf(text, span, Math.ceil((1.5 * tokens) / partTokensMax))
    if (parts.length === 1) return [{ ...span, tokens }]
    return parts.flatMap((part) => cut(part, partTokensMax))
  }

  return cut(sentence, size.tokensMax)
}

/** About `count` parts of similar length; fewer when the span has not enough borders. */
function partsOf(text: string, span: Span, count: number): Span[] {
  const borders = bordersInside(text, span)
  const last = borders.at(-1)
  if (last === undefined) return [span]
  const lengthMin = (span.end - span.start) / count
  const parts: Span[] = []
  let start = span.start
  for (const border of borders) {
    // The last border is taken in any case when there was no other: every cut makes progress.
    if (border - start < lengthMin && !(border === last && parts.length === 0)) continue
    parts.push({ start, end: border })
    start = border
  }
  parts.push({ start, end: span.end })
  return parts
}

/** Where a span may be cut: between words, else between what readers see as characters, else… */
function bordersInside(text: string, { start, end }: Span): number[] {
  const content = text.slice(start, end)
  for (const segmenter of [words, graphemes]) {
    const borders = spansOf(segmenter, content, start).map((segment) => segment.start)
    if (borders.length > 1) return borders.slice(1)
  }
  const borders: number[] = []
  let border = start
  for (const codePoint of content) {
    border += codePoint.length
    borders.push(border)
  }
  return borders.slice(0, -1)
}

const spansOf = (segmenter: Intl.Segmenter, text: string, offset: number): Span[] =>
  [...segmenter.segment(text)].map(({ index, segment }) => ({
    start: offset + index,
    end: offset + index + segment.length,
  }))

/** The index after the last unit that still fits. A piece has at least one unit. */
function endOfPiece(units: Unit[], first: number, tokensMax: number): number {
  let tokens = 0
  for (let index = first; index < units.length; index += 1) {
    tokens += units[index]?.tokens ?? 0
    if (tokens > tokensMax && index > first) return index
  }
  return units.length
}

/**
 * Goes back from the end of a piece as far as the overlap allows. The next piece always begins
 * later and always reaches further: what is repeated leaves room for the unit after it.
 */
function startOfOverlap(
  units: Unit[],
  { first, next }: { first: number; next: number },
  { tokensMax, overlapTokens }: PieceSize,
): number {
  const room = Math.min(overlapTokens, tokensMax - (units[next]?.tokens ?? 0))
  let tokens = 0
  let start = next
  while (start - 1 > first) {
    tokens += units[start - 1]?.tokens ?? 0
    if (tokens > room) break
    start -= 1
  }
  return start
}

const spanOf = (units: Unit[]): Span => ({
  start: units[0]?.start ?? 0,
  end: units.at(-1)?.end ?? 0,
})
