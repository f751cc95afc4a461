// Tables of fields: of a body, of parameters, and of an answer with everything in it.
import type { OpenApiDocument, Parameter, Schema } from '../openapi/types.ts'
import { html, type Markup, withCode } from './html.ts'

export type Row = {
  name: string
  type: string
  required: boolean
  description: string
  default?: string | undefined
}
type Schemas = OpenApiDocument['components']['schemas']

/** Named schemas that a reader knows as a type instead of as a group of fields. */
const TYPES: Readonly<Record<string, string>> = { Metadata: 'object', EntityType: 'entity type' }

export const parameterRows = (parameters: readonly Parameter[]): Row[] =>
  parameters.map(({ name, schema, required, description }) => ({
    name,
    type: typeOf(schema),
    required,
    description,
    default: defaultOf(schema),
  }))

export function bodyRows(schema: Schema, schemas: Schemas): Row[] {
  const { properties = {}, required = [] } = resolved(schema, schemas)
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeOf(field),
    required: required.includes(name),
    description: field.description ?? '',
    default: defaultOf(field),
  }))
}

/** The fields of an answer, those of its parts under names such as `items[].id`. */
export function answerRows(schema: Schema, schemas: Schemas, prefix = ''): Row[] {
  const { properties = {}, required = [] } = resolved(schema, schemas)
  return Object.entries(properties).flatMap(([name, field]) => {
    const part = field.items ?? field
    const row: Row = {
      name: `${prefix}${name}`,
      type: typeOf(field),
      required: required.includes(name),
      description: field.description ?? '',
    }
    const inside = `${prefix}${name}${field.items ? '[]' : ''}.`
    return [row, ...(isGroup(part) ? answerRows(part, schemas, inside) : [])]
  })
}

export const inputTable = (rows: readonly Row[]): Markup =>
  table(rows, ({ required }) => (required ? html` · <b>required</b>` : undefined))

export const answerTable = (rows: readonly Row[]): Markup =>
  table(rows, ({ required }) => (required ? undefined : html` · not always there`))

const table = (rows: readonly Row[], presence: (row: Row) => Markup | undefined) => html`
<dl class="fields">${rows.map(
  (row) => html`
<div><dt><code>${row.name}</code> <span class="type">${row.type}${presence(row)}${
    row.default === undefined ? undefined : ` · default ${row.default}`
  }</span></dt>
<dd>${withCode(row.description)}</dd></div>`,
)}</dl>`

const defaultOf = (schema: Schema): string | undefined =>
  schema.default === undefined ? undefined : String(schema.default)

const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)

const isGroup = (schema: Schema): boolean => {
  const name = nameOf(schema)
  return name !== undefined && TYPES[name] === undefined
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = nameOf(schema)
  return name === undefined ? schema : (schemas[name] ?? {})
}

function typeOf(schema: Schema): string {
  const name = nameOf(schema)
  if (name !== undefined) return TYPES[name] ?? 'object'
  if (schema.items) return `${typeOf(schema.items)}[]`
  const [first] = schema.anyOf ?? []
  return first ? typeOf(first) : (schema.type ?? 'any')
}
