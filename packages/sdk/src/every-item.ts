// Every item of a list, newest first and none twice, though pages are numbered and records come and go in
// between. New records move the others to later pages: what was told already is passed over. Deleted ones
// move them to earlier pages, past the reader. That none was passed is known by an item on the page that was
// told already, or by a total that has not shrunk, since what is new stands in front; without either the
// reader steps back by as many pages as the total has lost.
//
// One gap is left. A create gets its time when it begins, so that for a moment its record can land behind the
// reader; if between the same two pages another is deleted in front of the reader, the total is as it was.
// decisions/2026-11-27-typescript-client.md
import type { Page } from './page.ts'

type Listed = { id: string; createdAt: string }

/** Records that are made meanwhile are left out. Asks for no page before it is wanted. */
export async function* everyItem<Item extends Listed>(
  readPage: (page: number) => Promise<Page<Item>>,
  signal?: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  const place = new Place()
  let lastTotal = 0
  for (let number = 1; ; ) {
    const { items, pagination } = await readPage(number)
    const { total, limit } = pagination
    const [first] = items
    const follows = number === 1 || total >= lastTotal || (first && !place.isBefore(first))
    if (!follows) {
      number = Math.max(1, number - Math.ceil((lastTotal - total) / limit))
    } else {
      for (const item of items) {
        if (!place.isBefore(item)) continue
        signal?.throwIfAborted()
        place.moveTo(item)
        yield item
      }
      if (number * limit >= total) return
      number += 1
    }
    lastTotal = total
  }
}

/** The last item that was told, and those of the same millisecond; times of one form compare as texts. */
class Place {
  #createdAt: string | undefined
  readonly #ids = new Set<string>()

  /** Whether the item is yet to come. */
  isBefore({ createdAt, id }: Listed): boolean {
    if (this.#createdAt === undefined || createdAt < this.#createdAt) return true
    return createdAt === this.#createdAt && !this.#ids.has(id)
  }

  moveTo({ createdAt, id }: Listed): void {
    if (createdAt !== this.#createdAt) this.#ids.clear()
    this.#createdAt = createdAt
    this.#ids.add(id)
  }
}
