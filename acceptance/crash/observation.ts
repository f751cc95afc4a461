/** Everything that a server shows of one space, by all its lists. */
import Type, { type Static } from 'typebox'
import { read } from '../harness/read.ts'
import { type Caller, callRunning } from './caller.ts'
import type { Kind, Ledger } from './ledger.ts'

const Item = Type.Object({ id: Type.String() }, { additionalProperties: true })
export type Item = Static<typeof Item> & Readonly<Record<string, unknown>>

const ItemPage = Type.Object({
  items: Type.Array(Item),
  pagination: Type.Object({ total: Type.Number(), totalPages: Type.Number() }),
})
const Results = Type.Object({ results: Type.Array(Item) })

export type Observation = Readonly<Record<Kind, ReadonlyMap<string, Item>>> & {
  /** Findings where the number of listed items differs from the total. */
  readonly miscounted: readonly string[]
}

export async function observe(caller: Caller, ledger: Ledger): Promise<Observation> {
  const miscounted: string[] = []
  const list = async (kind: Kind): Promise<ReadonlyMap<string, Item>> => {
    const items = new Map<string, Item>()
    for (let page = 1; ; page += 1) {
      if (kind === 'memories') ledger.sentOperations += 1
      const reply = await callRunning(caller, 'GET', `${kind}?limit=100&page=${page}`)
      const { items: some, pagination } = read(ItemPage, reply.body)
      for (const item of some) items.set(item.id, item)
      if (page < pagination.totalPages) continue
      if (items.size !== pagination.total) {
        miscounted.push(`${kind}: ${items.size} are listed, the total is ${pagination.total}`)
      }
      return items
    }
  }
  return {
    entities: await list('entities'),
    relations: await list('relations'),
    memories: await list('memories'),
    miscounted,
  }
}

/** The memories of a user that a search finds: all of them, when there are at most 100. */
export async function searchedIds(
  caller: Caller,
  ledger: Ledger,
  userId: string,
): Promise<Set<string>> {
  const body = { query: 'What does anybody like?', userId, threshold: 0, limit: 100 }
  ledger.sentOperations += 1
  const reply = await callRunning(caller, 'POST', 'memories/search', { body })
  return new Set(read(Results, reply.body).results.map(({ id }) => id))
}
