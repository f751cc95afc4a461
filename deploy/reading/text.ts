// Texts and shapes for the tests of the deployment files. A file without the shape that a test relies on
// fails here, with what is wrong.
import { readFileSync } from 'node:fs'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'

/** The text of a file, named from the repository's root. */
export const textOf = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/**
 * Returns the value as it is: Value.Parse would turn a number into a text, which Kubernetes refuses to do.
 */
export function held<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (Value.Check(schema, value)) return value
  const wrong = Value.Errors(schema, value).map((error) => `${error.instancePath} ${error.message}`)
  throw new Error(wrong.join('; '))
}

/** Names with texts; numbers and booleans are refused. */
export const Texts = Type.Record(Type.String(), Type.String())

/**
 * The value of a constant in the server's sources that no module exports, in milliseconds; NaN without it.
 */
export function millisecondsOf(file: string, constant: string): number {
  const found = new RegExp(`${constant}\\s*[=:]\\s*([\\d_]+)`).exec(textOf(file))?.[1]
  return found === undefined ? Number.NaN : Number(found.replaceAll('_', ''))
}
