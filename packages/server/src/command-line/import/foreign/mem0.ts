// What mem0 hands out as JSON: the answer of `get_all` (a list, or an object with `results` and, with
// graph memory, `relations`), or the `memories.json` of an OpenMemory export, which also holds the
// user and the categories. Exports made with a schema of one's own have no common shape, and cannot
// be read.
// https://docs.mem0.ai/api-reference/memory/get-memories
import { isObject, parsedJson } from '../../../parsed-json.ts'
import { UsageFailure } from '../../failure.ts'
import {
  type ForeignFile,
  type ForeignRecord,
  idOf,
  present,
  relationTypeOf,
} from './foreign-record.ts'

const FORMAT = 'mem0'

type Item = Record<string, unknown>
type Names = { userId: unknown; categories: Map<unknown, unknown> }

/**
 * `userId` is whose memories they are, where the file does not say. Throws a UsageFailure when the
 * file is something else.
 */
export function parseMem0(text: string, userId: string | undefined): ForeignFile {
  const file = parsedJson(text.replace(/^\ufeff/, ''))
  if (file === undefined) throw new UsageFailure('The file is no JSON.')
  const items = Array.isArray(file) ? file : memoriesOf(file)
  if (items === undefined || (items.length > 0 && !items.some(isMemory))) {
    throw new UsageFailure(
      'The file holds no memories as mem0 gives them: it should be what get_all answers, or the ' +
        'memories.json of an OpenMemory export.',
    )
  }
  expectAllPages(file, items.length)
  const names = namesIn(file, userId)
  const leftOut: string[] = []
  const records: ForeignRecord[] = []
  for (const [index, item] of items.entries()) {
    const where = `memory ${index + 1}`
    if (!isMemory(item)) leftOut.push(`${where}: it has no text.`)
    else if (item['state'] === 'deleted') leftOut.push(`${where}: it was deleted in OpenMemory.`)
    else {
      const record = memoryOf(item, where, names)
      if ('userId' in record.input) records.push(record)
      else leftOut.push(`${where}: it names no user. Say with --user-id whose it is.`)
    }
  }
  const graph = graphOf(isObject(file) ? file['relations'] : undefined)
  return { records: [...graph.records, ...records], leftOut: [...leftOut, ...graph.leftOut] }
}

/** A page that is taken for the whole would lose the others without a word. */
function expectAllPages(file: unknown, found: number): void {
  if (!isObject(file)) return
  const { next, count } = file
  if (!next && !(typeof count === 'number' && count > found)) return
  const all = typeof count === 'number' ? ` of ${count}` : ''
  throw new UsageFailure(
    `The file is one page of several: it holds ${found}${all} memories. Ask mem0 for all pages and save ` +
      'their results in one file: docs/moving.md shows how.',
  )
}

function memoryOf(item: Item, where: string, { userId, categories }: Names): ForeignRecord {
  const content = textOf(item)
  const ids = Array.isArray(item['category_ids']) ? item['category_ids'] : []
  const named = Array.isArray(item['categories']) ? item['categories'] : undefined
  const tags = [...(named ?? []), ...ids.map((id) => categories.get(id) ?? id)]
  const own = isObject(item['metadata']) ? item['metadata'] : undefined
  const { id, hash, run_id, app_id, actor_id, role, updated_at, expiration_date, state } = item
  const createdAt = timeOf(item['created_at'])
  const importedFrom = present({
    format: FORMAT,
    id,
    hash,
    run_id,
    app_id,
    actor_id,
    role,
    // What has another shape than its field here is kept as it is.
    created_at: createdAt === undefined ? item['created_at'] : undefined,
    categories: named === undefined ? item['categories'] : undefined,
    metadata: own === undefined ? item['metadata'] : undefined,
    updated_at,
    expiration_date,
    state,
  })
  const isOpenMemory = 'content' in item && !('memory' in item)
  // In an OpenMemory export it is a number of the database; its user is at the top.
  const owner = isOpenMemory ? userId : (item['user_id'] ?? userId)
  const seed = typeof id === 'string' ? id : `${String(owner)} ${content}`
  return {
    kind: 'memory',
    where,
    id: idOf('mem', FORMAT, seed),
    createdAt,
    input: present({
      content,
      userId: owner,
      agentId: item['agent_id'],
      tags,
      metadata: { ...own, importedFrom },
    }),
  }
}

/** Names alone, so all entities are of no special type. */
function graphOf(relations: unknown): ForeignFile {
  const records: ForeignRecord[] = []
  const leftOut: string[] = []
  const entities = new Map<string, ForeignRecord>()
  const entityOf = (name: string, where: string): string => {
    const id = idOf('ent', FORMAT, name)
    const input = { name, type: 'OTHER', metadata: { importedFrom: { format: FORMAT } } }
    if (!entities.has(name)) entities.set(name, { kind: 'entity', where, id, input })
    return id
  }
  for (const [index, relation] of (Array.isArray(relations) ? relations : []).entries()) {
    const where = `relation ${index + 1}`
    const [source, type, target]: unknown[] = isObject(relation)
      ? [
          relation['source'],
          relation['relationship'],
          relation['target'] ?? relation['destination'],
        ]
      : []
    if (typeof source !== 'string' || typeof type !== 'string' || typeof target !== 'string') {
      leftOut.push(`${where}: it does not name its ends and its type.`)
      continue
    }
    records.push({
      kind: 'relation',
      where,
      id: idOf('rel', FORMAT, source, type, target),
      input: {
        sourceId: entityOf(source, where),
        targetId: entityOf(target, where),
        type: relationTypeOf(type),
        metadata: { importedFrom: { format: FORMAT, relationship: type } },
      },
    })
  }
  return { records: [...entities.values(), ...records], leftOut }
}

function namesIn(file: unknown, userId: string | undefined): Names {
  const user = isObject(file) && isObject(file['user']) ? file['user']['user_id'] : undefined
  const list = isObject(file) && Array.isArray(file['categories']) ? file['categories'] : []
  const categories = new Map<unknown, unknown>()
  for (const each of list) if (isObject(each)) categories.set(each['id'], each['name'])
  return { userId: user ?? userId, categories }
}

const memoriesOf = (file: unknown): unknown[] | undefined =>
  [
    isObject(file) ? file['results'] : undefined,
    isObject(file) ? file['memories'] : undefined,
  ].find((list) => Array.isArray(list))

const textOf = (item: Item): unknown => item['memory'] ?? item['content']

const isMemory = (item: unknown): item is Item => isObject(item) && typeof textOf(item) === 'string'

/** From the year 1 to 9999: what the wire can say. */
const TIME_MIN = Date.parse('0001-01-01')
const TIME_MAX = Date.parse('9999-12-31T23:59:59.999Z')

/** Whatever else `Date.parse` takes for a time is one of the machine's own zone. */
const ISO_8601 =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

/** Milliseconds since the epoch; undefined when it is no time. A time without a zone is UTC. */
function timeOf(value: unknown): number | undefined {
  const time = millisecondsOf(value)
  return time >= TIME_MIN && time <= TIME_MAX ? time : undefined
}

/** Not a number for what is none. */
function millisecondsOf(value: unknown): number {
  if (typeof value === 'number') {
    return Math.floor(value < 100_000_000_000 ? value * 1_000 : value)
  }
  if (typeof value !== 'string') return Number.NaN
  const [, day, time, zone = 'Z'] = ISO_8601.exec(value.trim()) ?? []
  if (time === undefined) return Date.parse(day ?? '')
  return Date.parse(`${day}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`)
}
