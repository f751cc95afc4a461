// Which rows each count counts, as SQL that walks an index alone and in its order, so that a part of
// them can be counted without a look at the others. The rows are the truth, counts are made from them.
// decisions/2026-11-21-lists.md
import type { CountKind } from './counts.ts'

/** FROM and WHERE. `column`: by which they are counted, when not all of a space count together. */
type Rows = { from: string; where: string; column?: string }
type Counted = {
  table: 'memories' | 'entities' | 'relations'
  /** In the order of their column, time and id. `no` has the number of the record. */
  listed: Rows & { no: string }
  /** Memories that no list has taken in yet. */
  unlisted?: Rows
  /** Of a record: whether it counts for `:value`. */
  hasValue: string
}

const whole = (table: Counted['table']): Counted => ({
  table,
  listed: { from: `${table} INDEXED BY ${table}_by_time`, where: 'TRUE', no: 'no' },
  hasValue: 'TRUE',
})
const by = (table: 'entities' | 'relations', index: string, column: string): Counted => ({
  table,
  listed: { from: `${table} INDEXED BY ${index}`, where: 'TRUE', column, no: 'no' },
  hasValue: `${column} = :value`,
})

const UNLISTED = 'memories INDEXED BY memories_unlisted'
const memoriesBy = (index: string, column: string, isCounted = 'TRUE'): Counted => ({
  table: 'memories',
  listed: {
    from: `memories INDEXED BY ${index}`,
    where: `in_lists = 1 AND ${isCounted}`,
    column,
    no: 'no',
  },
  unlisted: { from: UNLISTED, where: `in_lists = 0 AND ${isCounted}`, column },
  hasValue: `${column} = :value`,
})

export const COUNTED: Readonly<Record<CountKind, Counted>> = {
  memories: whole('memories'),
  'memories of user': memoriesBy('memories_by_user', 'user_id'),
  'memories of agent': memoriesBy('memories_by_agent', 'agent_id', 'agent_id IS NOT NULL'),
  'memories with tag': {
    table: 'memories',
    listed: { from: 'memory_tags', where: 'TRUE', column: 'tag', no: 'memory_no' },
    unlisted: {
      from: `${UNLISTED}, json_each(memories.tags)`,
      where: 'in_lists = 0',
      column: 'json_each.value',
    },
    hasValue: 'EXISTS (SELECT 1 FROM json_each(tags) WHERE json_each.value = :value)',
  },
  entities: whole('entities'),
  'entities of type': by('entities', 'entities_by_type', 'type'),
  relations: whole('relations'),
  'relations of type': by('relations', 'relations_by_type', 'type'),
  'relations from': by('relations', 'relations_by_source', 'source_id'),
  'relations to': by('relations', 'relations_by_target', 'target_id'),
}

/** What `counts` has as their value. */
export const valueIn = ({ column }: Rows): string => column ?? "''"

/**
 * Selects `space_no, kind, value, count` as `counts` has them, of the rows that `within` holds for. Listed
 * and unlisted ones come apart.
 */
export function countedApart(kind: CountKind, within: (value: string) => string): string {
  const { listed, unlisted } = COUNTED[kind]
  return [listed, ...(unlisted ? [unlisted] : [])]
    .map((rows) => {
      const { from, where, column } = rows
      // By a constant SQLite would sort them.
      const group = column === undefined ? 'space_no' : `space_no, ${column}`
      return `SELECT space_no, '${kind}' AS kind, ${valueIn(rows)} AS value, COUNT(*) AS count
        FROM ${from} WHERE ${where} AND ${within(valueIn(rows))} GROUP BY ${group}`
    })
    .join(' UNION ALL ')
}
