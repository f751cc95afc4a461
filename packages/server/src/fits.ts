// Whether what was read is what a schema says: files that people write, answers of other services. By the library
// that also checks requests, since every start reads such a file and would load another one for it.
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
