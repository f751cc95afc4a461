// Reads everything of a store for an archive, beside a server that writes. Spaces, accounts and keys are
// read at once, when the archive begins; all else in short steps (archive-steps.ts), since a long reader
// would keep the log from being cut: deletions would be answered late, and writes refused.
import type {
  ArchiveCounts,
  ArchivedKey,
  ArchivedSpace,
  ArchiveRecord,
  ArchiveSource,
} from '../../archive.ts'
import { accountReads } from '../accounts/accounts.ts'
import type { Connection } from '../opening/open-database.ts'
import { generationReads } from '../reembedding/generations.ts'
import {
  entitiesInSteps,
  idempotencyInSteps,
  lastRows,
  memoriesInSteps,
  relationsInSteps,
  statisticsInSteps,
  usageInSteps,
} from './archive-steps.ts'

const SPACES =
  "SELECT 'space' AS kind, no AS space, created_at AS createdAt FROM spaces ORDER BY no"

/** The replaced before those that replaced them. */
const KEYS = `
  WITH RECURSIVE line (id, depth) AS (
    SELECT id, 0 FROM keys WHERE replaces_id IS NULL
    UNION ALL
    SELECT keys.id, depth + 1 FROM keys JOIN line ON keys.replaces_id = line.id)
  SELECT 'key' AS kind, id, space_no AS space, name, lower(hex(hash)) AS hash, plan, read_limit AS readLimit,
    write_limit AS writeLimit, search_limit AS searchLimit, status, created_at AS createdAt,
    last_used_at AS lastUsedAt, account_id AS accountId, prefix, replaces_id AS replacesId,
    purged_at AS purgedAt
  FROM keys JOIN line USING (id) ORDER BY depth, created_at, id`

export function archiveSource(db: Connection): Omit<ArchiveSource, 'close'> {
  const begin = db.transaction(() => ({
    model: generationReads(db).find('current'),
    counts: countsOf(db),
    last: lastRows(db),
    spaces: db.prepare<[], ArchivedSpace>(SPACES).all(),
    accounts: accountReads(db).list(),
    keys: db.prepare<[], ArchivedKey>(KEYS).all(),
  }))
  const { model, counts, last, spaces, accounts, keys } = begin()
  const keyIds = new Set(keys.map(({ id }) => id))
  /** Of a key that was made since, nothing is in the archive. */
  const isOfKnownKey = ({ keyId }: { keyId: string }): boolean => keyIds.has(keyId)
  return {
    model,
    counts,
    async *records(): AsyncGenerator<ArchiveRecord> {
      yield* spaces
      for (const account of accounts) yield { kind: 'account', ...account }
      yield* keys
      yield* usageInSteps(db).filter(isOfKnownKey)
      yield* statisticsInSteps(db).filter(isOfKnownKey)
      yield* idempotencyInSteps(db, last).filter(isOfKnownKey)
      if (model !== undefined) yield* memoriesInSteps(db, last, model.number)
      yield* entitiesInSteps(db, last)
      yield* relationsInSteps(db, last)
    },
  }
}

function countsOf(db: Connection): ArchiveCounts {
  const count = (table: string): number =>
    db.prepare<[], number>(`SELECT COUNT(*) FROM ${table}`).pluck().get() ?? 0
  return {
    space: count('spaces'),
    account: count('accounts'),
    key: count('keys'),
    usage: count('usage'),
    statistics: count('statistics'),
    idempotency: count('idempotency'),
    memory: count('memories'),
    entity: count('entities'),
    relation: count('relations'),
  }
}
