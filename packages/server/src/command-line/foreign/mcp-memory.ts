// The file of the reference MCP memory server (`memory.jsonl`): a line for each entity, with its type
// in free words and its observations, and a line for each relation, which names its ends. Entities
// and relations become those of the graph; each observation becomes a memory, with the entity's name
// in front, since it says nothing without it.
// https://github.com/modelcontextprotocol/servers/tree/main/src/memory
import { ENTITY_TYPES, type EntityType } from '../../contract/entities.ts'
import {
  type ForeignFile,
  type ForeignRecord,
  idOf,
  isObject,
  relationTypeOf,
} from './foreign-record.ts'

const FORMAT = 'mcp-memory'

/** The words that people use most for our types. */
const KNOWN_TYPES: ReadonlyMap<string, EntityType> = new Map<string, EntityType>([
  ['people', 'PERSON'],
  ['user', 'PERSON'],
  ['human', 'PERSON'],
  ['company', 'ORGANIZATION'],
  ['organisation', 'ORGANIZATION'],
  ['team', 'ORGANIZATION'],
  ['place', 'LOCATION'],
  ['city', 'LOCATION'],
  ['country', 'LOCATION'],
  ['tool', 'PRODUCT'],
  ['software', 'PRODUCT'],
  ['technology', 'PRODUCT'],
  ['meeting', 'EVENT'],
  ['idea', 'CONCEPT'],
  ['topic', 'CONCEPT'],
])

type Line = { where: string; value: Record<string, unknown> }

/** `userId` is whose memories the observations become. */
export function parseMcpMemory(text: string, userId: string): ForeignFile {
  const leftOut: string[] = []
  const entities: Line[] = []
  const relations: Line[] = []
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '') continue
    const where = `line ${index + 1}`
    const value = parsed(line)
    if (isEntity(value)) entities.push({ where, value })
    else if (isRelation(value)) relations.push({ where, value })
    else leftOut.push(`${where}: it is neither an entity nor a relation.`)
  }
  const ids = new Map<string, string>()
  const records: ForeignRecord[] = []
  for (const { where, value } of entities) {
    const name = String(value['name'])
    if (ids.has(name)) continue
    const id = idOf('ent', FORMAT, name)
    ids.set(name, id)
    const entityType = String(value['entityType'])
    const metadata = { importedFrom: { format: FORMAT, entityType } }
    records.push({
      kind: 'entity',
      where,
      id,
      input: { name, type: entityTypeOf(entityType), metadata },
    })
  }
  for (const { where, value } of relations) {
    const [from, to, relationType] = [value['from'], value['to'], value['relationType']].map(String)
    const [sourceId, targetId] = [ids.get(from ?? ''), ids.get(to ?? '')]
    if (sourceId === undefined || targetId === undefined) {
      leftOut.push(`${where}: an end of the relation is no entity of the file.`)
      continue
    }
    const metadata = { importedFrom: { format: FORMAT, relationType } }
    const id = idOf('rel', FORMAT, from ?? '', to ?? '', relationType ?? '')
    records.push({
      kind: 'relation',
      where,
      id,
      input: { sourceId, targetId, type: relationTypeOf(relationType ?? ''), metadata },
    })
  }
  return {
    records: [...records, ...entities.flatMap((line) => observations(line, userId))],
    leftOut,
  }
}

function observations({ where, value }: Line, userId: string): ForeignRecord[] {
  const name = String(value['name'])
  const texts = Array.isArray(value['observations']) ? value['observations'].map(String) : []
  return texts.map((text, index) => ({
    kind: 'memory',
    where: `${where}, observation ${index + 1}`,
    id: idOf('mem', FORMAT, name, text),
    input: {
      content: `${name}: ${text}`,
      userId,
      metadata: {
        importedFrom: { format: FORMAT, entity: name, entityId: idOf('ent', FORMAT, name) },
      },
    },
  }))
}

function entityTypeOf(text: string): EntityType {
  const folded = text.trim().toLowerCase()
  const own = ENTITY_TYPES.find((type) => type.toLowerCase() === folded)
  return own ?? KNOWN_TYPES.get(folded) ?? 'OTHER'
}

const isEntity = (value: unknown): value is Record<string, unknown> =>
  isObject(value) &&
  value['type'] === 'entity' &&
  typeof value['name'] === 'string' &&
  typeof value['entityType'] === 'string' &&
  Array.isArray(value['observations']) &&
  value['observations'].every((each) => typeof each === 'string')

const isRelation = (value: unknown): value is Record<string, unknown> =>
  isObject(value) &&
  value['type'] === 'relation' &&
  [value['from'], value['to'], value['relationType']].every((each) => typeof each === 'string')

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
