// Tables of fields: of a body, of parameters, and of an answer with everything in it.
import type { OpenApiDocument, Parameter, Schema } from '../openapi/types.ts'
import { html, type Markup, withCode } from './html.ts'

type Row = {
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

export const fieldTable = (rows: readonly Row[], optional: 'optional' | 'not always there') =>
  html`<dl class="fields">${rows.map((row) => fieldRow(row, optional))}</dl>`

const fieldRow = (row: Row, optional: string): Markup => html`
<div><dt><code>${row.name}</code> <span class="type">${row.type}</span>${
  row.required ? undefined : html` <span class="type">· ${optional}</span>`
}${
  row.default === undefined ? undefined : html` <span class="type">· default ${row.default}</span>`
}</dt>
<dd>${withCode(row.description)}</dd></div>`

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
