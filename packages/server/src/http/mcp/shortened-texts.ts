// An agent reads an answer whole, and most take no more than some 25,000 tokens of one. So in a list of
// records long texts are told by their beginning, as much of each as leaves room for all; where the whole
// text is, stands at its end. Short texts, and records that are fetched by themselves, stay as they are.

/** Of the texts of one answer together. English has four to five characters a token. */
export const TEXTS_LENGTH_MAX = 40_000

const TEXT_FIELDS = ['content', 'description']

/** `answer` is what an operation answers; other fields and other answers come back as they were. */
export function withShortenedTexts(answer: unknown, toolForWhole: string): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(
    Object.entries(answer).map(([name, part]: [string, unknown]) => {
      if (!Array.isArray(part)) return [name, part]
      const lengthMax = Math.floor(TEXTS_LENGTH_MAX / Math.max(1, part.length))
      return [name, part.map((record: unknown) => shortened(record, lengthMax, toolForWhole))]
    }),
  )
}

function shortened(record: unknown, lengthMax: number, toolForWhole: string): unknown {
  if (typeof record !== 'object' || record === null) return record
  return Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, unknown]) => {
      const isLong = typeof value === 'string' && value.length > lengthMax
      if (!isLong || !TEXT_FIELDS.includes(name)) return [name, value]
      const characters = [...value]
      const beginning = characters.slice(0, lengthMax).join('')
      const note = `[${lengthMax} of ${characters.length} characters: ${toolForWhole} has all of them]`
      return [name, characters.length > lengthMax ? `${beginning} … ${note}` : value]
    }),
  )
}
