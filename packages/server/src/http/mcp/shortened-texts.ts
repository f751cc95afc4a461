// An agent reads an answer whole, and most take no more than some 25,000 tokens. So in a list of records a
// long text is cut to its beginning, as much of each as leaves room for all, and ends with where to find the
// whole. Short texts, and records that are fetched by themselves, stay as they are.

/** In characters, of the texts of one answer together. English has four to five characters a token. */
export const TEXTS_LENGTH_MAX = 40_000

const TEXT_FIELDS = ['content', 'description']

/** `answer` is what an operation answers; other fields and other answers come back as they were. */
export function withShortenedTexts(answer: unknown, toolForWhole: string): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(
    Object.entries(answer).map(([name, part]: [string, unknown]) => {
      if (!Array.isArray(part)) return [name, part]
      const lengthMax = shareOf(part.flatMap(textsOf).map(charactersOf))
      return [name, part.map((record: unknown) => shortened(record, lengthMax, toolForWhole))]
    }),
  )
}

/** As much as each text may have, so that all fit: what the short ones leave over, the long ones share. */
function shareOf(lengths: number[]): number {
  let room = TEXTS_LENGTH_MAX
  const ascending = lengths.toSorted((one, other) => one - other)
  for (const [place, length] of ascending.entries()) {
    const share = Math.floor(room / (ascending.length - place))
    if (length > share) return share
    room -= length
  }
  return TEXTS_LENGTH_MAX
}

const BEYOND_16_BITS = /[\u{10000}-\u{10ffff}]/gu

/** `length` counts a character beyond 16 bits, such as an emoji, as two. */
const charactersOf = (text: string): number =>
  text.length - (text.match(BEYOND_16_BITS)?.length ?? 0)

const isText = (name: string, value: unknown): value is string =>
  typeof value === 'string' && TEXT_FIELDS.includes(name)

function textsOf(record: unknown): string[] {
  return Object.entries(Object(record)).flatMap(([name, value]: [string, unknown]) =>
    isText(name, value) ? [value] : [],
  )
}

function shortened(record: unknown, lengthMax: number, toolForWhole: string): unknown {
  if (typeof record !== 'object' || record === null) return record
  return Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, unknown]) => {
      if (!isText(name, value) || charactersOf(value) <= lengthMax) return [name, value]
      const characters = [...value]
      const beginning = characters.slice(0, lengthMax).join('')
      const note = `[${lengthMax} of ${characters.length} characters: ${toolForWhole} has all of them]`
      return [name, `${beginning} … ${note}`]
    }),
  )
}
