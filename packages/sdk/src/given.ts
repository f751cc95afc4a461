// What a caller gave, held against what there is. The types say the same to those who have them; in plain
// JavaScript a text for a filter, or a filter of a wrong name, would be passed over, and what was meant for
// one user would reach all. Every refusal is a TypeError that repeats a name and no value.
import { isObject } from './is-object.ts'

/** All names of a type, which the compiler counts. */
export type Names<Of> = Readonly<Record<keyof Of, true>>

/** Throws TypeError. `required` are the names without which it says nothing. */
export function expectObject(argument: string, given: unknown, required: readonly string[]): void {
  if (isObject(given)) return
  throw new TypeError(`${argument} must be an object with ${enumerated(required)}.`)
}

/** Throws TypeError for what is no object, and for one that has another name than these. */
export function expectNames(argument: string, given: unknown, names: object): void {
  const known = Object.keys(names)
  if (!isObject(given)) {
    throw new TypeError(`${argument} must be an object with any of ${enumerated(known)}.`)
  }
  const other = Object.keys(given).find((name) => !known.includes(name))
  if (other === undefined) return
  const meant = known.find((name) => isMeant(name, other))
  const question = meant === undefined ? '.' : `; is ${meant} meant?`
  throw new TypeError(
    `${argument} cannot have ${other}${question} It can have ${enumerated(known)}.`,
  )
}

/**
 * Throws TypeError for one that has no value: what was meant for one user would reach all. To be no filter, it
 * has to be left out, unless it is one of the names that are required.
 */
export function expectValues(given: object, required: readonly string[]): void {
  const missing = Object.keys(given).find((name) => Reflect.get(given, name) === undefined)
  if (missing === undefined) return
  const advice = required.includes(missing)
    ? 'It has to have a value.'
    : 'Leave it out if it is not meant.'
  throw new TypeError(`${missing} is undefined. ${advice}`)
}

/** `baseURL`, `base_url` and `url` are all `baseUrl`. */
function isMeant(name: string, given: string): boolean {
  const [one, other] = [letters(name), letters(given)]
  return other !== '' && (one.includes(other) || other.includes(one))
}

const letters = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

const enumerated = (names: readonly string[]): string =>
  names.join(', ').replace(/, ([^,]*)$/, ' and $1')
