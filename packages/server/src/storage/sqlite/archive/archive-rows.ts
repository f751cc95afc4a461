// The rows that a record of an archive becomes. The foreign keys of the schema refuse what refers to
// nothing. Numbers of spaces stay as they are; numbers of memories are given anew, in the order of
// the archive.
import { foldName } from '../../../retrieval/fold.ts'
import type { ArchivedMemory, ArchiveRecord } from '../../archive.ts'
import { foldEmail } from '../../email-spellings.ts'
import type { Counts } from '../lists/counts.ts'
import type { Connection } from '../opening/open-database.ts'
import { numberOf, toBytes } from '../pieces.ts'

type Insert = (...values: unknown[]) => number
/** Takes the columns as SQL lists them; the insertion returns the row's number. */
type Into = (table: string, columns: string) => Insert

/** Inserts one record. Only inside of a transaction. */
export function archiveRows(db: Connection, counts: Counts): (record: ArchiveRecord) => void {
  const into: Into = (table, columns) => {
    const places = columns.replace(/\w+/g, '?')
    const statement = db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${places})`)
    return (...values) => Number(statement.run(...values).lastInsertRowid)
  }
  const inserts = prepare(into)
  const addMemory = memoryRows(into, counts)
  return (record) => {
    switch (record.kind) {
      case 'space':
        inserts.space(record.space, record.createdAt)
        break
      case 'account': {
        const { id, email, role, plans, password, createdAt } = record
        const folded = foldEmail(email)
        inserts.account(id, email, folded, role, JSON.stringify(plans), password, createdAt)
        break
      }
      case 'key':
        inserts.key(
          record.id,
          record.space,
          record.name,
          Buffer.from(record.hash, 'hex'),
          record.plan,
          record.readLimit,
          record.writeLimit,
          record.searchLimit,
          record.status,
          record.createdAt,
          record.lastUsedAt,
          record.accountId,
          record.prefix,
          record.replacesId,
          record.purgedAt,
        )
        break
      case 'usage':
        inserts.usage(record.keyId, record.month, record.operations)
        break
      case 'statistics':
        inserts.statistics(record.keyId, record.day, record.counted, record.count)
        break
      case 'idempotency': {
        const { keyId, idempotencyKey, fingerprint, recordId, createdAt } = record
        inserts.idempotency(keyId, idempotencyKey, fingerprint, recordId, createdAt)
        break
      }
      case 'memory':
        addMemory(record)
        break
      case 'entity': {
        const { space, id, name, type, description, metadata, createdAt } = record
        inserts.entity(space, id, name, foldName(name), type, description, metadata, createdAt)
        counts.entity(space, 1, record)
        break
      }
      case 'relation': {
        const { space, id, sourceId, targetId, type, metadata, createdAt } = record
        inserts.relation(space, id, sourceId, targetId, type, metadata, createdAt)
        counts.relation(space, 1, record)
        break
      }
    }
  }
}

const prepare = (into: Into) => ({
  space: into('spaces', 'no, created_at'),
  account: into('accounts', 'id, email, email_folded, role, plans, password, created_at'),
  key: into(
    'keys',
    'id, space_no, name, hash, plan, read_limit, write_limit, search_limit, status, created_at, last_used_at, account_id, prefix, replaces_id, purged_at',
  ),
  usage: into('usage', 'key_id, month, operations'),
  statistics: into('statistics', 'key_id, day, kind, count'),
  idempotency: into('idempotency', 'key_id, idempotency_key, fingerprint, record_id, created_at'),
  entity: into(
    'entities',
    'space_no, id, name, name_folded, type, description, metadata, created_at',
  ),
  relation: into('relations', 'space_no, id, source_id, target_id, type, metadata, created_at'),
})

function memoryRows(into: Into, counts: Counts): (memory: ArchivedMemory) => void {
  const insertMemory = into(
    'memories',
    'space_no, id, content, user_id, agent_id, tags, metadata, created_at',
  )
  const insertTag = into('memory_tags', 'space_no, tag, created_at, id, memory_no')
  // The first generation of a store, which this one was empty for, is in this table.
  const insertPiece = into('pieces', 'no, start_offset, end_offset, commonness, terms, vector')
  return ({ space, id, content, userId, agentId, tags, metadata, createdAt, pieces }) => {
    const list = JSON.stringify(tags)
    const no = insertMemory(space, id, content, userId, agentId, list, metadata, createdAt)
    for (const tag of tags) insertTag(space, tag, createdAt, id, no)
    counts.memory(space, 1, { userId, agentId, tags })
    for (const [part, { start, end, commonness, terms, vector }] of pieces.entries()) {
      insertPiece(numberOf(no, part), start, end, commonness, terms, toBytes(vector))
    }
  }
}
