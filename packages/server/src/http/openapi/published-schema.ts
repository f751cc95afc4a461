// Turns a schema of the contract into one for the document: without the keywords that only our own
// validation knows, with `allowed` as the field's description, and with a reference wherever a part
// has a name of its own.
import type { TSchema } from 'typebox'
import { ENTITY_TYPES } from '../../contract/entities.ts'
import { PRIVATE_KEYWORDS } from '../../contract/fields.ts'
import type { Schema } from './types.ts'

export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const PRIVATE: ReadonlySet<string> = new Set(PRIVATE_KEYWORDS)
// JSON in UTF-8 cannot hold half of a surrogate pair except as an escape, and many engines cannot
// say it in a pattern. The description still tells that it is refused.
const SURROGATES = '\\ud800-\\udfff'
const ANY_OBJECT = JSON.stringify({ '^.*$': {} })

export type Published = {
  schema: Schema
  /** What the value must be, as the end of a sentence. */
  allowed?: string
}

/** `partName` tells the name under which a part stands in the document, if it has one. */
export function publish(
  source: TSchema,
  partName: (part: TSchema) => string | undefined,
): Published {
  // A TypeBox schema is plain JSON Schema plus the rules of fields.ts, which TSchema does not say.
  const { allowed, ...keywords } = source as Schema & {
    allowed?: string
    patternProperties?: unknown
  }
  const reached = (part: TSchema): Schema => {
    const name = partName(part)
    return name === undefined ? publish(part, partName).schema : schemaRef(name)
  }
  const says = allowed === undefined ? {} : { allowed }
  if (JSON.stringify(keywords.patternProperties) === ANY_OBJECT) {
    return { schema: schemaRef('Metadata'), ...says }
  }
  if (JSON.stringify(keywords.enum) === JSON.stringify(ENTITY_TYPES)) {
    return { schema: schemaRef('EntityType'), ...says }
  }
  const kept: Schema = Object.fromEntries(
    Object.entries(keywords).filter(([keyword]) => !PRIVATE.has(keyword)),
  )
  const schema: Schema = {
    ...kept,
    ...(kept.pattern && { pattern: kept.pattern.replaceAll(SURROGATES, '') }),
    ...(kept.items && { items: reached(kept.items) }),
    ...(kept.anyOf && { anyOf: kept.anyOf.map(reached) }),
    ...(kept.properties && {
      properties: Object.fromEntries(
        Object.entries(kept.properties).map(([name, property]) => [name, reached(property)]),
      ),
    }),
  }
  return { schema, ...says }
}
