// Forgetting a user: every memory of one is deleted, as somebody who leaves may ask for. Each goes the way of a
// single deletion, so that nothing stays behind: not in lists and counts, not in an index, not in the files.
// A call works a while and says what remains, so that neither the caller nor others wait for long. Whoever asks
// until nothing remains has forgotten all, also when a call fails in between.
// decisions/2026-11-27-forgetting-a-user.md
import type { Forgotten } from '../contract/forget.ts'
import type { MemoryStore } from '../storage/store.ts'
import type { Clock } from './clock.ts'

/** Of one call. One after the other, they stay below the usual limit of writes a minute. */
const STEP_MS = 2_000
/** Read at once: a page of a shared store counts all that are left. */
const PAGE_MEMORIES = 200
/** As many share a commit. Others find room beside them: with PostgreSQL each takes a connection. */
const UNDER_WAY = 20

export async function forgetUser(
  { memories }: { memories: Pick<MemoryStore, 'page' | 'remove'> },
  userId: string,
  clock: Clock,
): Promise<Forgotten> {
  const endAtMs = clock.monotonic() + STEP_MS
  let deleted = 0
  // Not before some are deleted: each call comes further, however slow the store is.
  let isOver = false
  for (;;) {
    const { items, total } = await memories.page({ userId }, { page: 1, limit: PAGE_MEMORIES })
    if (isOver || items.length === 0) return { deleted, remaining: total }
    for (let from = 0; from < items.length && !isOver; from += UNDER_WAY) {
      const some = items.slice(from, from + UNDER_WAY)
      const removed = await Promise.all(some.map(({ id }) => memories.remove(id, {})))
      deleted += removed.filter((isRemoved) => isRemoved).length
      isOver = clock.monotonic() >= endAtMs
    }
  }
}
