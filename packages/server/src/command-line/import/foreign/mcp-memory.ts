// The file of the reference MCP memory server (`memory.jsonl`): a line for each entity, with its type
// in free words and its observations, and a line for each relation, which names its ends. Entities
// and relations become those of the graph; each observation becomes a memory, with the entity's name
// in front, since it says nothing without it.
// https://github.com/modelcontextprotocol/servers/tree/main/src/memory
import { ENTITY_TYPES, type EntityType } from '../../../contract/entities.ts'
import { isBlank } from '../../../contract/storable.ts'
import { isObject, parsedJson } from '../../../parsed-json.ts'
import { type ForeignFile, type ForeignRecord, idOf, relationTypeOf } from './foreign-record.ts'

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

type Entity = { name: string; entityType: string; observations: unknown[] }
type Relation = { from: string; to: string; relationType: string }
type Observation<Text = unknown> = { name: string; text: Text }
type Line<Value> = { where: string; value: Value }

/** `userId` is whose memories the observations become. */
export function parseMcpMemory(text: string, userId: string): ForeignFile {
  const { entities, relations, leftOut } = linesOf(text)
  // The first line of a name is its entity; the observations of the others are kept all the same.
  const byName = new Map(entities.toReversed().map((line) => [line.value.name, line]))
  const firstOfName = entities.filter((line) => byName.get(line.value.name) === line)
  const hasEnds = ({ value: { from, to } }: Line<Relation>): boolean =>
    byName.has(from) && byName.has(to)
  const observations = entities.flatMap(observationsOf)
  return {
    records: [
      ...firstOfName.map(entityOf),
      ...relations.filter(hasEnds).map(relationOf),
      ...observations.filter(isText).map((line) => memoryOf(line, userId)),
    ],
    leftOut: [
      ...leftOut,
      ...observations
        .filter((line) => !isText(line))
        .map(({ where }) => `${where}: it is no text.`),
      ...relations
        .filter((line) => !hasEnds(line))
        .map(({ where }) => `${where}: an end of the relation is no entity of the file.`),
    ],
  }
}

function linesOf(text: string) {
  const entities: Line<Entity>[] = []
  const relations: Line<Relation>[] = []
  const leftOut: string[] = []
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const where = `line ${index + 1}`
    const value = parsedJson(line)
    if (isEntity(value)) entities.push({ where, value })
    else if (isRelation(value)) relations.push({ where, value })
    else leftOut.push(`${where}: it is neither an entity nor a relation.`)
  }
  return { entities, relations, leftOut }
}

const entityOf = ({ where, value: { name, entityType } }: Line<Entity>): ForeignRecord => ({
  kind: 'entity',
  where,
  id: idOf('ent', FORMAT, name),
  input: {
    name,
    type: entityTypeOf(entityType),
    metadata: { importedFrom: { format: FORMAT, entityType } },
  },
})

const relationOf = ({
  where,
  value: { from, to, relationType },
}: Line<Relation>): ForeignRecord => ({
  kind: 'relation',
  where,
  id: idOf('rel', FORMAT, from, to, relationType),
  input: {
    sourceId: idOf('ent', FORMAT, from),
    targetId: idOf('ent', FORMAT, to),
    type: relationTypeOf(relationType),
    metadata: { importedFrom: { format: FORMAT, relationType } },
  },
})

const observationsOf = ({
  where,
  value: { name, observations },
}: Line<Entity>): Line<Observation>[] =>
  observations.map((text, index) => ({
    where: `${where}, observation ${index + 1}`,
    value: { name, text },
  }))

/** With a name in front of it even a blank one would be stored, and found for the name. */
const isText = (line: Line<Observation>): line is Line<Observation<string>> =>
  typeof line.value.text === 'string' && !isBlank(line.value.text)

const memoryOf = (
  { where, value: { name, text } }: Line<Observation<string>>,
  userId: string,
): ForeignRecord => ({
  kind: 'memory',
  where,
  id: idOf('mem', FORMAT, userId, name, text),
  input: {
    content: `${name}: ${text}`,
    userId,
    metadata: {
      importedFrom: { format: FORMAT, entity: name, entityId: idOf('ent', FORMAT, name) },
    },
  },
})

function entityTypeOf(text: string): EntityType {
  const folded = text.trim().toLowerCase()
  const own = ENTITY_TYPES.find((type) => type.toLowerCase() === folded)
  return own ?? KNOWN_TYPES.get(folded) ?? 'OTHER'
}

const isEntity = (value: unknown): value is Entity =>
  isObject(value) &&
  value['type'] === 'entity' &&
  typeof value['name'] === 'string' &&
  typeof value['entityType'] === 'string' &&
  Array.isArray(value['observations'])

const isRelation = (value: unknown): value is Relation =>
  isObject(value) &&
  value['type'] === 'relation' &&
  [value['from'], value['to'], value['relationType']].every((each) => typeof each === 'string')
