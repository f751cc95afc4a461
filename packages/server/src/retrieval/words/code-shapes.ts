// Which words of a query are codes, which name one thing: numbers of things, versions, addresses of mail. A memory
// has to have the code that is asked for. What says how much or when names nothing, however it is written: sums,
// measures, ranges, moments, parts of a year.
// decisions/2026-11-28-codes-name-one-thing.md
import { HASH } from './hashes.ts'
import {
  AMOUNT,
  datesIn,
  GROUP,
  groupedNumbers,
  isAddress,
  type NumberForms,
  TAIL,
} from './numbers.ts'

/** With fewer, letters make a word: B12, GPT-4, Covid-19. */
const DIGITS_MIN = 3
/** With more, it is words that are joined, of which people leave some out: 0047_add_ledger.sql. */
const LETTERS_MORE_MAX = 4
/** `2024`, the decade and the fiscal year, and a part of it: `1990s`, `fy2024`, `2026q3`, `3q26`. */
const YEAR = /^(?:fy)?(?:19|20)\d\ds?$|^(?:19|20)\d\d[hqw]\d{1,2}$|^[1-4][hq](?:20)?\d\d$/
/** The `q3` and `w45` of a year, its month, and the second year of a season. */
const PART_OF_YEAR = /^[hqw]?\d{1,2}$/
/** `10:30`, `929.06`, `4.83/85`, `165-1/4`, `120/80`, `100-year-old`, `1920x1080`: how much, and not which. */
const MEASURED =
  /^\d{1,2}:\d\d|^\d+\.\d+(?![.\p{L}\p{N}])|-\d\/\d$|^\d{2,3}\/\d{2,3}$|^\d+(?:-[a-z]{3,})+$|^[1-9]\d{0,3}(?:x\d{1,4}){1,2}(?:[a-z]|[cm]m)?$/u
/** `85000` and `1500000` are more often how many. */
const ROUND = /^[1-9]\d{0,3}(?:000)+$/
const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)'
/** `2026-11-03t10:20:00z`, `3/11/26`, `03.11.26` and `3-nov-26`: when. `10.11.10` and `5.3.27` are versions. */
const MOMENT = new RegExp(
  [
    String.raw`^\d{4}-?\d\d-?\d\dt\d\d`,
    String.raw`^[0-3]?\d/[0-3]?\d/\d\d$`,
    String.raw`^(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.[2-9]\d$`,
    String.raw`^[0-3]?\d(?<sign>[-/.]?)${MONTH}\k<sign>(?:\d\d){1,2}$`,
    String.raw`^${MONTH}(?<after>[-/])[0-3]?\d\k<after>(?:\d\d){1,2}$`,
    String.raw`^[12]\d{3}(?<first>[-/]?)${MONTH}\k<first>[0-3]?\d$`,
  ].join('|'),
)
/** `256gb`, `100m2`, `3rd`, `5pm`, `9h30`: a group that says how much or when. */
const QUANTITY =
  /^\d+(?:[kmgt]b|[ckm]?m[23]|[ckm]m|kg|mg|ml|ms|[kmg]?hz|[kmg]bps|kcal|st|nd|rd|th|am|pm|h\d\d(?:m|min)?)$/
const UNIT_OF_RANGE = /(?<=^\d+)(?:k|h|eur|usd|gbp|chf)$/
const CURRENCY = String.raw`[$€£¥₹]|(?:usd|eur|gbp|chf)(?![\p{L}\p{N}])`
const UNIT = String.raw`${CURRENCY}|(?:euros?|dollars?|pounds?|km|miles?)(?![\p{L}\p{N}])`
const COUNT = String.raw`(?:\d{5,}|\d{1,3}(?: \d{3})+)(?![\p{L}\p{N}]|[-_./]\p{N})`
/** `$85400`, `85400 euros`, `1 085 400 km`: how much, which without its unit may be the number of a thing. */
const SUM = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])(?:${CURRENCY}) ?${COUNT}`,
    String.raw`(?<![\p{L}\p{N}]|\p{N}[-_./ ])${COUNT} ?(?:${UNIT})(?! ?\p{N})`,
  ].join('|'),
  'gu',
)

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

/** `2.14.7`, and no amount, such as 1.000.000, and no date. */
export const isVersion = (token: string): boolean =>
  /^v?\d+(?:\.\d+){2,}$/.test(token) && !AMOUNT.test(token) && !MOMENT.test(token)

const BEHIND_MARK = new RegExp(
  String.raw`(?<=(?<![\p{L}\p{N}&])#)\d{${DIGITS_MIN},}(?![\p{L}\p{N}])`,
  'gu',
)

/** The 1234 of `issue #1234`: a number behind this mark says which, and never how many. */
export const numbersBehindMark = (folded: string): ReadonlySet<string> =>
  new Set(folded.match(BEHIND_MARK))

const NAME_BEFORE = String.raw`^\p{L}[\p{L}\p{N}]*(?:[-_./@:]\p{L}[\p{L}\p{N}]*)*`
const VERSION = String.raw`v?\d+(?:\.\d+){2,}(?:[-+._][\p{L}\p{N}]+)*`
const CODE_BEHIND_NAME = new RegExp(`${NAME_BEFORE}(?:[-_/@:](${VERSION})|[/@:](${HASH}))$`, 'u')

/** Of `lodash@4.17.21`, `nginx:1.25.3-alpine`, `release-v3.4.1` and `sha256:7b1e0a3` what is behind the name. */
export function codeBehindName(token: string): string | undefined {
  const [, version, hash] = CODE_BEHIND_NAME.exec(token) ?? []
  return version ?? hash
}

/** `anna.lee@example.com`, also in a link. The address of a repository (`git@example.com:app.git`) is more than one. */
export const isMailAddress = (token: string): boolean =>
  /^(?:(?:mailto|email):)?[^@:/]+@[\p{L}\p{N}.-]+\.\p{L}{2,}$/u.test(token)

/** `100-200` and `2019-2021`, `10-12h` and `60k-75k`. */
const isRange = (groups: readonly string[]): boolean => {
  const [from = '', to = '', ...more] = groups.map((group) => group.replace(UNIT_OF_RANGE, ''))
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
