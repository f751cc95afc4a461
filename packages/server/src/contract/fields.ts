// The building blocks of every request schema. A field's schema carries, beside its JSON Schema,
// what the error says (`allowed`) and which code it has, so that a bound, its text and its code
// stand in one place. `allowed` completes the sentence "<field> must be …".
// decisions/2026-11-21-validation-by-schema.md, decisions/2026-11-21-field-bounds.md
import { type TSchema, Type } from 'typebox'
import {
  IDENTIFIER_LENGTH_MAX,
  METADATA_BYTES_MAX,
  METADATA_DEPTH_MAX,
  TAG_LENGTH_MAX,
  TAGS_MAX,
} from './bounds.ts'
import type { ErrorCode } from './errors.ts'
import { STORABLE_PATTERN, UNSTORABLE, WHITE_SPACE } from './storable.ts'

export type FieldRule = {
  /** What the field must be, as the end of a sentence. */
  allowed: string
  /** The code of a violation; VALIDATION_ERROR when absent. */
  code?: ErrorCode
  /** The code when the text is too long, where the contract has one of its own. */
  tooLongCode?: ErrorCode
}

/** The keys of a field's schema that are not JSON Schema; the OpenAPI document leaves them out. */
export const PRIVATE_KEYWORDS = [
  'allowed',
  'code',
  'tooLongCode',
  'storableMetadata',
  'tagList',
] as const

const NOT_BLANK_PATTERN = `^[${WHITE_SPACE}]*[^${WHITE_SPACE}${UNSTORABLE}][^${UNSTORABLE}]*$`
const SOME_TAG_PATTERN = `^[${WHITE_SPACE},]*[^,${WHITE_SPACE}${UNSTORABLE}][^${UNSTORABLE}]*$`

/** Not `toLocaleString`: it takes 20 ms of every start. */
const withCommas = (value: number): string => `${value}`.replace(/\B(?=(\d{3})+$)/g, ',')

const lengths = (max: number): string => `1 to ${withCommas(max)} characters`

/** A text that says something: at least one character that is not white space. */
export const meaningfulText = (lengthMax: number, rule: Partial<FieldRule> = {}) =>
  Type.String({
    minLength: 1,
    maxLength: lengthMax,
    pattern: NOT_BLANK_PATTERN,
    allowed: `a text of ${lengths(lengthMax)} that is not blank and holds no NUL or lone surrogate`,
    ...rule,
  })

/** A text that may be empty. */
export const anyText = (lengthMax: number) =>
  Type.String({
    maxLength: lengthMax,
    pattern: STORABLE_PATTERN,
    allowed: `a text of at most ${withCommas(lengthMax)} characters without NUL or lone surrogates`,
  })

/** An identifier that callers choose (`userId`, `agentId`) or that a filter names. */
export const identifier = (rule: Partial<FieldRule> = {}) =>
  meaningfulText(IDENTIFIER_LENGTH_MAX, rule)

/** The id of a record in a body: any text can be looked up, and simply matches nothing. */
export const reference = () =>
  Type.String({
    minLength: 1,
    pattern: STORABLE_PATTERN,
    allowed: 'the id of an entity, a text that is not empty and holds no NUL or lone surrogate',
  })

export const tags = () =>
  Type.Array(Type.String({ minLength: 1, maxLength: TAG_LENGTH_MAX, pattern: STORABLE_PATTERN }), {
    maxItems: TAGS_MAX,
    allowed: `a list of at most ${TAGS_MAX} texts of ${lengths(TAG_LENGTH_MAX)} each, without NUL or lone surrogates`,
  })

/** Tags in a query string: separated by commas, at least one left after trimming. */
export const tagList = () =>
  Type.String({
    pattern: SOME_TAG_PATTERN,
    tagList: true,
    allowed:
      `one text: 1 to ${TAGS_MAX} tags of ${lengths(TAG_LENGTH_MAX)} each, without NUL or lone surrogates, ` +
      'separated by commas',
  })

export const metadata = () =>
  Type.Record(Type.String(), Type.Unknown(), {
    storableMetadata: true,
    allowed:
      `a JSON object of at most ${METADATA_BYTES_MAX / 1024} KiB and ${METADATA_DEPTH_MAX} levels, ` +
      'without NUL, lone surrogates and numbers outside the double range',
  })

/** Absent and null mean the same, which only the optional fields of a create allow. */
export const absentOrNull = <Schema extends TSchema & Partial<FieldRule>>(schema: Schema) =>
  Type.Optional(
    Type.Union([schema, Type.Null()], { allowed: `${schema.allowed ?? 'valid'}, or absent` }),
  )

export const integer = (minimum: number, maximum: number) =>
  Type.Integer({
    minimum,
    maximum,
    allowed: `a whole number from ${minimum} to ${withCommas(maximum)}`,
  })

// From the first to the last character that says something: to look for white space before the end takes
// the square of its length.
const WITHOUT_OUTER_WHITE_SPACE = new RegExp(`[^${WHITE_SPACE}](?:.*[^${WHITE_SPACE}])?`, 's')

/** The tags of a comma-separated list: trimmed, empty ones dropped, as often as they were given. */
export const splitTagList = (list: string): string[] =>
  list.split(',').flatMap((tag) => WITHOUT_OUTER_WHITE_SPACE.exec(tag)?.[0] ?? [])
