// The exact words of a text, as the search compares them: folded, stemmed, codes both in parts and
// joined. A query and a memory go through the same functions, so that equal words meet whatever
// their case, accents and punctuation.
import { ASKING_MARK, isQuestionOnly } from './asking.ts'
import type { QueryTerm } from './evidence.ts'
import { undivide } from './fold.ts'
import { readRequest } from './request.ts'
import { OF_UNSPACED_SCRIPTS } from './unspaced-scripts.ts'
import {
  codeBehindName,
  isCodeInSigns,
  isMailAddress,
  isVersion,
  numbersBehindMark,
  numbersOfThings,
  withoutSums,
} from './words/code-shapes.ts'
import { dayAskedFor, type OtherForms } from './words/dates.ts'
import { foldWords } from './words/fold-words.ts'
import { marksOfHash, otherLengthsOfHash } from './words/hashes.ts'
import { nameMark, namesAskedFor, namesInLabel, namesInSentences } from './words/names.ts'
import { datesIn, groupedNumbers, joinedToken, tailOf } from './words/numbers.ts'
import {
  HELD_SIGNED_WORD,
  isSignedName,
  isSignedWord,
  SIGNED_WORD,
  signedWord,
  signedWordsInParts,
  withoutSigns,
} from './words/signed-words.ts'
import { knownStem, stemOf, TERM_LENGTH_MAX } from './words/stemming.ts'
import { STOP_WORDS } from './words/stop-words.ts'
import { partedDays } from './words/written-dates.ts'

// Words, and words that the punctuation of codes, addresses and paths holds together. A vowel that is
// a sign at its letter belongs to the word, as in most scripts of India. What C/C++ and C++17 hold together are
// words by themselves.
const TOKEN = new RegExp(
  String.raw`${SIGNED_WORD}|[\p{L}\p{Mc}\p{N}]+(?:[-_./@:+#](?!${HELD_SIGNED_WORD})[\p{L}\p{Mc}\p{N}]+)*`,
  'gu',
)
const PART = /[\p{L}\p{Mc}\p{N}]+/gu
const CODE_SIGN = /[\p{N}@_/.]/u
const UNSPACED_SCRIPT = new RegExp(`[${OF_UNSPACED_SCRIPTS}]+`, 'gu')
/** A longer query asks for more than one thing. */
const LENGTH_WITH_CODE_MAX = 500
const BETWEEN_SENTENCES = /(?<=[.!?…])\s+(?=\p{Lu})|\n/u

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

type TermOfQuery = Omit<QueryTerm, 'rarity' | 'isKnown'>

