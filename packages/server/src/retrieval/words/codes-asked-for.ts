// The codes of a folded query, and what each is called in a memory that has it. What is a code is in code-shapes.ts.
// decisions/2026-11-28-codes-name-one-thing.md
import type { QueryTerm } from '../evidence.ts'
import {
  codeBehindName,
  isCodeInSigns,
  isMailAddress,
  isVersion,
  numbersBehindMark,
  numbersOfThings,
  withoutSums,
} from './code-shapes.ts'
import { otherLengthsOfHash } from './hashes.ts'
import { datesIn, joinedToken } from './numbers.ts'
import { stemOf } from './stemming.ts'
import { STOP_WORDS } from './stop-words.ts'
import { tokensOf, withinLimit, wordsIn } from './tokens.ts'

/** A code names its thing as a name does. Years, ordinals and measures (2024, 3rd, 10km) do not. */
export function isLikeCode(word: string): boolean {
  const joined = word.replaceAll('.', '')
  return /\d/.test(joined) && !/^\d{1,4}$/.test(joined) && !/^\d+[a-z]{1,3}$/.test(joined)
}

/** What a code is called in a memory that has it: not by its parts, which other codes have as well. */
type Code = Pick<QueryTerm, 'term' | 'alternatives'>

/** By each word that belongs to it: the whole code, or its groups where spaces part them. No group counts alone. */
export function codesAskedFor(folded: string): ReadonlyMap<string, Code> {
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
