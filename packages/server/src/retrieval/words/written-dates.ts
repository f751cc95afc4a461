// Where dates stand in a folded text, and which day, month and year they tell. `11/3/2026` may be of November or of
// March.

/** `2.11.2026`, `11/2/2026` and `2026-11-02`, and no part of a longer number. */
export const DATE =
  /(?<!\d[./-]?)(?:[0-3]?\d([./-])[0-3]?\d\1[12]\d{3}|[12]\d{3}([./-])[01]?\d\2[0-3]?\d)(?![./-]?\d)/
const IN_DIGITS = new RegExp(DATE.source, 'g')
/** Of a calendar: `20261103T102000`. */
const MOMENT_IN_DIGITS =
  /(?<![\p{L}\p{N}])(?<year>[12]\d{3})(?<month>[01]\d)(?<day>[0-3]\d)(?=t\d{4})/gu
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
const NUMBER_OF_DAY = '[0-3]?[0-9](?:st|nd|rd|th)?'
export const UNTIL = '(?: ?- ?| (?:to|until|till|through) )'
const DAY = `(?:(?<from>${NUMBER_OF_DAY})${UNTIL})?(?<day>${NUMBER_OF_DAY})`
const YEAR = '(?<year>[12][0-9]{3})'
const IN_WORDS = [
  /** `3 November 2026`, `3rd of Nov.`, `03-nov-2026`, `1 to 3 November` */
  `${DAY}(?: of)?[ -]${MONTH}[.]?(?:,?[ -]${YEAR})?`,
  /** `November 3, 2026`, `Nov. 3rd`, `Nov 1-3` */
  `${MONTH}[.]? ${DAY}(?:,? ${YEAR})?`,
  /** `Nov 2026` */
  `${MONTH}[.]?,? ${YEAR}`,
].map(
  (date) =>
    new RegExp(`(?<![\\p{L}\\p{N}]|[0-9][.,:/-])${date}(?![\\p{L}\\p{N}]|[.,:/-][0-9])`, 'gu'),
)
/** As it stands there. */
type WrittenDate = { year?: string; month?: string; from?: string; day?: string }
export type ReadDate = {
  month: number
  name: string
  from?: number
  day?: number
  written: WrittenDate
}
/** Of digits that may be of one month or of another there are two readings. `joined` are they without signs. */
export type DateInText = { start: number; end: number; readings: ReadDate[]; joined?: string }

export const writtenDates = (folded: string): DateInText[] =>
  [IN_DIGITS, MONTH_IN_DIGITS, MOMENT_IN_DIGITS, ...IN_WORDS].flatMap((pattern) =>
    [...folded.matchAll(pattern)].flatMap(({ index: start, 0: text, groups }) => {
      const readings = groups === undefined ? readingsOf(text) : read(groups)
      const joined = groups === undefined ? { joined: joinedDate(text) } : {}
      return readings.length === 0 ? [] : [{ start, end: start + text.length, readings, ...joined }]
    }),
  )

function readingsOf(date: string): ReadDate[] {
  const [first = '', second = '', third = ''] = date.split(/[./-]/)
  if (first.length === 4) return read({ year: first, month: second, day: third })
  const dayFirst = read({ year: third, month: second, day: first })
  const isClear = date.includes('.') || first === second
  return isClear ? dayFirst : [...dayFirst, ...read({ year: third, month: first, day: second })]
}

/** Nothing when there is no such month or day. */
function read(written: WrittenDate): ReadDate[] {
  const { month = '' } = written
  const number = /\d/.test(month)
    ? Number(month)
    : MONTHS.findIndex((each) => each.startsWith(month)) + 1
  const name = MONTHS[number - 1]
  const [from, day] = [written.from, written.day].map((each) =>
    each === undefined ? undefined : Number.parseInt(each, 10),
  )
  if (name === undefined || day === 0 || (day ?? 0) > 31) return []
  const isRange = from !== undefined && day !== undefined && from > 0 && from < day
  return [{ month: number, name, ...(day && { day }), ...(isRange && { from }), written }]
}

/** `2/11/2026` as 02.11.2026, `2026-11-2` as 20261102. */
export function joinedDate(date: string): string {
  const groups = date.split(/[./-]/)
  return groups.map((group) => group.padStart(2, '0')).join(groups[0]?.length === 4 ? '' : '.')
}

/** Of a folded query: `3.11.2026-5.11.2026` is two dates, and no number. */
export const partedDays = (folded: string): string => folded.replace(BETWEEN_DAYS, ', ')
