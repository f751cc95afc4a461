// A queue in which askers take turns: what one of them asks for leaves in order, and however much that is, the
// first thing that another one asks for waits for only one of those before it. Where people give up waiting,
// the newest may have turns too: strictly in order, all work would be for those who have left.
// decisions/2026-11-28-callers-take-turns.md, decisions/2026-11-28-callers-who-leave.md

/** By what askers are told apart. */
export type Asker = number | string

type Turn<Item> = { asker: Asker; items: Item[]; isNewestNext: boolean }

/** The lowest goes first. Undefined for what has to stay. */
export type RankOf<Item> = (item: Item) => number | undefined

export class FairQueue<Item> {
  /** Each asker once, who is next in front. */
  readonly #turns: Turn<Item>[] = []
  readonly #inOrderMax: number

  /** When an asker has more than so many, its oldest and its newest leave in turns. */
  constructor(inOrderMax = Number.POSITIVE_INFINITY) {
    this.#inOrderMax = inOrderMax
  }

  get length(): number {
    return this.#turns.reduce((sum, { items }) => sum + items.length, 0)
  }

  /** The next one, left where it is. */
  get first(): Item | undefined {
    const [turn] = this.#turns
    return turn?.items.at(this.#isNewestNext(turn) ? -1 : 0)
  }

  add(item: Item, asker: Asker): void {
    const own = this.#turns.find((turn) => turn.asker === asker)
    if (own === undefined) this.#turns.push({ asker, items: [item], isNewestNext: false })
    else own.items.push(item)
  }

  /** In front of all: it had its turn, and was called back. */
  putBack(item: Item, asker: Asker): void {
    const place = this.#turns.findIndex((turn) => turn.asker === asker)
    const [known] = place === -1 ? [] : this.#turns.splice(place, 1)
    const own = known ?? { asker, items: [], isNewestNext: false }
    own.items.unshift(item)
    this.#turns.unshift(own)
  }

  /** With ranks, of those of the lowest the one whose turn it is. An asker's things have the same rank. */
  next(rankOf?: RankOf<Item>): Item | undefined {
    const place = rankOf === undefined ? 0 : this.#lowest(rankOf)
    const [turn] = this.#turns.splice(place, 1)
    if (turn === undefined) return undefined
    const item = this.#leaving(turn)
    if (turn.items.length > 0) this.#turns.push(turn)
    return item
  }

  #leaving(turn: Turn<Item>): Item | undefined {
    const isNewest = this.#isNewestNext(turn)
    turn.isNewestNext = !isNewest
    return isNewest ? turn.items.pop() : turn.items.shift()
  }

  #isNewestNext({ items, isNewestNext }: Turn<Item>): boolean {
    return isNewestNext && items.length > this.#inOrderMax
  }

  /** The place of the turn; beyond all when none may leave. */
  #lowest(rankOf: RankOf<Item>): number {
    let place = this.#turns.length
    let lowest = Number.POSITIVE_INFINITY
    for (const [index, { items }] of this.#turns.entries()) {
      const [first] = items
      const rank = first === undefined ? undefined : rankOf(first)
      if (rank === undefined || rank >= lowest) continue
      place = index
      lowest = rank
    }
    return place
  }

  /** The first of an asker's for which it is true, left where it is. */
  find(asker: Asker, isSought: (item: Item) => boolean): Item | undefined {
    return this.#turns.find((turn) => turn.asker === asker)?.items.find(isSought)
  }

  /** Takes out one that does not want to wait any more. False where there is none. */
  remove(item: Item, asker: Asker): boolean {
    const place = this.#turns.findIndex((turn) => turn.asker === asker)
    const own = this.#turns[place]?.items ?? []
    const index = own.indexOf(item)
    if (index === -1) return false
    own.splice(index, 1)
    if (own.length === 0) this.#turns.splice(place, 1)
    return true
  }

  /** Takes out what would leave last of whoever has the most; of equals, of the one whose turn is furthest away. */
  dropLast(): Item | undefined {
    const most = Math.max(...this.#turns.map(({ items }) => items.length))
    const place = this.#turns.findLastIndex(({ items }) => items.length === most)
    const item = this.#turns[place]?.items.pop()
    if (most === 1) this.#turns.splice(place, 1)
    return item
  }

  /** Takes everything out. */
  drain(): Item[] {
    return this.#turns.splice(0).flatMap(({ items }) => items)
  }
}
