// Memories that mention a name, read some hundred at a time: storage/mentions.ts. To look through them takes
// a good part of a second, on the thread that serves everybody: others get their turns in between.
import type { MentionRecord } from '../console-store.ts'
import { Mentions, parsePosition } from '../mentions.ts'
import type { SpaceId } from '../records.ts'
import type { Snapshot } from './connection/database.ts'
import { prepared, type Transaction } from './connection/transaction.ts'
import { MEMORY_COLUMNS, type MemoryRow, toMemory } from './memory-rows.ts'
import { Turn } from './turn.ts'

const MEMORIES_AT_ONCE = 200

// The first condition alone may use the index under row-level security.
const OLDER = prepared<MemoryRow>(
  `SELECT ${MEMORY_COLUMNS} FROM memories
   WHERE space_no = $1 AND created_at <= $2 AND (created_at < $2 OR id < $3)
   ORDER BY created_at DESC, id DESC LIMIT ${MEMORIES_AT_ONCE}`,
)
/** Where the planner does not know the table, it would rather read and sort all that are older, each time. */
const IN_ORDER = 'SET LOCAL enable_sort = off'
const NEWEST = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }

type Page = { after: string | undefined; limit: number }
type Found = { items: MentionRecord[]; next: string | undefined }

export const findMentions = (
  snapshot: Snapshot,
  space: SpaceId,
  name: string,
  page: Page,
): Promise<Found> =>
  snapshot((transaction) => lookThrough(transaction, space, name, page), IN_ORDER)

async function lookThrough(
  transaction: Transaction,
  space: SpaceId,
  name: string,
  { after, limit }: Page,
): Promise<Found> {
  const mentions = new Mentions(name, limit)
  let position = parsePosition(after) ?? NEWEST
  const turn = new Turn()
  for (;;) {
    const rows = await transaction.all(OLDER, [space, position.createdAt, position.id])
    for (const row of rows) {
      const memory = toMemory(row)
      const next = mentions.look(memory)
      if (next !== undefined) return { items: mentions.items, next }
      position = memory
      if (turn.isOver()) await turn.pass()
    }
    if (rows.length < MEMORIES_AT_ONCE) return { items: mentions.items, next: undefined }
  }
}
