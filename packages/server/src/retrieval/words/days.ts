// What a day is called among terms: as a whole with its year, and by marks that know no year, so that "on 3
// December" finds what happens on 2026-12-03, and a holiday from 10 to 17 July is found by each day of it.
// decisions/2026-11-29-days-asked-for.md

export type Day = { month: number; day: number }

/** `12-03`, of each day of a leap year. */
const DAYS = Array.from({ length: 366 }, (_, place) =>
  new Date(Date.UTC(2000, 0, 1 + place)).toISOString().slice('2000-'.length, '2000-12-03'.length),
)
/** A longer time is a project, or an exhibition, and nothing that happens on each of its days. */
const DAYS_MAX = 62

/** What a memory of the day keeps of it. */
export const formsOfDay = (day: Day, year: string | undefined): string[] => [
  year === undefined ? markWithoutYear(inYear(day)) : wholeOf(day, year),
  markOf(inYear(day)),
]

/** What a memory may have to be of the day that is asked for: of its year, or of any or none if it has none. */
export const formsOfAskedDay = (day: Day, year: string | undefined): string[] =>
  year === undefined ? [markOf(inYear(day))] : [markWithoutYear(inYear(day)), wholeOf(day, year)]

/** Of each day from one to the other, as of no year; nothing when they lie far apart. */
export function formsOfDays(first: Day, last: Day): string[] {
  const from = DAYS.indexOf(inYear(first))
  const to = DAYS.indexOf(inYear(last))
  const count = 1 + ((to - from + DAYS.length) % DAYS.length)
  if (from < 0 || to < 0 || count > DAYS_MAX) return []
  return [...DAYS, ...DAYS]
    .slice(from, from + count)
    .flatMap((day) => [markWithoutYear(day), markOf(day)])
}

// No word contains this sign.
const markOf = (day: string): string => `@${day}`
const markWithoutYear = (day: string): string => `@--${day}`

const inYear = ({ month, day }: Day): string =>
  [month, day].map((part) => `${part}`.padStart(2, '0')).join('-')

/** `20261203`, as `2026-12-03` is without its signs. */
const wholeOf = (day: Day, year: string): string => `${year}${inYear(day).replace('-', '')}`
