// The terms of a memory: the exact words of its text, and marks of what it writes as names, numbers and dates.
import { ASKING_MARK, isQuestionOnly } from './asking.ts'
import { foldWords } from './words/fold-words.ts'
import { marksOfHash } from './words/hashes.ts'
import { nameMark, namesInLabel, namesInSentences } from './words/names.ts'
import { groupedNumbers, tailOf } from './words/numbers.ts'
import { signedWordsInParts } from './words/signed-words.ts'
import { PART, stemsOf, termsOfNames, withinLimit } from './words/tokens.ts'

/**
 * The terms of each piece, each once, stop words too: a query may consist of nothing else. Those
 * that the text writes as names stand there a second time, marked. Who is speaking is said once at
 * the beginning, and holds for every piece.
 */
export function termsOfPieces(
  content: string,
  pieces: readonly { start: number; end: number }[],
): string[][] {
  const label = namesInLabel(content)
  const asks = isQuestionOnly(content)
  return pieces.map(({ start, end }) => {
    const text = content.slice(start, end)
    const folded = foldWords(text)
    const terms = new Set(stemsOf(folded))
    for (const form of numberForms(folded)) terms.add(form)
    for (const { forms } of signedWordsInParts(folded)) for (const form of forms) terms.add(form)
    if (start > 0) for (const spoken of termsOfNames(label)) terms.add(spoken)
    const names = [...label, ...namesInSentences(text)]
    for (const name of termsOfNames(names)) terms.add(nameMark(name))
    if (asks) terms.add(ASKING_MARK)
    return [...terms]
  })
}

/** What a memory keeps besides the groups of its numbers. */
const numberForms = (folded: string): string[] => {
  if (!/\p{N}/u.test(folded)) return []
  const grouped = groupedNumbers(folded).flatMap(({ forms }) => forms)
  const parts = folded.match(PART) ?? []
  return [...grouped, ...parts.flatMap(tailOf), ...parts.flatMap(marksOfHash)].map(withinLimit)
}
