// Dates in digits and in words: "2026-11-03" is found by "3 November 2026", by "Nov 3rd" and in November, and the
// other way round. `11/3/2026` may be of November or of March: it says no month, and is found as either day.
import { type Day, formsOfAskedDay, formsOfDay, formsOfDays } from './days.ts'
import { stemOf } from './stemming.ts'
import { type DateInText, type ReadDate, UNTIL, writtenDates } from './written-dates.ts'

const WHOLE_UNTIL = new RegExp(`^${UNTIL}$`)
const NOT_ON_THE_DAY =
  /\b(?:before|after|by|until|till|since|between|through|than|up to|and|or) (?:the )?$/
/** A birthday is on that day of every year. */
const OF_EVERY_YEAR = /\b(?:birthday|anniversar)/
const GOES_ON = /^,? ?(?:to|until|till|through|and|or)\b/

/** Groups of a text that belong together, and what each of them may be called besides. */
export type OtherForms = { groups: string[]; forms: string[] }

/** What the dates of a folded text are called in the other ways to write them. */
export function formsOfDates(folded: string): OtherForms[] {
  const dates = writtenDates(folded)
  return [...dates.flatMap(formsOf), ...daysBetween(dates, folded)]
}

/** The one day that a folded query asks for, and not what is before it or until then. */
export function dayAskedFor(folded: string): OtherForms | undefined {
  const [date, ...others] = writtenDates(folded).filter(({ readings }) =>
    readings.some(({ day }) => day !== undefined),
  )
  if (date === undefined || others.length > 0) return undefined
  const { start, end, readings } = date
  const isOther = NOT_ON_THE_DAY.test(folded.slice(0, start)) || GOES_ON.test(folded.slice(end))
  if (isOther || readings.some(({ from }) => from !== undefined)) return undefined
  const isOfEveryYear = OF_EVERY_YEAR.test(folded)
  return {
    groups: formsOf(date).flatMap(({ groups }) => groups),
    forms: readings.flatMap(({ month, day, written: { year } }) =>
      day === undefined ? [] : formsOfAskedDay({ month, day }, isOfEveryYear ? undefined : year),
    ),
  }
}

function formsOf({ readings, joined }: DateInText): OtherForms[] {
  // Which of its groups is the month is not known of one that has two.
  const forms = readings.flatMap((date) => formsOfReading(date).slice(readings.length > 1 ? -1 : 0))
  // Without its signs the date is a word of the text, too, and is called as the whole of it.
  if (joined === undefined) return forms
  return forms.map(({ groups, ...form }) => ({
    groups: groups.length === 1 ? groups : [...groups, joined],
    ...form,
  }))
}

/** The whole date comes last. */
function formsOfReading({ month, name, from, day, written }: ReadDate): OtherForms[] {
  const forms = [{ groups: [written.month ?? ''], forms: [stemOf(name)] }]
  if (day === undefined) return forms
  if (from !== undefined && written.from !== undefined) {
    const days = formsOfDays({ month, day: from }, { month, day })
    forms.push({ groups: [written.from], forms: [`${from}`, ...days] })
  }
  forms.push({ groups: [written.day ?? ''], forms: [`${day}`] })
  const { year } = written
  const groups = [year, written.month, written.day].filter((group) => group !== undefined)
  return [...forms, { groups, forms: formsOfDay({ month, day }, year) }]
}

/** Each day of `21 December to 2 January`. */
function daysBetween(dates: DateInText[], folded: string): OtherForms[] {
  // The "December 2026" of "21 December 2026" is a date, too.
  const ofDays = dates.filter((date) => date.readings.some(({ day }) => day !== undefined))
  const inOrder = ofDays.toSorted((a, b) => a.start - b.start)
  return inOrder.flatMap((last, place) => {
    const first = inOrder[place - 1]
    const [from, to] = [first, last].map(dayOf)
    const isRange = first && WHOLE_UNTIL.test(folded.slice(first.end, last.start))
    return isRange && from && to ? [{ groups: [], forms: formsOfDays(from, to) }] : []
  })
}

function dayOf(written: DateInText | undefined): Day | undefined {
  const [date, other] = written?.readings ?? []
  if (date?.day === undefined || other !== undefined) return undefined
  return { month: date.month, day: date.day }
}
