// Says what is wrong with a file that a person wrote: the first field that is not as it must be,
// and what is allowed there. The file's own values are not repeated.
import type { TProperties, TSchema } from 'typebox'
import { checkOf } from '../fits.ts'

/** By JSON pointer, to be read after "must be". A star stands for names that a person chooses. */
export type Allowed = Readonly<Record<string, string>>

/** Of a value that does not fit. Fields that the schema lacks are complained about as well. */
export function fieldComplaint(
  schema: TSchema & { properties: TProperties },
  allowed: Allowed,
  value: unknown,
): string {
  const check = checkOf(schema)
  check(value)
  const errors = check.errors ?? []
  // Another version explains whatever else is different.
  const error = errors.find(({ instancePath }) => instancePath.endsWith('/version')) ?? errors[0]
  if (error === undefined) throw new Error('The value fits.')
  const { keyword, instancePath, params } = error
  if (keyword === 'additionalProperties') {
    const path = `${instancePath}/${params['additionalProperty']}`
    const known =
      instancePath === '' ? `; known are: ${Object.keys(schema.properties).join(', ')}` : ''
    return `${nameOf(path)} is not a field${known}.`
  }
  const path =
    keyword === 'required' ? `${instancePath}/${params['missingProperty']}` : instancePath
  if (path === '') return 'it must be a JSON object.'
  const wanted = allowed[path] ?? allowed[path.replace(/[^/]*$/, '*')]
  return `${nameOf(path)} must be ${wanted ?? 'there, and as the documentation says'}.`
}

const nameOf = (path: string): string => `"${path.slice(1).replaceAll('/', '.')}"`
