// Memories that mention a name, read row by row: storage/mentions.ts.
import type { MentionRecord } from '../console-store.ts'
import { Mentions, parsePosition } from '../mentions.ts'
import type { SpaceId } from '../records.ts'
import { MEMORY_COLUMNS, type MemoryRow, toMemory } from './memories.ts'
import type { Connection } from './opening/open-database.ts'

export function mentionReads(db: Connection) {
  const newest = db.prepare<[SpaceId], MemoryRow>(
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE space_no = ?
     ORDER BY created_at DESC, id DESC`,
  )
  const older = db.prepare<[SpaceId, number, string], MemoryRow>(
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE space_no = ? AND (created_at, id) < (?, ?)
     ORDER BY created_at DESC, id DESC`,
  )
  return {
    mentions(
      space: SpaceId,
      name: string,
      { after, limit }: { after: string | undefined; limit: number },
    ): { items: MentionRecord[]; next: string | undefined } {
      const mentions = new Mentions(name, limit)
      const position = parsePosition(after)
      const rows = position
        ? older.iterate(space, position.createdAt, position.id)
        : newest.iterate(space)
      for (const row of rows) {
        const next = mentions.look(toMemory(row))
        if (next !== undefined) return { items: mentions.items, next }
      }
      return { items: mentions.items, next: undefined }
    },
  }
}
