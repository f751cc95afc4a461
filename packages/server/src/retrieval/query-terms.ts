// The terms of a query, each with the forms in which a memory may have it, and what it is: a name, a code, the day
// that is asked for, or whom the query speaks to.
import type { QueryTerm } from './evidence.ts'
import { readRequest } from './request.ts'
import { codesAskedFor, isLikeCode } from './words/codes-asked-for.ts'
import { dayAskedFor, type OtherForms } from './words/dates.ts'
import { foldWords } from './words/fold-words.ts'
import { otherLengthsOfHash } from './words/hashes.ts'
import { namesAskedFor, namesInSentences } from './words/names.ts'
import { datesIn, groupedNumbers, tailOf } from './words/numbers.ts'
import { isSignedName, signedWordsInParts } from './words/signed-words.ts'
import { stemOf } from './words/stemming.ts'
import { STOP_WORDS } from './words/stop-words.ts'
import { spellingsOf, termsOfNames, tokensOf, withinLimit, wordsIn } from './words/tokens.ts'
import { partedDays } from './words/written-dates.ts'

/** A longer query asks for more than one thing. */
const LENGTH_WITH_CODE_MAX = 500
const BETWEEN_SENTENCES = /(?<=[.!?…])\s+(?=\p{Lu})|\n/u

type TermOfQuery = Omit<QueryTerm, 'rarity' | 'isKnown'>

/**
 * The terms of what a query asks for, each once, without stop words unless there are only such. A name is told by the
 * whole text: "tell me" makes the next word no beginning of a sentence.
 */
export function termsOfQuery(query: string): TermOfQuery[] {
  const { question, addressed } = readRequest(query)
  const folded = partedDays(foldWords(question))
  const words = tokensOf(folded).flatMap(wordsIn)
  const meaningful = words.filter((word) => !STOP_WORDS.has(word))
  const stems = new Set(words.map(stemOf))
  const written = termsOfNames(namesInSentences(query)).filter((name) => stems.has(name))
  const names = new Set(namesAskedFor(written))
  const wholes = wholesIn(folded)
  const isShort = query.length <= LENGTH_WITH_CODE_MAX
  const codes = isShort ? codesAskedFor(folded) : undefined
  const day = isShort ? dayAskedFor(partedDays(foldWords(askingSentence(question)))) : undefined
  const ofDay = new Set(day?.groups)
  // A date that is not asked for is no name.
  const datesBeside = new Set(isShort ? datesIn(folded) : []).difference(ofDay)
  const terms = new Map<string, TermOfQuery>()
  for (const word of meaningful.length > 0 ? meaningful : words) {
    const code = codes?.get(word)
    const term = code?.term ?? stemOf(word)
    if (terms.has(term)) continue
    const part = wholes.get(word)
    const [, ...others] = spellingsOf(word).map(stemOf)
    const whole = code?.alternatives ?? [...(part?.forms ?? []), ...otherLengthsOfHash(word)]
    const forms = new Set([...whole, ...tailOf(word).map(withinLimit), ...others])
    const isName =
      names.has(term) ||
      isSignedName(word) ||
      (!datesBeside.has(word) && (part?.isCode === true || isLikeCode(word)))
    const isCode = code !== undefined
    terms.set(term, { term, word, alternatives: [...forms], isName, isCode })
  }
  const all = [
    ...terms.values(),
    ...termsOfAddressed(addressed).filter(({ term }) => !terms.has(term)),
  ]
  return day === undefined ? all : withDay(all, day)
}

function termsOfAddressed(addressed: string): TermOfQuery[] {
  const words = tokensOf(foldWords(addressed)).flatMap(wordsIn)
  const terms = words
    .filter((word) => !STOP_WORDS.has(word))
    .map((word): TermOfQuery => {
      const [term = '', ...alternatives] = spellingsOf(word).map(stemOf)
      return { term, word, alternatives, isName: false, isCode: false, isAddressed: true }
    })
  return [...new Map(terms.map((each) => [each.term, each])).values()]
}

/** Of "Today is 3 November. Where do I live?" the second: it asks for no day. */
function askingSentence(question: string): string {
  const sentences = question.split(BETWEEN_SENTENCES).filter((sentence) => /\S/.test(sentence))
  if (sentences.length < 2) return question
  const [asking = '', ...others] = sentences.filter((sentence) => sentence.trim().endsWith('?'))
  return others.length === 0 ? asking : ''
}

/** With the day that is asked for, beside the words that it is written with. */
function withDay(terms: TermOfQuery[], { groups, forms }: OtherForms): TermOfQuery[] {
  const [term = '', ...alternatives] = forms
  const words = new Set(groups)
  const word = [...words].join(' ')
  return [
    ...terms.map((each) => (words.has(each.word) ? { ...each, day: 'part' as const } : each)),
    { term, word, alternatives, isName: false, isCode: false, day: 'whole' },
  ]
}

/** By each part of a number or another word: in a query it is also there when the whole is, however it is written. */
function wholesIn(folded: string): Map<string, { forms: Set<string>; isCode: boolean }> {
  const wholes = new Map<string, { forms: Set<string>; isCode: boolean }>()
  for (const { groups, forms, isCode } of [
    ...groupedNumbers(folded),
    ...signedWordsInParts(folded),
  ]) {
    for (const group of groups.map(withinLimit)) {
      const whole = wholes.get(group) ?? { forms: new Set(), isCode: false }
      for (const form of forms) whole.forms.add(withinLimit(form))
      whole.isCode ||= isCode
      wholes.set(group, whole)
    }
  }
  return wholes
}
