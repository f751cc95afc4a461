// Says what is wrong with a file that a person wrote: the first field that is not as it must be,
// and what is allowed there. The file's own values are not repeated.
import type { TProperties, TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** By JSON pointer, to be read after "must be". A star stands for names that a person chooses. */
export type Allowed = Readonly<Record<string, string>>

/** Undefined when the value fits. Fields that the schema lacks are complained about as well. */
export function fieldComplaint(
  schema: TSchema & { properties: TProperties },
  allowed: Allowed,
  value: unknown,
): string | undefined {
  const errors = Value.Errors(schema, value)
  // Another version explains whatever else is different.
  const error = errors.find(({ instancePath }) => instancePath.endsWith('/version')) ?? errors[0]
  if (error === undefined) return undefined
  if (error.keyword === 'boolean') {
    const known = Object.keys(schema.properties).join(', ')
    const parts = error.instancePath.split('/').length - 1
    return `${nameOf(error.instancePath)} is not a field${parts === 1 ? `; known are: ${known}` : ''}.`
  }
  const missing = error.keyword === 'required' ? error.params.requiredProperties[0] : undefined
  const path = missing === undefined ? error.instancePath : `${error.instancePath}/${missing}`
  if (path === '') return 'it must be a JSON object.'
  const wanted = allowed[path] ?? allowed[path.replace(/[^/]*$/, '*')]
  return `${nameOf(path)} must be ${wanted ?? 'there, and as the documentation says'}.`
}

const nameOf = (path: string): string => `"${path.slice(1).replaceAll('/', '.')}"`
