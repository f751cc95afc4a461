// Reads what a caller sent, by the schemas of the contract. Fields are checked one after the other
// in the contract's order, so that the first wrong one is named, with its own code; bodies are
// never coerced, unknown fields never kept. Numbers of a query string are plain integers.
// decisions/2026-11-21-validation-by-schema.md, decisions/2026-11-21-filters-never-widen.md
import { Ajv } from 'ajv'
import type { FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import {
  METADATA_BYTES_MAX,
  METADATA_DEPTH_MAX,
  TAG_LENGTH_MAX,
  TAGS_MAX,
} from '../../contract/bounds.ts'
import { ApiError, type ErrorCode } from '../../contract/errors.ts'
import { type FieldRule, splitTagList } from '../../contract/fields.ts'
import { isObject } from '../../parsed-json.ts'
import { isStorableJson } from './storable-json.ts'

/** Where the input of an operation comes from. */
export type Given = Pick<FastifyRequest, 'body' | 'query' | 'params'>

export type Reader<Input> = (given: Given) => Input

// A field's check is made when it is first needed. Making all of them, and checking the schemas by their
// own schema before, takes a good part of a start. decisions/2026-11-21-start.md
const ajv = new Ajv({
  strict: true,
  allErrors: false,
  validateFormats: false,
  meta: false,
  validateSchema: false,
})
ajv.addVocabulary(['allowed', 'code', 'tooLongCode'])
ajv.addKeyword({
  keyword: 'storableMetadata',
  type: 'object',
  validate: (_schema: true, value: unknown) =>
    isStorableJson(value, { bytesMax: METADATA_BYTES_MAX, levelsMax: METADATA_DEPTH_MAX }),
})
ajv.addKeyword({
  keyword: 'tagList',
  type: 'string',
  validate: (_schema: true, list: string) => {
    const tags = splitTagList(list)
    return tags.length <= TAGS_MAX && tags.every((tag) => [...tag].length <= TAG_LENGTH_MAX)
  },
})

type Field = FieldRule & {
  name: string
  required: boolean
  /** Whether the parameter of a query string stands for a number. */
  isInteger: boolean
  schema: TSchema
}

/** The request's JSON body, which must be an object. `what` names it where it is something else. */
export function body<Schema extends TObject>(
  schema: Schema,
  what = 'The body',
): (request: Pick<FastifyRequest, 'body'>) => Static<Schema> {
  const fields = fieldsOf(schema)
  return ({ body: source }) => {
    if (!isObject(source)) {
      throw new ApiError('VALIDATION_ERROR', { message: `${what} must be a JSON object.` })
    }
    return readFields(fields, ({ name }) => ownValue(source, name))
  }
}

/** The parameters of the query string, each given once, and without brackets. */
export function queryString<Schema extends TObject>(
  schema: Schema,
): (request: Pick<FastifyRequest, 'query'>) => Static<Schema> {
  const fields = fieldsOf(schema)
  return ({ query }) => {
    const source: object = Object(query)
    // So do HTTP libraries write lists: `tags[]=a`.
    const inBrackets = Object.keys(source).filter((name) => name.includes('['))
    return readFields(fields, ({ name, allowed, isInteger }) => {
      if (inBrackets.some((each) => each.startsWith(`${name}[`))) {
        const message = `${name} must be given without brackets, as ${allowed}.`
        throw violation(name, 'VALIDATION_ERROR', message)
      }
      const value = ownValue(source, name)
      if (Array.isArray(value)) {
        throw violation(name, 'VALIDATION_ERROR', `${name} must be given only once, as ${allowed}.`)
      }
      return isInteger ? toInteger(value) : value
    })
  }
}

/** For where a name that was passed over would widen what is meant. Throws for the first that is not known. */
export function expectOnly(known: readonly string[], given: unknown, message: string): void {
  const other = Object.keys(Object(given)).find((name) => !known.includes(name))
  if (other !== undefined) {
    throw new ApiError('VALIDATION_ERROR', { message, fields: { field: other } })
  }
}

/**
 * The input of a request. The rest of its body is let go: unknown fields can take 25 MB, and would wait with
 * the request for its turn at the model.
 */
export function takeInput<Input>(given: Given, read: Reader<Input>): Input {
  const input = read(given)
  given.body = undefined
  return input
}

/** The id in the path. Any text will do: what cannot exist is simply not found. */
export const pathId = ({ params }: Pick<FastifyRequest, 'params'>): string =>
  String(Object(params).id)

function fieldsOf(schema: TObject): Field[] {
  return Object.entries<TSchema & Partial<FieldRule>>(schema.properties).map(
    ([name, property]) => ({
      name,
      required: schema.required?.includes(name) ?? false,
      isInteger: 'type' in property && property.type === 'integer',
      schema: property,
      allowed: property.allowed ?? 'valid',
      ...(property.code && { code: property.code }),
      ...(property.tooLongCode && { tooLongCode: property.tooLongCode }),
    }),
  )
}

function readFields<Schema extends TObject>(
  fields: Field[],
  given: (field: Field) => unknown,
): Static<Schema> {
  const values = new Map<string, unknown>()
  for (const field of fields) {
    const value = given(field)
    if (value === undefined && !field.required) continue
    const check = ajv.compile(field.schema)
    if (!check(value)) throw refusal(field, check.errors?.[0]?.keyword === 'maxLength')
    if (value !== null) values.set(field.name, value)
  }
  // Each value was checked against its property, which is what the static type says.
  return Object.fromEntries(values) as Static<Schema>
}

const ownValue = (source: object, name: string): unknown =>
  Object.hasOwn(source, name) ? Reflect.get(source, name) : undefined

function refusal(
  { name, allowed, code = 'VALIDATION_ERROR', tooLongCode }: Field,
  isTooLong: boolean,
): ApiError {
  // Its own text says the one thing that is wrong.
  if (isTooLong && tooLongCode !== undefined) return new ApiError(tooLongCode)
  return violation(name, code, `${name} must be ${allowed}.`)
}

const violation = (name: string, code: ErrorCode, message: string): ApiError =>
  new ApiError(code, { message, fields: code === 'VALIDATION_ERROR' ? { field: name } : {} })

/** Whole numbers without sign, leading zero, point or exponent; anything else fails the check. */
const toInteger = (text: unknown): unknown =>
  typeof text === 'string' && /^[1-9][0-9]*$/.test(text) ? Number(text) : text
