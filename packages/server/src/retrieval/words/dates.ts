// Dates in digits and in words: "2026-11-03" is found by "3 November 2026", by "Nov 3rd" and in November, and the
// other way round. `11/3/2026` may be of November or of March: it says no month, and is found as either day.
import { stemOf } from './stemming.ts'

/** `2.11.2026`, `11/2/2026` and `2026-11-02`, and no part of a longer number. */
export const DATE =
  /(?<!\d[./-]?)(?:[0-3]?\d([./-])[0-3]?\d\1[12]\d{3}|[12]\d{3}([./-])[01]?\d\2[0-3]?\d)(?![./-]?\d)/
const IN_DIGITS = new RegExp(DATE.source, 'g')
const MONTH_IN_DIGITS = /(?<!\d[./-]?)(?<year>[12]\d{3})-(?<month>[01]\d)(?![./-]?\d)/g

/** `3.11.2026`, `3.11.26`, `11/3/2026`, `11/3`, `2026-11-03` */
const DAY_IN_DIGITS = [
  String.raw`[0-3]?\d\.[0-3]?\d\.(?:[12]\d)?\d\d`,
  String.raw`[0-3]?\d/[0-3]?\d(?:/(?:[12]\d)?\d\d)?`,
  String.raw`[12]\d{3}-[01]\d-[0-3]\d`,
].join('|')
const BETWEEN_DAYS = new RegExp(
  String.raw`(?<=(?<![\p{L}\p{N}][-./]?)(?:${DAY_IN_DIGITS}))[-/](?=(?:${DAY_IN_DIGITS})(?![-./]?[\p{L}\p{N}]))`,
  'gu',
)

const MONTHS =
  'january february march april may june july august september october november december'.split(' ')
const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const DAY = '(?<day>[0-3]?[0-9](?:st|nd|rd|th)?)'
const YEAR = '(?<year>[12][0-9]{3})'
const IN_WORDS = [
  /** `3 November 2026`, `3rd of Nov.`, `03-nov-2026` */
  `${DAY}(?: of)?[ -]${MONTH}[.]?(?:,?[ -]${YEAR})?`,
  /** `November 3, 2026`, `Nov. 3rd` */
  `${MONTH}[.]? ${DAY}(?:,? ${YEAR})?`,
  /** `Nov 2026` */
  `${MONTH}[.]?,? ${YEAR}`,
].map(
  (date) =>
    new RegExp(`(?<![\\p{L}\\p{N}]|[0-9][.,:/-])${date}(?![\\p{L}\\p{N}]|[.,:/-][0-9])`, 'gu'),
)

/** Groups of a text that belong together, and what each of them may be called besides. */
export type OtherForms = { groups: string[]; forms: string[] }
/** As it stands in the text. */
type WrittenDate = { year?: string; month?: string; day?: string }

/** What the dates of a folded text are called in the other ways to write them. */
export const formsOfDates = (folded: string): OtherForms[] => [
  ...(folded.match(IN_DIGITS) ?? []).flatMap(formsInDigits),
  ...[MONTH_IN_DIGITS, ...IN_WORDS].flatMap((written) =>
    [...folded.matchAll(written)].flatMap(({ groups }) => formsOf(groups ?? {})),
  ),
]

/** `2/11/2026` as 02.11.2026, `2026-11-2` as 20261102. */
export function joinedDate(date: string): string {
  const groups = date.split(/[./-]/)
  return groups.map((group) => group.padStart(2, '0')).join(groups[0]?.length === 4 ? '' : '.')
}

/** Of a folded query: `3.11.2026-5.11.2026` is two dates, and no number. */
export const partedDays = (folded: string): string => folded.replace(BETWEEN_DAYS, ', ')

/** The date without its signs is a word of the text, too, and is called as the whole of it. */
function formsInDigits(date: string): OtherForms[] {
  return otherForms(date).map(({ groups, forms }) => ({
    groups: groups.length === 1 ? groups : [...groups, joinedDate(date)],
    forms,
  }))
}

function otherForms(date: string): OtherForms[] {
  const [first = '', second = '', third = ''] = date.split(/[./-]/)
  if (first.length === 4) return formsOf({ year: first, month: second, day: third })
  const dayFirst = formsOf({ year: third, month: second, day: first })
  if (date.includes('.') || first === second) return dayFirst
  const monthFirst = formsOf({ year: third, month: first, day: second })
  if (dayFirst.length === 0 || monthFirst.length === 0) return [...dayFirst, ...monthFirst]
  return [...dayFirst.slice(-1), ...monthFirst.slice(-1)]
}

/** The whole date comes last, in the form that `2026-11-03` has without its signs. */
function formsOf({ year, month = '', day }: WrittenDate): OtherForms[] {
  const number = /\d/.test(month)
    ? Number(month)
    : MONTHS.findIndex((name) => name.startsWith(month)) + 1
  const name = MONTHS[number - 1]
  const dayOfMonth = day === undefined ? undefined : Number.parseInt(day, 10)
  if (name === undefined || dayOfMonth === 0 || (dayOfMonth ?? 0) > 31) return []
  const forms = [{ groups: [month], forms: [stemOf(name)] }]
  if (day === undefined) return forms
  forms.push({ groups: [day], forms: [`${dayOfMonth}`] })
  if (year === undefined) return forms
  const ofTwoDigits = [number, dayOfMonth].map((part) => `${part}`.padStart(2, '0'))
  return [...forms, { groups: [year, month, day], forms: [[year, ...ofTwoDigits].join('')] }]
}
