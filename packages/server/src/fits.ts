// Whether files that people write, and answers of other services, are as a schema says. The library is the one
// that also checks requests: every start reads such a file, and would have to load a second library for it.
import { Ajv, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'

// Without a look at the schemas themselves, which every start would wait for.
const ajv = new Ajv({
  strict: true,
  allErrors: true,
  validateFormats: false,
  meta: false,
  validateSchema: false,
})

/** Has all errors of the value that it checked last. */
export const checkOf = (schema: TSchema): ValidateFunction => ajv.compile(schema)

export const fits = <Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): value is Static<Schema> => checkOf(schema)(value)
