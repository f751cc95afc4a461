// Numbers as people write them: telephone and account numbers come in groups, "+44 7700 900 316",
// and are asked for in other groups, "07700 900316". Their groups are joined; and of a long number
// the last seven digits stand for it too, since what comes before depends on where one calls from.
import { STOP_WORDS } from './stop-words.ts'

/** Groups that hold a digit, with up to three signs of punctuation or spaces between them: `555 - 1234`. */
const GROUPS =
  /(?<![\p{L}\p{N}])[a-z]{0,4}\p{N}[\p{L}\p{N}]*(?:[ \-./()]{1,3}[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*)+/gu
/** `12,000` and `1.299,00`: thousands are set off, and perhaps there are cents. */
const THOUSANDS = /(?<![\p{L}\p{N}.,])\d{1,3}(?:[.,']\d{3})+(?:[.,]\d{1,2})?(?!\p{N})/gu
const CENTS = /[.,]\d{1,2}$/
/** `LH 2471`, and the `PAY-9381` of an address: letters with the number that belongs to them. */
const LETTERED = /(?<![\p{L}\p{N}])(?:[a-z]{1,10}[-_]|[a-z]{1,4} )\d{2,}(?![\p{L}\p{N}])/gu
/** The `2.14.3` of `v2.14.3-rc1`. */
const DOTTED = /(?<!\d)\d+(?:\.\d+)+/g
const WORD = /[\p{L}\p{N}]+/gu
const SIGNS_MIN = 5
const TAIL = 7

/** A code names its thing, an amount does not. */
type NumberForms = { groups: string[]; forms: string[]; isCode: boolean }

/** Every number in groups of a folded text, with what else it may be called. */
export const groupedNumbers = (folded: string): NumberForms[] => [
  ...(folded.match(GROUPS) ?? []).flatMap((run) => {
    const groups = run.match(WORD) ?? []
    const joined = groups.join('')
    if (joined.length < SIGNS_MIN) return []
    return [{ groups, forms: [joined, ...tailOf(joined)], isCode: true }]
  }),
  ...(folded.match(THOUSANDS) ?? []).map((amount) => ({
    groups: amount.match(WORD) ?? [],
    forms: [...new Set([joinedIn(amount.replace(CENTS, '')), joinedIn(amount)])],
    isCode: false,
  })),
  ...(folded.match(LETTERED) ?? []).flatMap((run) => {
    const groups = run.match(WORD) ?? []
    const isSentence = STOP_WORDS.has(groups[0] ?? '')
    return isSentence ? [] : [{ groups, forms: [groups.join('')], isCode: false }]
  }),
]

/** Versions and addresses that are part of a longer name, joined. */
export const dottedNumbers = (folded: string): string[] =>
  (folded.match(DOTTED) ?? []).map(joinedIn)

const joinedIn = (number: string): string => number.replace(/\D/g, '')

/** The mark under which a long number is kept by its end. No word contains this sign. */
export function tailOf(number: string): string[] {
  const digits = number.replace(/\D/gu, '')
  return /^[a-z]{0,4}\d+$/.test(number) && digits.length >= TAIL ? [`#${digits.slice(-TAIL)}`] : []
}
