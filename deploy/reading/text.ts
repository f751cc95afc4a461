// Texts and shapes for the checks of the deployment files. A file that does not parse, or does not
// have the shape that a check relies on, fails here with what is wrong.
import { readFileSync } from 'node:fs'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'

/** The text of a file, named from the repository's root. */
export const textOf = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The value itself: Value.Parse would turn a number into a text where Kubernetes refuses it. */
export function held<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (Value.Check(schema, value)) return value
  const wrong = Value.Errors(schema, value).map((error) => `${error.instancePath} ${error.message}`)
  throw new Error(wrong.join('; '))
}

/** Names with texts: a number or a truth value is none. */
export const Texts = Type.Record(Type.String(), Type.String())

/** Milliseconds, from a constant in the server's sources that no module hands out; NaN without it. */
export function millisecondsOf(file: string, constant: string): number {
  const found = new RegExp(`${constant}\\s*[=:]\\s*([\\d_]+)`).exec(textOf(file))?.[1]
  return found === undefined ? Number.NaN : Number(found.replaceAll('_', ''))
}
