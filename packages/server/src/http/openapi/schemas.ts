// The named schemas of the document: bodies, answers, and the shapes that several of them share.
import { type TSchema, Type } from 'typebox'
import { METADATA_BYTES_MAX, METADATA_DEPTH_MAX } from '../../contract/bounds.ts'
import { ENTITY_TYPES } from '../../contract/entities.ts'
import { STORABLE_PATTERN } from '../../contract/storable.ts'
import { errorSchemas } from './errors.ts'
import { MEANINGS } from './meanings.ts'
import { type Published, publish, schemaRef } from './published-schema.ts'
import { ANSWERS, REQUEST_BODIES } from './shapes.ts'
import type { Schema } from './types.ts'

const NAMES = new Map(Object.entries(ANSWERS).map(([name, part]) => [JSON.stringify(part), name]))
const partName = (part: TSchema): string | undefined => NAMES.get(JSON.stringify(part))

/** A field or parameter: what it is for, and what is allowed in it. */
export function describedField(owner: string, name: string, source: TSchema): Schema {
  const named = partName(source)
  const { schema, allowed }: Published =
    named === undefined ? publish(source, partName) : { schema: schemaRef(named) }
  const meaning = MEANINGS[owner]?.[name]
  const rule = allowed === undefined ? undefined : `Must be ${allowed}.`
  const description = [meaning, rule].filter((text) => text !== undefined).join(' ')
  return description === '' ? schema : { ...schema, description }
}

function object(name: string, source: TSchema & Schema): Schema {
  const { schema } = publish(source, partName)
  const fields = Object.entries(source.properties ?? {})
  return {
    ...schema,
    properties: Object.fromEntries(
      fields.map(([field, part]) => [field, describedField(name, field, part)]),
    ),
  }
}

/** Answers hold nothing but what is documented; bodies may hold more, which is ignored. */
const answer = (name: string, source: TSchema & Schema): Schema => ({
  ...object(name, source),
  additionalProperties: false,
})

const { schema: text } = publish(Type.String({ pattern: STORABLE_PATTERN }), partName)
const jsonObject: Schema = {
  type: 'object',
  propertyNames: text,
  additionalProperties: schemaRef('JsonValue'),
}
const jsonParts: Schema[] = [
  { type: 'null' },
  { type: 'boolean' },
  { type: 'number', minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
  text,
  schemaRef('JsonObject'),
]

/** Nothing in it is anything but a value. */
const innerList: Schema = {
  type: 'array',
  items: {},
  not: { contains: { not: schemaRef('JsonValue') } },
}

const SHARED: Record<string, Schema> = {
  EntityType: {
    description:
      'PERSON: a human individual. ORGANIZATION: a company, institution or group. LOCATION: a ' +
      'place. PRODUCT: a product or service. EVENT: an event or occurrence. CONCEPT: an abstract ' +
      'idea. OTHER: anything else.',
    type: 'string',
    enum: [...ENTITY_TYPES],
  },
  Metadata: {
    description:
      `A JSON object of at most ${METADATA_BYTES_MAX / 1024} KiB as compact JSON in UTF-8 and at ` +
      `most ${METADATA_DEPTH_MAX} levels, the object itself being the first.`,
    ...jsonObject,
  },
  // A list whose items referred to the value that it is one of would be shorter, but generators of Python
  // clients then leave out whatever has metadata. They follow objects, and do not read `not`, which says
  // the same of lists within lists.
  JsonValue: {
    description: 'Any JSON. Texts hold no NUL and no lone surrogate; numbers are doubles.',
    anyOf: [...jsonParts, { type: 'array', items: { anyOf: [...jsonParts, innerList] } }],
  },
  JsonObject: jsonObject,
}

export function componentSchemas(): Record<string, Schema> {
  const named = (
    sources: Record<string, TSchema>,
    make: (name: string, source: TSchema) => Schema,
  ) => Object.fromEntries(Object.entries(sources).map(([name, part]) => [name, make(name, part)]))
  return {
    ...named(REQUEST_BODIES, object),
    ...named(ANSWERS, answer),
    ...SHARED,
    ...errorSchemas(),
  }
}
