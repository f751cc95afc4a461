// The tools that agents are offered: one for each operation of the contract, with its name, its fields and
// what they mean, all from the tables that the reference is made from. Only what helps a model to choose
// is written here. Every word costs each conversation its tokens, and many models take neither patterns nor
// references: so the schemas are plain, and what is allowed in detail is told to whoever gets it wrong.
// decisions/2026-11-27-tools-for-agents.md
import type { TSchema } from 'typebox'
import { OPERATION_IDS, OPERATIONS, type OperationId } from '../../contract/operations.ts'
import { MEANINGS } from '../openapi/meanings.ts'
import { REQUEST_BODIES, SHAPES } from '../openapi/shapes.ts'
import type { Schema } from '../openapi/types.ts'

export type Tool = {
  operation: OperationId
  /** `memories.create` is `create_memory`, `memories.search` is `search_memories`. */
  name: string
  title: string
  description: string
  /** The tool that tells a record of this kind whole. */
  toolForWhole: string
  /** By the name of the argument. */
  properties: Readonly<Record<string, Schema>>
  required: readonly string[]
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

const DESCRIPTIONS: Readonly<Record<OperationId, string>> = {
  'memories.create':
    'Remembers one fact as a text. Write it so that it can be understood by itself later: names instead of ' +
    '"he" or "it", dates instead of "tomorrow". Several facts are several memories.',
  'memories.search':
    'Finds memories by meaning and by words. Ask before you answer what may depend on something that was said ' +
    'earlier. Scores lie between 0 and 1; what is below the threshold is not told. When nothing is found, ' +
    'try again with threshold 0.3.',
  'memories.list':
    'Lists memories, the newest first, without their metadata. To find some, search instead.',
  'memories.get': 'Fetches one memory by its id, with its whole text and its metadata.',
  'memories.delete':
    'Deletes one memory for good. No memory can be changed: to correct one, store the correction, then delete the old one.',
  'entities.create':
    'Stores a named thing of the knowledge graph: a person, an organization, a place. Look for it with ' +
    'list_entities first: two of the same name are two things.',
  'entities.list': 'Lists entities, the newest first; `search` finds them by a part of their name.',
  'entities.get': 'Fetches one entity by its id, with its metadata.',
  'entities.delete': 'Deletes one entity, and all relations from and to it, for good.',
  'relations.create':
    'Joins two entities by a typed, directed relation, as in: Anna (sourceId) WORKS_FOR Initech (targetId).',
  'relations.list':
    'Lists relations with their two entities, the newest first; with sourceId or targetId those of one entity.',
  'relations.get': 'Fetches one relation by its id, with its two entities and its metadata.',
  'relations.delete': 'Deletes one relation for good. Its entities stay.',
}

const SINGULAR: Readonly<Record<string, string>> = {
  memories: 'memory',
  entities: 'entity',
  relations: 'relation',
}

const ENTITY_ID = 'its id, not its name: list_entities and create_entity tell it.'

const METADATA = { metadata: 'Anything to keep with it, as a JSON object.' }

/** What the reference says at length, of addresses, or to people. By the names of `MEANINGS`. */
const IN_OTHER_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  NewMemory: {
    userId:
      'The user whom the memory belongs to: for the same user always the same identifier. Do not make one up.',
    agentId: 'Your own identifier, if you have been given one.',
    ...METADATA,
  },
  NewEntity: METADATA,
  NewRelation: {
    sourceId: `The entity that the relation starts from, by ${ENTITY_ID}`,
    targetId: `The entity that the relation points to, by ${ENTITY_ID}`,
    ...METADATA,
  },
  'memories.list': {
    tags: 'One text, no list: tags separated by commas. Only memories that have all of them.',
  },
  'relations.list': {
    sourceId: `Only relations that start from this entity, by ${ENTITY_ID}`,
    targetId: `Only relations that point to this entity, by ${ENTITY_ID}`,
    type: 'Only relations of this type, of letters, digits and underscores, in the same case.',
  },
}

const KEPT: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'maxItems',
])

export const TOOLS: readonly Tool[] = OPERATION_IDS.map((operation) => {
  const { method, summary } = OPERATIONS[operation]
  const [nouns = '', verb = ''] = operation.split('.')
  const isOfMany = verb === 'list' || verb === 'search'
  return {
    operation,
    name: `${verb}_${isOfMany ? nouns : SINGULAR[nouns]}`,
    title: summary,
    toolForWhole: `get_${SINGULAR[nouns]}`,
    description: DESCRIPTIONS[operation],
    ...argumentsOf(operation),
    annotations: {
      readOnlyHint: method === 'GET' || verb === 'search',
      destructiveHint: method === 'DELETE',
      idempotentHint: method !== 'POST' || verb === 'search',
      openWorldHint: false,
    },
  }
})

function argumentsOf(operation: OperationId): Pick<Tool, 'properties' | 'required'> {
  if (OPERATIONS[operation].path.endsWith('/:id')) {
    const [nouns = ''] = operation.split('.')
    const description = `The id of the ${SINGULAR[nouns]}, as another tool told it.`
    const id: Schema = { type: 'string', description }
    return { properties: { id }, required: ['id'] }
  }
  const { body, query } = SHAPES[operation]
  const source: TSchema & Schema = body === undefined ? (query ?? {}) : REQUEST_BODIES[body]
  const meanings = { ...MEANINGS[body ?? operation], ...IN_OTHER_WORDS[body ?? operation] }
  const properties = Object.entries(source.properties ?? {}).map(([name, field]) => [
    name,
    { ...plain(field), description: meanings[name] ?? '' },
  ])
  return { properties: Object.fromEntries(properties), required: source.required ?? [] }
}

/** Of a field that may be null, what it is otherwise: absent means the same. */
function plain(field: Schema): Schema {
  const [value = field] = field.anyOf ?? []
  const { items, ...keywords } = value
  return {
    ...Object.fromEntries(Object.entries(keywords).filter(([keyword]) => KEPT.has(keyword))),
    ...(items && { items: plain(items) }),
  }
}
