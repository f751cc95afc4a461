// Forgetting a user: every memory of one is deleted, as somebody who leaves may ask for. Each goes the way of a
// single deletion, so that nothing stays behind: not in lists and counts, not in an index, not in the files.
// A call works a while and says what remains, so that neither the caller nor others wait for long. Whoever asks
// until nothing remains has forgotten all, also when a call fails in between. One page of all calls is deleted at
// a time: side by side, calls of a space would read the same page, and leave others no connection.
// decisions/2026-11-27-forgetting-a-user.md
import type { Forgotten } from '../contract/forget.ts'
import type { SpaceId } from '../storage/records.ts'
import { type MemoryStore, StoreOverloaded } from '../storage/store.ts'
import { FairSlots } from '../turns/fair-slots.ts'
import type { Clock } from './clock.ts'

/** Of one call. One after the other, they stay below the usual limit of writes a minute. */
const STEP_MS = 2_000
/** Read at once, and a turn: a page of a shared store counts all that are left. */
const PAGE_MEMORIES = 200
/** As many share a commit. Others find room beside them: with PostgreSQL each takes a connection. */
const UNDER_WAY = 20
const WAIT_MS_MAX = 10_000

type SpaceOfUser = {
  readonly spaceId: SpaceId
  readonly memories: Pick<MemoryStore, 'page' | 'remove'>
}
/** `remaining` where the call ends with it. */
type DeletedPage = { deleted: number; remaining?: number }

export class Forgetting {
  readonly #clock: Clock
  /** Of spaces. */
  readonly #turns = new FairSlots(1)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Rejects with a StoreOverloaded when the turn of the space does not come in time. */
  async forget({ spaceId, memories }: SpaceOfUser, userId: string): Promise<Forgotten> {
    const endAtMs = this.#clock.monotonic() + STEP_MS
    const isOver = (): boolean => this.#clock.monotonic() >= endAtMs
    let deleted = 0
    for (;;) {
      await this.#turns.take(spaceId, { waitMsMax: WAIT_MS_MAX, refusal })
      try {
        const page = await deletePage(memories, userId, isOver)
        deleted += page.deleted
        if (page.remaining !== undefined) return { deleted, remaining: page.remaining }
      } finally {
        this.#turns.end()
      }
    }
  }
}

/** Some are deleted before it can be over: each call comes further, however slow the store is. */
async function deletePage(
  memories: SpaceOfUser['memories'],
  userId: string,
  isOver: () => boolean,
): Promise<DeletedPage> {
  const { items, total } = await memories.page({ userId }, { page: 1, limit: PAGE_MEMORIES })
  if (items.length === 0) return { deleted: 0, remaining: total }
  let deleted = 0
  for (let from = 0; from < items.length; from += UNDER_WAY) {
    const some = items.slice(from, from + UNDER_WAY)
    const removed = await Promise.all(some.map(({ id }) => memories.remove(id, {})))
    deleted += removed.filter((isRemoved) => isRemoved).length
    if (!isOver()) continue
    const left = await memories.page({ userId }, { page: 1, limit: 1 })
    return { deleted, remaining: left.total }
  }
  return { deleted }
}

const refusal = () => new StoreOverloaded('Others have all the turns of forgetting users.')
