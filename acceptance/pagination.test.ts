/**
 * Pages of the three lists: newest first, no overlap, no gap, true totals. The same cases run over
 * each list; the last one draws random page sizes over one fixed set.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from './harness/client.ts'
import { createEntity, createMemory, relate, someUser } from './harness/operations.ts'
import { entityPageOf, memoryPageOf, type Page, relationPageOf } from './harness/records.ts'
import { anyClient } from './harness/service.ts'

interface Listed {
  readonly id: string
  readonly createdAt: string
}

interface Filled {
  /** Of their list. */
  readonly path: string
  /** In the order of their making. */
  readonly ids: readonly string[]
}

interface Listing {
  readonly noun: string
  /** Creates `count` records that only this listing's filter matches, so many at a time. */
  readonly fill: (count: number, atOnce?: number) => Promise<Filled>
  readonly pageOf: (body: unknown) => Page<Listed>
}

const COUNT = 23
let client: Client

const listings: readonly Listing[] = [
  {
    noun: 'memories',
    pageOf: memoryPageOf,
    fill: async (count, atOnce) => {
      const userId = someUser()
      const make = (n: number) => createMemory(client, { content: `Memory ${n}`, userId })
      return { path: `/v1/memories?userId=${userId}`, ids: await repeat(count, make, atOnce) }
    },
  },
  {
    noun: 'entities',
    pageOf: entityPageOf,
    fill: async (count, atOnce) => {
      const mark = randomUUID()
      const make = (n: number) => createEntity(client, `Entity ${n} ${mark}`)
      return { path: `/v1/entities?search=${mark}`, ids: await repeat(count, make, atOnce) }
    },
  },
  {
    noun: 'relations',
    pageOf: relationPageOf,
    fill: async (count, atOnce) => {
      const source = await createEntity(client, 'Source')
      const make = () => relate(client, source, 'KNOWS', source)
      return { path: `/v1/relations?sourceId=${source.id}`, ids: await repeat(count, make, atOnce) }
    },
  },
]

/** In bursts, so that several records share a millisecond and ids have to break the tie. */
async function repeat(
  count: number,
  make: (index: number) => Promise<Pick<Listed, 'id'>>,
  atOnce = 8,
): Promise<string[]> {
  const ids: string[] = []
  for (let start = 0; start < count; start += atOnce) {
    const size = Math.min(atOnce, count - start)
    const made = await Promise.all(Array.from({ length: size }, (_, index) => make(start + index)))
    ids.push(...made.map(({ id }) => id))
  }
  return ids
}

describe.each(listings)('pages of $noun', ({ fill, pageOf }) => {
  let path = ''
  const page = async (query: string) => pageOf((await client.get(`${path}${query}`)).body)

  beforeAll(async () => {
    client ??= await anyClient()
    path = (await fill(COUNT)).path
  })

  test('a list without parameters is page 1 with at most 20 items', async () => {
    const first = await page('')
    expect(first.items.length).toBe(20)
    expect(first.pagination).toEqual({ page: 1, limit: 20, total: COUNT, totalPages: 2 })
  })

  test('a list is newest first, and repeating it gives the same order', async () => {
    const { items } = await page('&limit=100')
    const times = items.map((item) => item.createdAt)
    expect(times).toEqual([...times].sort().reverse())
    expect((await page('&limit=100')).items).toEqual(items)
  })

  test('records made one after the other are listed in the reverse order of their making', async () => {
    const own = await fill(5, 1)
    const { items } = pageOf((await client.get(own.path)).body)
    expect(items.map(({ id }) => id)).toEqual(own.ids.toReversed())
  })

  test('pages of every size together hold each record once, in the order of the list', async () => {
    const all = (await page('&limit=100')).items
    expect(new Set(all.map((item) => item.id)).size).toBe(COUNT)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (limit) => {
        const totalPages = Math.ceil(COUNT / limit)
        const collected: Listed[] = []
        for (let number = 1; number <= totalPages; number += 1) {
          const { items, pagination } = await page(`&limit=${limit}&page=${number}`)
          expect(pagination).toEqual({ page: number, limit, total: COUNT, totalPages })
          collected.push(...items)
        }
        expect(collected).toEqual(all)
      }),
      { numRuns: 6, examples: [[1], [23], [22], [24]] },
    )
  })

  test('a page past the end is empty and tells the true total', async () => {
    for (const number of [3, 1_000_000]) {
      const past = await page(`&page=${number}`)
      const pagination = { page: number, limit: 20, total: COUNT, totalPages: 2 }
      expect(past).toEqual({ items: [], pagination })
    }
  })

  test('an empty list has no pages', async () => {
    const nothing = { userId: someUser(), search: randomUUID(), sourceId: 'ent_nothing' }
    const query = new URLSearchParams(nothing)
    const bare = path.split('?')[0]
    const empty = pageOf((await client.get(`${bare}?${query}`)).body)
    const pagination = { page: 1, limit: 20, total: 0, totalPages: 0 }
    expect(empty).toEqual({ items: [], pagination })
  })

  test('a deleted record leaves the list and its total at once', async () => {
    const { path: own } = await fill(3)
    const before = pageOf((await client.get(own)).body)
    const [newest] = before.items
    await client.delete(`${own.split('?')[0]}/${newest?.id}`)
    const after = pageOf((await client.get(own)).body)
    expect(after.items).toEqual(before.items.slice(1))
    expect(after.pagination.total).toBe(2)
  })
})
