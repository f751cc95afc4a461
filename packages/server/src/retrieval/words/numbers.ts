// Numbers as people write them: telephone and account numbers come in groups, "+44 7700 900 316",
// and are asked for in other groups, "07700 900316". Their groups are joined; and of a long number
// the last seven digits stand for it too, since what comes before depends on where one calls from.
// Not so versions, addresses of a network, decimals and dates: 10.1.1.23 is not 10.11.2.3.
import { formsOfDates, type OtherForms } from './dates.ts'
import { STOP_WORDS } from './stop-words.ts'
import { DATE, joinedDate } from './written-dates.ts'

/** Groups that hold a digit, with up to three signs of punctuation or spaces between them: `555 - 1234`. */
const GROUPS =
  /(?<![\p{L}\p{N}])[a-z]{0,4}\p{N}[\p{L}\p{N}]*(?:[ \-./()]{1,3}[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*)+/gu
/** `12,000` and `1.299,00`: thousands are set off, and perhaps there are cents. */
const THOUSANDS = /(?<![\p{L}\p{N}.,])\d{1,3}(?:[.,']\d{3})+(?:[.,]\d{1,2})?(?!\p{N}|[.,']\d)/gu
export const AMOUNT = /^\d{1,3}(?:\.\d{3})+$/
const CENTS = /[.,]\d{1,2}$/
/** `LH 2471`, and the `PAY-9381` of an address: letters with the number that belongs to them. */
const LETTERED = /(?<![\p{L}\p{N}])(?:[a-z]{1,10}[-_]|[a-z]{1,4} )\d{2,}(?![\p{L}\p{N}])/gu
/** `32 GB`, `1.75 m` and `9 am`: a number with the unit that belongs to it. */
const MEASURE = /(?<![\p{L}\p{N}]|\d[.,'])\d+(?:\.\d+)? [a-z]{1,3}[23]?(?![\p{L}\p{N}])/gu
/** The `2.14.3` of `v2.14.3-rc1`. */
const DOTTED = /(?<!\d)\d+(?:\.\d+)+/
const DATE_OR_DOTTED = new RegExp(`${DATE.source}|${DOTTED.source}`, 'g')
const DATE_OR_DOTTED_OR_SIGN = new RegExp(`${DATE_OR_DOTTED.source}|[-_./@:+#]`, 'g')
const WHOLE_DATE = new RegExp(`^${DATE.source}$`)
export const GROUP = /[\p{L}\p{N}]+/gu
const SIGNS_MIN = 5
/** Of a long number, so many digits at its end stand for it. */
export const TAIL = 7

/** A code names its thing, an amount does not. */
export type NumberForms = OtherForms & { isCode: boolean }

/** Every number in groups of a folded text, with what else it may be called. */
export const groupedNumbers = (folded: string): NumberForms[] => [
  ...(folded.match(DATE_OR_DOTTED) ?? []).map((run) => ({
    groups: run.match(GROUP) ?? [],
    forms: [withItsBorders(run) ?? joinedIn(run)],
    isCode: joinedIn(run).length >= SIGNS_MIN && !AMOUNT.test(run),
  })),
  ...formsOfDates(folded).map((date) => ({ ...date, isCode: false })),
  ...(withoutBordered(folded).match(GROUPS) ?? []).flatMap((run) => {
    const groups = run.match(GROUP) ?? []
    const joined = groups.join('')
    if (joined.length < SIGNS_MIN) return []
    return [{ groups, forms: [joined, ...tailOf(joined)], isCode: !AMOUNT.test(run) }]
  }),
  ...(folded.match(THOUSANDS) ?? []).map((amount) => ({
    groups: amount.match(GROUP) ?? [],
    forms: formsOfAmount(amount),
    isCode: false,
  })),
  ...[...(folded.match(LETTERED) ?? []), ...(folded.match(MEASURE) ?? [])].flatMap((run) => {
    const groups = run.match(GROUP) ?? []
    const isSentence = groups.some((group) => group.length > 1 && STOP_WORDS.has(group))
    return isSentence ? [] : [{ groups, forms: [joinedToken(run.replace(' ', ''))], isCode: false }]
  }),
]

/** Every group of a date in it, and what its groups are joined. */
export const datesIn = (folded: string): ReadonlySet<string> =>
  new Set([
    ...formsOfDates(folded).flatMap(({ groups }) => groups),
    ...(folded.match(DATE_OR_DOTTED) ?? [])
      .filter((run) => WHOLE_DATE.test(run))
      .flatMap((date) => [joinedDate(date), ...(date.match(GROUP) ?? [])]),
  ])

/** A token without its signs, but for those that part one number of the same digits from another. */
export const joinedToken = (token: string): string =>
  token.replace(DATE_OR_DOTTED_OR_SIGN, (run) =>
    run.length === 1 ? '' : (withItsBorders(run) ?? joinedIn(run)),
  )

const withoutBordered = (folded: string): string =>
  folded.replace(DATE_OR_DOTTED, (run) => (withItsBorders(run) === undefined ? run : ','))

/** `2.14.3` as it is, `2/11/2026` as 02.11.2026, `2026-11-2` as 20261102; nothing for what may be joined. */
function withItsBorders(run: string): string | undefined {
  const groups = run.split(/[./-]/)
  if (WHOLE_DATE.test(run)) return joinedDate(run)
  const isAmount = AMOUNT.test(run)
  const isTelephone = joinedIn(run).length >= TAIL && groups.every((group) => group.length > 1)
  return isAddress(groups) || !(isAmount || isTelephone) ? run : undefined
}

/** Of a network. */
export const isAddress = (groups: readonly string[]): boolean =>
  groups.length === 4 && groups.every((group) => group.length <= 3 && Number(group) <= 255)

/** `1.299,00` is 1299, and 1299.00. */
function formsOfAmount(amount: string): string[] {
  const cents = CENTS.exec(amount)?.[0] ?? ''
  const whole = joinedIn(amount.slice(0, amount.length - cents.length))
  return cents === '' ? [whole] : [whole, `${whole}.${joinedIn(cents)}`]
}

const joinedIn = (number: string): string => number.replace(/\D/g, '')

/** The mark under which a long number is kept by its end. No word begins with this sign. */
export function tailOf(number: string): string[] {
  const digits = number.replace(/\D/gu, '')
  return /^[a-z]{0,4}\d+$/.test(number) && digits.length >= TAIL ? [`#${digits.slice(-TAIL)}`] : []
}