/** A code names its thing as a name does. Years, ordinals and measures (2024, 3rd, 10km) do not. */
function isLikeCode(word: string): boolean {
  const joined = word.replaceAll('.', '')
  return /\d/.test(joined) && !/^\d{1,4}$/.test(joined) && !/^\d+[a-z]{1,3}$/.test(joined)
}

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
  const codes = isShort ? codesIn(folded) : NO_CODES
  const day = isShort ? dayAskedFor(partedDays(foldWords(askingSentence(question)))) : undefined
  const ofDay = new Set(day?.groups)
  // A date that is not asked for is no name.
  const datesBeside = new Set(isShort ? datesIn(folded) : []).difference(ofDay)
  const terms = new Map<string, TermOfQuery>()
  for (const word of meaningful.length > 0 ? meaningful : words) {
    const code = codes.get(word)
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

/** What a code is called in a memory that has it: not by its parts, which other codes have as well. */
type Code = Pick<QueryTerm, 'term' | 'alternatives'>
const NO_CODES: ReadonlyMap<string, Code> = new Map()

/** By each word that belongs to it: the whole code, or its groups where spaces part them. No group counts alone. */
function codesIn(folded: string): ReadonlyMap<string, Code> {
  const codes = new Map<string, Code>()
  if (!/[\d@]/.test(folded)) return codes
  const text = withoutSums(folded)
  const ofDates = datesIn(text)
  const behindMark = numbersBehindMark(text)
  const tokens = tokensOf(text)
  // Beside other words it may be whom something is about or for, or end a letter.
  const isMailAlone = tokens.every((token) => isMailAddress(token) || STOP_WORDS.has(token))
  for (const token of tokens) {
    const whole = wordsIn(token).at(-1) ?? ''
    const isMail = isMailAddress(token)
    const behindName = codeBehindName(token)
    const isNumber =
      (isLikeCode(whole) && isCodeInSigns(token)) ||
      isVersion(token) ||
      behindName !== undefined ||
      behindMark.has(token)
    if (!(isMail ? isMailAlone : isNumber) || ofDates.has(whole)) continue
    const others = isMail ? otherLabels(whole) : otherWritings(whole, behindName)
    const alternatives = others.map((other) => stemOf(withinLimit(other)))
    codes.set(whole, { term: stemOf(whole), alternatives })
  }
  for (const { groups, forms } of numbersOfThings(text)) {
    const [term, ...alternatives] = forms.map(withinLimit)
    if (term === undefined) continue
    for (const group of groups.map(withinLimit)) codes.set(group, { term, alternatives })
  }
  return codes
}

/**
 * The v of a version and the 0x of a number are written or left out, in the memory as in the query; so is the name
 * before a version or a hash, and of a hash all but its beginning.
 */
function otherWritings(code: string, behindName?: string): string[] {
  if (behindName !== undefined) {
    const alone = joinedToken(behindName)
    return [alone, ...otherWritings(alone)]
  }
  if (/^v\d/.test(code)) return [code.slice(1)]
  if (/^0x/.test(code)) return [code.slice(2)]
  if (/^\d+\./.test(code)) return [`v${code}`]
  if (!/^[\da-f]+$/.test(code)) return []
  return [`0x${code}`, ...otherLengthsOfHash(code)]
}

/** The `mailto:` of a link and an `email:` without a space are of one word with the address. */
function otherLabels(address: string): string[] {
  const bare = address.replace(/^(?:mailto|email)/, '')
  return [bare, `mailto${bare}`, `email${bare}`].filter((other) => other !== address)
}

const termsOfNames = (names: string[]): string[] =>
  names.flatMap((name) => stemsOf(foldWords(name)))

/** Of the words in all their spellings. */
function stemsOf(folded: string): string[] {
  const stems: string[] = []
  for (const token of tokensOf(folded)) {
    // Nearly all are one word with one spelling, and were met before.
    const known = knownStem(token)
    if (known !== undefined) stems.push(known)
    else for (const word of wordsIn(token)) stems.push(...spellingsOf(word).map(stemOf))
  }
  return stems
}

/**
 * A word, and how people write it who do not have its letters or signs, or a version without its v: a memory keeps
 * both, and of a query either will do, so that `lodz` and `łodz` find each other, and `cpp` and `c++`.
 */
function spellingsOf(word: string): string[] {
  if (isSignedWord(word)) return [word, ...withoutSigns(word)]
  const other = /^v\d+(?:\.\d+)*$/.test(word) ? word.slice(1) : withinLimit(undivide(word))
  return other === word ? [word] : [word, other]
}

/** What a memory keeps besides the groups of its numbers. */
const numberForms = (folded: string): string[] => {
  if (!/\p{N}/u.test(folded)) return []
  const grouped = groupedNumbers(folded).flatMap(({ forms }) => forms)
  const parts = folded.match(PART) ?? []
  return [...grouped, ...parts.flatMap(tailOf), ...parts.flatMap(marksOfHash)].map(withinLimit)
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

/** Each once. A text may repeat few of them very often: 10,000 times ﷺ fold to 40,000 words, four of which differ. */
const tokensOf = (folded: string): string[] => [...new Set(folded.match(TOKEN))]

/** `ORD-48213-XK` gives ord, 48213, xk and ord48213xk; `well-known` gives well and known. */
function wordsIn(token: string): string[] {
  // Most tokens have no parts.
  if (/^[a-z0-9]+$/.test(token)) return [withinLimit(token)]
  if (isSignedWord(token)) return [signedWord(token)]
  const parts = token.match(PART) ?? []
  const isCode = parts.length > 1 && CODE_SIGN.test(token)
  return [...parts.flatMap(splitUnspaced), ...(isCode ? [joinedToken(token)] : [])].map(withinLimit)
}

/** Scripts that put no spaces between words are compared by pairs of neighbouring characters. */
function splitUnspaced(word: string): string[] {
  const pairs = (word.match(UNSPACED_SCRIPT) ?? []).flatMap((run) => {
    const characters = [...run]
    if (characters.length === 1) return [run]
    // Each once: what is written in Hangul has three times as many here, and few that differ.
    return [...new Set(pairsOf(characters))]
  })
  const rest = word.split(UNSPACED_SCRIPT).filter((part) => part !== '')
  return [...pairs, ...rest]
}

const pairsOf = (characters: readonly string[]): string[] =>
  characters.slice(1).map((character, index) => `${characters[index]}${character}`)

/** Counted in code points, since half of a surrogate pair could not be stored. */
const withinLimit = (word: string): string =>
  word.length <= TERM_LENGTH_MAX
    ? word
    : [...word.slice(0, 2 * TERM_LENGTH_MAX)].slice(0, TERM_LENGTH_MAX).join('')
