// A space that is too large to be scored whole, against the embedded store, which looks at every
// memory: what the index of vectors and the terms propose is nearly always what there is, whatever
// the filter, and few results are never fewer than there are.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { newDatabase, type TestDatabase } from '../../../testing/postgres.ts'
import { randomNumbers } from '../../../testing/random-numbers.ts'
import { memoryOf, NO_RECEIPT, queryOf, termOf, unit } from '../../conformance/records.ts'
import { insertedKey, MODEL, newKey } from '../../conformance/subject.ts'
import type { ScoredMemory } from '../../records.ts'
import { openSqliteStore } from '../../sqlite/open-store.ts'
import type { MemoryFilter, MemoryStore, SearchCut, Store } from '../../store.ts'
import { openStoreAt } from '../testing/open-store-at.ts'
import { EXACT_MAX } from './search-size.ts'

/** Smaller than they are, so that some thousands of memories are searched in every way. */
vi.mock('./search-size.ts', () => ({ EXACT_MAX: 500, SCAN_MAX: 2_000 }))

const server = inject('postgresUrl')
const DIMENSION = 32
const LARGE = 4_000
/** A thousandth of all rows. */
const SMALL = 4
const QUERIES = 60
const TEN = { limit: 10, threshold: 0 }
const WORDS = ['coffee', 'tea', 'harbour', 'invoice', 'violin', 'garden', 'ticket', 'museum']

const random = randomNumbers(7)
const directions = Array.from({ length: 80 }, () => arbitraryVector())
function arbitraryVector(): number[] {
  return Array.from({ length: DIMENSION }, () => random() - 0.5)
}
const near = (direction: readonly number[], spread: number): number[] =>
  direction.map((value) => value + spread * (random() - 0.5))

function arbitraryMemory(number: number) {
  const direction = near(directions[number % directions.length] ?? [], 0.6)
  const words = [0, 1, 2].map(() => WORDS[Math.floor(random() * WORDS.length)])
  const content = `${words.join(' ')} ${number}`
  const memory = memoryOf({
    content,
    userId: `user-${Math.floor(random() * 20)}`,
    // A quarter is scanned; for what is often there the index of vectors is asked.
    tags: ['every', `tag-${Math.floor(random() * 4)}`, ...(random() < 0.75 ? ['often'] : [])],
  })
  const vector = unit(direction)
  const piece = { start: 0, end: content.length, vector, commonness: undefined, sentences: [] }
  return { memory, pieces: [piece] }
}

if (server !== undefined) {
  describe('a space that is too large to be scored whole', () => {
    let database: TestDatabase
    let shared: Store
    let exact: Store
    const folder = mkdtempSync(join(tmpdir(), 'mnemograph-recall-'))
    const onDeath = (error: unknown): never => {
      throw error
    }
    const large: MemoryStore[] = []
    const middle: MemoryStore[] = []
    const small: MemoryStore[] = []
    let generations: number[] = []

    beforeAll(async () => {
      database = await newDatabase(server)
      shared = await openStoreAt(database.url, 10)
      exact = await openSqliteStore({ directory: folder, onDeath })
      const stores = [shared, exact]
      generations = await Promise.all(
        stores.map(
          async (store) =>
            (await store.generations.adopt({ ...MODEL, dimension: DIMENSION })).number,
        ),
      )
      for (const [spaces, count] of [
        [large, LARGE],
        [middle, EXACT_MAX],
        [small, SMALL],
      ] as const) {
        for (const store of stores) {
          spaces.push(store.forSpace((await insertedKey(store, newKey())).spaceId).memories)
        }
        const made = Array.from({ length: count }, (_, number) => arbitraryMemory(number))
        for (let at = 0; at < count; at += 100) {
          const some = made.slice(at, at + 100)
          await Promise.all(
            spaces.flatMap((memories, place) =>
              some.map(({ memory, pieces }) =>
                memories.insert(memory, pieces, NO_RECEIPT, generations[place] ?? 0),
              ),
            ),
          )
        }
      }
      await indexed(database.url)
    }, 120_000)

    afterAll(async () => {
      await shared?.close()
      await exact?.close()
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    })

    const both = (spaces: readonly MemoryStore[], cut: SearchCut, filter: MemoryFilter) => {
      const [term, other] = [0, 1].map(() => WORDS[Math.floor(random() * WORDS.length)] ?? '')
      const query = queryOf(near(directions[Math.floor(random() * directions.length)] ?? [], 0.4), {
        terms: [...new Set([term ?? '', other ?? ''])].map((word) => termOf(word)),
      })
      return Promise.all(
        spaces.map((memories, place) =>
          memories.search(query, filter, cut, generations[place] ?? 0),
        ),
      )
    }
    const arbitraryFilter = (): MemoryFilter =>
      [
        {},
        { userId: `user-${Math.floor(random() * 20)}` },
        { tags: [`tag-${Math.floor(random() * 4)}`] },
        { tags: ['often'] },
        { tags: ['tag-1'], userId: 'user-3' },
      ][Math.floor(random() * 5)] ?? {}
    const passes = (found: ScoredMemory, { userId, tags = [] }: MemoryFilter): boolean =>
      (userId === undefined || found.userId === userId) &&
      tags.every((tag) => found.tags.includes(tag))

    test('of the ten best by the exact ranking at least 98 % are found, with any filter', async () => {
      let found = 0
      let all = 0
      for (let count = 0; count < QUERIES; count += 1) {
        const filter = arbitraryFilter()
        const [mine = [], expected = []] = await both(large, TEN, filter)
        expect(mine.every((each) => passes(each, filter))).toBe(true)
        const ids = new Set(mine.map(({ id }) => id))
        found += expected.filter(({ id }) => ids.has(id)).length
        all += expected.length
      }
      expect(all).toBeGreaterThan(QUERIES * 9)
      expect(found / all).toBeGreaterThanOrEqual(0.98)
    })

    test('never fewer are found than reach the threshold', async () => {
      for (let count = 0; count < QUERIES; count += 1) {
        const [mine = [], expected = []] = await both(
          large,
          { limit: 10, threshold: 0.2 + 0.7 * random() },
          arbitraryFilter(),
        )
        expect(mine.length).toBe(expected.length)
      }
    })

    test('a space with a thousandth of all rows is answered exactly', async () => {
      for (let count = 0; count < QUERIES; count += 1) {
        const [mine = [], expected = []] = await both(small, TEN, arbitraryFilter())
        expect(mine).toEqual(expected)
      }
    })

    test.each<[string, MemoryFilter]>([
      ['a space', {}],
      ['what a filter leaves of one', { tags: ['often'] }],
      ['all of one that pass a filter', { tags: ['every'] }],
    ])('of %s every memory is scored up to the size for that, and why', async (_, filter) => {
      const every = { limit: EXACT_MAX, threshold: 0, explains: true }
      const [mine = [], expected = []] = await both(middle, every, filter)
      expect(mine.length).toBeGreaterThan(EXACT_MAX / 2)
      expect(mine).toEqual(expected)
    })
  })
} else {
  test.skip('without a PostgreSQL nothing can be said of it', () => undefined)
}

/** Resolves when most rows have their place in the index. */
async function indexed(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (;;) {
      const { rows } = await client.query<{ indexed: string }>(
        'SELECT count(code) AS indexed FROM mnemograph.pieces',
      )
      if (Number(rows[0]?.indexed) > LARGE / 2) return
      await sleep(50)
    }
  } finally {
    await client.end()
  }
}
