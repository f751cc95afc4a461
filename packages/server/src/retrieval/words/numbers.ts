// Numbers as people write them: telephone and account numbers come in groups, "+44 7700 900 316",
// and are asked for in other groups, "07700 900316". Their groups are joined; and of a long number
// the last seven digits stand for it too, since what comes before depends on where one calls from.
// Not so versions, addresses of a network, decimals and dates: 10.1.1.23 is not 10.11.2.3.
import { DATE, formsOfDates, joinedDate, type OtherForms } from './dates.ts'
import { STOP_WORDS } from './stop-words.ts'

/** Groups that hold a digit, with up to three signs of punctuation or spaces between them: `555 - 1234`. */
const GROUPS =
  /(?<![\p{L}\p{N}])[a-z]{0,4}\p{N}[\p{L}\p{N}]*(?:[ \-./()]{1,3}[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*)+/gu
/** `12,000` and `1.299,00`: thousands are set off, and perhaps there are cents. */
const THOUSANDS = /(?<![\p{L}\p{N}.,])\d{1,3}(?:[.,']\d{3})+(?:[.,]\d{1,2})?(?!\p{N}|[.,']\d)/gu
const AMOUNT = /^\d{1,3}(?:\.\d{3})+$/
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
const GROUP = /[\p{L}\p{N}]+/gu
const SIGNS_MIN = 5
/** With fewer, letters make a word: B12, GPT-4, Covid-19. */
const DIGITS_MIN = 3
/** With more, it is words that are joined, of which people leave some out: 0047_add_ledger.sql. */
const LETTERS_MORE_MAX = 4
/** `2024`, and the decade and the fiscal year: `1990s`, `fy2024`. */
const YEAR = /^(?:fy)?(?:19|20)\d\ds?$/
/** The `q3` and `w45` of a year, its month, and the second year of a season. */
const PART_OF_YEAR = /^[hqw]?\d{1,2}$/
/** `10:30`, `929.06`, `4.83/85`, `165-1/4`, `120/80`, `100-year-old`, `1920x1080`: how much, and not which. */
const MEASURED =
  /^\d{1,2}:\d\d|^\d+\.\d+(?![.\p{L}\p{N}])|-\d\/\d$|^\d{2,3}\/\d{2,3}$|^\d+(?:-[a-z]{3,})+$|^[1-9]\d{0,3}x\d{1,4}[a-z]?$/u
/** `85000` and `1500000` are more often how many. */
const ROUND = /^[1-9]\d{0,3}(?:000)+$/
/** `2026-11-03t10:20:00z`, and `3/11/26`: when. */
const MOMENT = /^\d{4}-?\d\d-?\d\dt\d\d|^[0-3]?\d\/[0-3]?\d\/\d\d$/
/** `256gb`, `100m2`, `3rd`, `5pm`, `9h30`: a group that says how much or when. */
const QUANTITY =
  /^\d+(?:[kmgt]b|[ckm]?m[23]|[ckm]m|kg|ms|[kmg]?hz|st|nd|rd|th|am|pm|h\d\d(?:m|min)?)$/
const CURRENCY = '[$€£¥₹]|(?:usd|eur|gbp|chf)(?![\\p{L}\\p{N}])'
const UNIT = `${CURRENCY}|(?:euros?|dollars?|pounds?|km|miles?)(?![\\p{L}\\p{N}])`
const COUNT = String.raw`(?:\d{5,}|\d{1,3}(?: \d{3})+)(?![\p{L}\p{N}]|[-_./]\p{N})`
/** `$85400`, `85400 euros`, `1 085 400 km`: how much, which without its unit may be the number of a thing. */
const SUM = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${CURRENCY}) ?${COUNT}|(?<![\\p{L}\\p{N}]|\\p{N}[-_./ ])${COUNT} ?(?:${UNIT})(?! ?\\p{N})`,
  'gu',
)
const TAIL = 7

/** A code names its thing, an amount does not. */
type NumberForms = OtherForms & { isCode: boolean }

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

/** Of a folded text: what is left may be codes. */
export const withoutSums = (folded: string): string => folded.replace(SUM, ',')

/** Numbers in groups that name one thing, such as those of telephones and accounts: no dates, and no ranges. */
export function numbersOfThings(folded: string): NumberForms[] {
  const ofDates = datesIn(folded)
  return groupedNumbers(folded).filter(
    ({ groups, isCode }) =>
      isCode &&
      // `6-3 4-6 7-6` is how a match ended.
      groups.some((group) => group.length > 1) &&
      (groups.join('').length >= TAIL || groups.some((group) => /[a-z]/.test(group))) &&
      !isRange(groups) &&
      !isOfYear(groups) &&
      (isPostcode(groups) || !groups.some((group) => QUANTITY.test(group))) &&
      // Its groups are all there is of one that is typed with spaces.
      !isAddress(groups) &&
      !groups.some((group) => ofDates.has(group)),
  )
}

/** Every group of a date in it, and what its groups are joined. */
export const datesIn = (folded: string): ReadonlySet<string> =>
  new Set([
    ...formsOfDates(folded).flatMap(({ groups }) => groups),
    ...(folded.match(DATE_OR_DOTTED) ?? [])
      .filter((run) => WHOLE_DATE.test(run))
      .flatMap((date) => [joinedDate(date), ...(date.match(GROUP) ?? [])]),
  ])

/** Whether a token that is like a code is one: what is measured, moments, ranges and what is of a year are not. */
export function isCodeInSigns(token: string): boolean {
  const groups = token.match(GROUP) ?? []
  const isQuantity = groups
    .filter((group) => /\d/.test(group))
    .every((group) => QUANTITY.test(group))
  const digits = token.replace(/\D/g, '').length
  const letters = groups.join('').length - digits
  return (
    digits >= DIGITS_MIN &&
    letters <= digits + LETTERS_MORE_MAX &&
    !MEASURED.test(token) &&
    !MOMENT.test(token) &&
    !ROUND.test(token) &&
    !AMOUNT.test(token) &&
    !isQuantity &&
    !isRange(groups) &&
    !isOfYear(groups)
  )
}

/** `2.14.7`, and no amount, such as 1.000.000. */
export const isVersion = (token: string): boolean =>
  /^v?\d+(?:\.\d+){2,}$/.test(token) && !AMOUNT.test(token)

/** `100-200` and `2019-2021`. */
const isRange = (groups: readonly string[]): boolean => {
  const [from = '', to = '', ...more] = groups
  const areNumbers = /^\d{1,4}$/.test(from) && /^\d{1,4}$/.test(to)
  return more.length === 0 && areNumbers && from.length === to.length
}

/** `SE1 9GB`: what looks like a measure or an ordinal ends it. */
const isPostcode = ([area = '', end = '', ...more]: readonly string[]): boolean =>
  more.length === 0 && /^[a-z]{1,2}\d[a-z\d]?$/.test(area) && /^\d[a-z]{2}$/.test(end)

/** `mid-2024` and `1970s-1980s`, the `2024/25` of a season, `2026-q3` and `12/2026`. */
function isOfYear(groups: readonly string[]): boolean {
  const numbers = groups.filter((group) => /\d/.test(group))
  const others = numbers.filter((group) => !YEAR.test(group))
  if (others.length === numbers.length) return false
  return (
    others.length === 0 ||
    (groups.length === 2 && others.every((group) => PART_OF_YEAR.test(group)))
  )
}

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
const isAddress = (groups: readonly string[]): boolean =>
  groups.length === 4 && groups.every((group) => group.length <= 3 && Number(group) <= 255)

/** `1.299,00` is 1299, and 1299.00. */
function formsOfAmount(amount: string): string[] {
  const cents = CENTS.exec(amount)?.[0] ?? ''
  const whole = joinedIn(amount.slice(0, amount.length - cents.length))
  return cents === '' ? [whole] : [whole, `${whole}.${joinedIn(cents)}`]
}

const joinedIn = (number: string): string => number.replace(/\D/g, '')

/** The mark under which a long number is kept by its end. No word contains this sign. */
export function tailOf(number: string): string[] {
  const digits = number.replace(/\D/gu, '')
  return /^[a-z]{0,4}\d+$/.test(number) && digits.length >= TAIL ? [`#${digits.slice(-TAIL)}`] : []
}
