// A memory is in the lists of its user, of its agent and of each of its tags. These lie far from each
// other in the file, so that to write them with each commit is to write a page of 8 KiB for every list:
// more than all the rest of the commit. So a memory comes without them, and many at a time are taken into
// their lists. Until then a list looks through those that wait (memory-lists.ts): nobody sees a difference.
// decisions/2026-11-21-lists.md
import { parseTags } from '../memories.ts'
import { type Connection, PAGE_BYTES } from '../opening/open-database.ts'

/** What a commit may write, roughly: see log-keeper.ts. */
const BYTES_MAX = 12 * 1024 * 1024

type Waiting = {
  no: number
  space_no: number
  user_id: string
  agent_id: string | null
  tags: string
  /** Of the row, roughly. */
  bytes: number
}

export function unlistedMemories(db: Connection) {
  const count = db
    .prepare<[], number>(
      'SELECT COUNT(*) FROM memories INDEXED BY memories_unlisted WHERE in_lists = 0',
    )
    .pluck()
  // As they lie in the index.
  const first = db.prepare<[number], Waiting>(
    `SELECT no, space_no, user_id, agent_id, tags,
       octet_length(content) + COALESCE(octet_length(metadata), 0) AS bytes
     FROM memories INDEXED BY memories_unlisted WHERE in_lists = 0 ORDER BY space_no, no LIMIT ?`,
  )
  // In the order of the table, and all in one statement: a call for each would take a fifth of all the time.
  const insertTags = db.prepare<[space: number, no: number]>(
    `INSERT INTO memory_tags (space_no, tag, created_at, id, memory_no)
     SELECT space_no, value, created_at, memories.id, no
     FROM memories INDEXED BY memories_unlisted, json_each(tags)
     WHERE in_lists = 0 AND (space_no, no) <= (?, ?) ORDER BY 1, 2, 3, 4`,
  )
  // The indexes by user and by agent hold them from then on.
  const take = db.prepare<[space: number, no: number]>(
    `UPDATE memories INDEXED BY memories_unlisted SET in_lists = 1
     WHERE in_lists = 0 AND (space_no, no) <= (?, ?)`,
  )

  const takeIn = db.transaction((memoriesMax: number): number => {
    const lists = new Set<string>()
    let last: Waiting | undefined
    let [taken, bytesOfRows] = [0, 0]
    for (const memory of first.all(memoriesMax)) {
      // A page for each list, and those of the rows.
      if (lists.size * PAGE_BYTES + bytesOfRows > BYTES_MAX) break
      const { space_no, user_id, agent_id } = memory
      lists.add(`${space_no} user ${user_id}`)
      if (agent_id !== null) lists.add(`${space_no} agent ${agent_id}`)
      for (const tag of parseTags(memory.tags)) lists.add(`${space_no} tag ${tag}`)
      bytesOfRows += Math.min(PAGE_BYTES, memory.bytes)
      taken += 1
      last = memory
    }
    if (last !== undefined) {
      insertTags.run(last.space_no, last.no)
      take.run(last.space_no, last.no)
    }
    return taken
  })

  return {
    /** Memories that wait. */
    count: (): number => count.get() ?? 0,
    /** Takes in so many at most, in a commit of its own. Returns how many. */
    takeIn: (memoriesMax: number): number => takeIn.immediate(memoriesMax),
  }
}
