// What was found in a file of another memory service, ready for the ordinary create path: inputs that
// are still to be validated, and for each the id that it gets. The same record of the same file always
// has the same id, so a second run adds only what is missing.
import { hash } from 'node:crypto'
import { RELATION_TYPE_LENGTH_MAX } from '../../../contract/bounds.ts'
import { RELATION_TYPE_PATTERN } from '../../../contract/relations.ts'
import { toBase62 } from '../../../core/base62.ts'

export type ForeignRecord = {
  kind: 'memory' | 'entity' | 'relation'
  /** Tells people which record of the file it is, without its text. */
  where: string
  id: string
  /** Undefined when the file does not say. */
  createdAt?: number | undefined
  input: Record<string, unknown>
}

export type ForeignFile = {
  /** Entities before the relations between them. */
  records: ForeignRecord[]
  /** What cannot be imported, for people: where it is and why. */
  leftOut: string[]
}

const ID_BYTES = 18
const ID_LENGTH = 25

/** As wide as any other id, from what tells the record from all others. */
export function idOf(prefix: 'mem' | 'ent' | 'rel', ...seed: string[]): string {
  const digest = hash('sha256', JSON.stringify(seed), 'buffer')
  return `${prefix}_${toBase62(digest.subarray(0, ID_BYTES), ID_LENGTH)}`
}

const RELATION_TYPE = new RegExp(RELATION_TYPE_PATTERN)

/** A type that the contract allows, as close to the given one as can be. */
export function relationTypeOf(text: string): string {
  if (RELATION_TYPE.test(text) && text.length <= RELATION_TYPE_LENGTH_MAX) return text
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
  return words.replace(/^[_0-9]+|_+$/g, '').slice(0, RELATION_TYPE_LENGTH_MAX) || 'RELATED_TO'
}

/** The fields that say something. */
export const present = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  )
