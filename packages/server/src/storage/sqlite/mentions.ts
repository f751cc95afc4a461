// Memories that mention a name: as whole words, whatever case and diacritics. There is no index for
// it, so contents are read newest first, a bounded number at a time.
import { foldText } from '../../retrieval/fold.ts'
import type { MemoryRecord, SpaceId } from '../store.ts'
import { MEMORY_COLUMNS, type MemoryRow, toMemory } from './memories.ts'
import type { Connection } from './open-database.ts'

/** Characters that one call reads at most, beside the memory that goes over it. */
const CHARACTERS_MAX = 2_000_000
const WORD = /[\p{L}\p{N}]/u

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
    ): { items: MemoryRecord[]; next: string | undefined } {
      const wanted = foldText(name).trim() || name
      const position = after === undefined ? undefined : parsePosition(after)
      const rows = position ? older.iterate(space, ...position) : newest.iterate(space)
      const items: MemoryRecord[] = []
      let characters = 0
      for (const row of rows) {
        characters += row.content.length
        if (mentionsName(foldText(row.content), wanted)) items.push(toMemory(row))
        if (items.length === limit || characters >= CHARACTERS_MAX) {
          return { items, next: `${row.created_at}.${row.id}` }
        }
      }
      return { items, next: undefined }
    },
  }
}

/** A position that nobody handed out begins anew. */
function parsePosition(text: string): [number, string] | undefined {
  const [time, id] = text.split('.')
  return id !== undefined && /^\d{1,15}$/.test(time ?? '') ? [Number(time), id] : undefined
}

export function mentionsName(content: string, name: string): boolean {
  for (let at = content.indexOf(name); at !== -1; at = content.indexOf(name, at + 1)) {
    const before = content.slice(0, at).at(-1) ?? ''
    const after = content.charAt(at + name.length)
    const beginsWord = !WORD.test(before) || !WORD.test(name.charAt(0))
    const endsWord = !WORD.test(after) || !WORD.test(name.at(-1) ?? '')
    if (beginsWord && endsWord) return true
  }
  return false
}
