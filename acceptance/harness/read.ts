/**
 * Turns an unknown JSON value into a typed one, or fails with what is wrong with it. The schemas
 * are closed, so a field too many is a failure as much as a field too few.
 */
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'

export function read<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (Value.Check(schema, value)) return value
  const problems = Value.Errors(schema, value)
    .slice(0, 5)
    .map((problem) => `${problem.instancePath || '/'}: ${problem.message}`)
  throw new Error(`${problems.join('; ')}\nin ${JSON.stringify(value)?.slice(0, 600)}`)
}
