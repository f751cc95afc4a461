// Cuts a text into overlapping pieces that an embedding model reads whole. A piece ends where a
// sentence ends; only a sentence longer than a piece is cut between words. The overlap keeps what
// lies on a border readable in one of the two pieces.

export type Span = { start: number; end: number }

export type PieceSize = {
  /** Most tokens of a piece, special tokens not counted. */
  tokensMax: number
  /** At most this many tokens of a piece are repeated at the start of the next. */
  overlapTokens: number
}

type Unit = Span & { tokens: number }
type CountTokens = (text: string) => number

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Spans in UTF-16 code units, in order; together they cover the text. */
export function piecesOf(text: string, countTokens: CountTokens, size: PieceSize): Span[] {
  if (countTokens(text) <= size.tokensMax) return [{ start: 0, end: text.length }]
  const units = unitsOf(text, countTokens, size.tokensMax)
  const pieces: Span[] = []
  let first = 0
  while (first < units.length) {
    const next = endOfPiece(units, first, size.tokensMax)
    pieces.push(spanOf(units.slice(first, next)))
    if (next === units.length) break
    first = startOfOverlap(units, { first, next }, size.overlapTokens)
  }
  return pieces
}

/** Sentences, and the parts of those that are too long for a piece. */
function unitsOf(text: string, countTokens: CountTokens, tokensMax: number): Unit[] {
  return segmentsOf(sentences, text, 0).flatMap((sentence) => {
    const content = text.slice(sentence.start, sentence.end)
    const tokens = countTokens(content)
    if (tokens <= tokensMax) return [{ ...sentence, tokens }]
    const parts = segmentsOf(words, content, sentence.start).map((word) => ({
      ...word,
      tokens: countTokens(text.slice(word.start, word.end)),
    }))
    return joined(parts, tokensMax)
  })
}

const segmentsOf = (segmenter: Intl.Segmenter, text: string, offset: number): Span[] =>
  [...segmenter.segment(text)].map(({ index, segment }) => ({
    start: offset + index,
    end: offset + index + segment.length,
  }))

/** Joins neighbours while they stay well below a piece, so that an overlap remains possible. */
function joined(parts: Unit[], tokensMax: number): Unit[] {
  const units: Unit[] = []
  for (const part of parts) {
    const last = units.at(-1)
    if (last !== undefined && last.tokens + part.tokens <= tokensMax / 4) {
      last.end = part.end
      last.tokens += part.tokens
    } else {
      units.push({ ...part })
    }
  }
  return units
}

/** The index after the last unit that still fits. A piece has at least one unit. */
function endOfPiece(units: Unit[], first: number, tokensMax: number): number {
  let tokens = 0
  for (let index = first; index < units.length; index += 1) {
    tokens += units[index]?.tokens ?? 0
    if (tokens > tokensMax && index > first) return index
  }
  return units.length
}

/** Goes back from the end of a piece as far as the overlap allows, but always makes progress. */
function startOfOverlap(
  units: Unit[],
  { first, next }: { first: number; next: number },
  overlapTokens: number,
): number {
  let tokens = 0
  let start = next
  while (start - 1 > first) {
    tokens += units[start - 1]?.tokens ?? 0
    if (tokens > overlapTokens) break
    start -= 1
  }
  return start
}

const spanOf = (units: Unit[]): Span => ({
  start: units[0]?.start ?? 0,
  end: units.at(-1)?.end ?? 0,
})
