// The path and query of a request. An id is only ever one segment of a path, and a filter means what was
// given: what cannot be sent as it is, is a TypeError instead of a request for something else.
import { expectValues } from './given.ts'

/** Throws TypeError for what no id can be: nothing, and the two names that mean another path. */
export function pathOf(collection: string, id: string): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) {
    throw new TypeError('id must be the id of a record: a text that is not empty.')
  }
  return `${collection}/${encodeURIComponent(sendable('id', id))}`
}

/** With its question mark, if there is any. A list without a tag is no filter. */
export function queryOf(parameters: object): string {
  expectValues(parameters, [])
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (name === 'tags' && !Array.isArray(value))
      throw new TypeError('tags must be a list of texts.')
    if (Array.isArray(value) && value.length === 0) continue
    query.set(name, Array.isArray(value) ? tagList(value) : sendable(name, value))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

// White space as the service sees it, which is more than `trim` does.
const OUTER_WHITE_SPACE = /^[\s\u0085]|[\s\u0085]$/

/** The service separates tags by commas, and takes white space off them. */
function tagList(tags: readonly unknown[]): string {
  for (const tag of tags) {
    if (typeof tag !== 'string' || /^$|,/.test(tag) || OUTER_WHITE_SPACE.test(tag)) {
      throw new TypeError(
        'tags of a list must be texts, not empty, without commas and outer white space.',
      )
    }
  }
  return sendable('tags', tags.join(','))
}

/** Half of a surrogate pair would arrive as another character. */
function sendable(name: string, value: unknown): string {
  if (typeof value === 'number' && (name === 'page' || name === 'limit')) return String(value)
  if (typeof value === 'string' && !/\p{Surrogate}/u.test(value)) return value
  throw new TypeError(
    `${name} must be ${name === 'tags' ? 'texts' : 'a text'} without halves of surrogate pairs.`,
  )
}
