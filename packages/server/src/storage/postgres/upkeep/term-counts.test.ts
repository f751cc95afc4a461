// The counts of terms are kept beside the rows that they count, by creates, deletions and upkeep at
// once. What nobody has any more is not counted as none: its row, which is a word of a text, is gone.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newDatabase, type TestDatabase } from '../../../testing/postgres.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { caseSpace, insertedKey, MODEL, newKey } from '../../conformance/subject.ts'
import type { MemoryRecord } from '../../records.ts'
import type { Store } from '../../store.ts'
import { Database } from '../connection/database.ts'
import { openPostgresStore } from '../open-store.ts'
import { openStoreAt } from '../testing/open-store-at.ts'
import { countTerms } from './term-counts.ts'
import { CREATES_MAX, TERMS_AT_ONCE, Upkeep } from './upkeep.ts'

const server = inject('postgresUrl')
const MEMORIES = 24
const ROUNDS = 6
/** Few, so that the last memory with a word often goes while another one with it comes. */
const WORDS = ['amber', 'birch', 'copper', 'dusk', 'elm', 'flint', 'granite', 'hazel', 'iris']

const throwError = (error: unknown): void => {
  throw error
}

describe.skipIf(server === undefined)('counts of terms', () => {
  let database: TestDatabase
  let store: Store
  let client: pg.Client
  let own: Database
  let upkeep: Upkeep
  let made = 0

  beforeAll(async () => {
    database = await newDatabase(server ?? '')
    const { url } = database
    store = await openStoreAt(url, 8)
    own = new Database({ url, role: 'mnemograph_service', connectionsMax: 2 })
    upkeep = new Upkeep(own, throwError)
    client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('SET search_path = mnemograph')
  })
  afterAll(async () => {
    await client?.end()
    await upkeep?.close()
    await own?.close()
    await store?.close()
    await database?.drop()
  })

  async function newSpace() {
    const { spaceId } = await insertedKey(store, newKey())
    const { number } = await store.generations.adopt(MODEL)
    const { memories } = caseSpace(store, spaceId, number)
    const uncounted = async (): Promise<unknown> => {
      const waiting = 'SELECT 1 FROM uncounted WHERE space_no = $1'
      return (await client.query(waiting, [spaceId])).rowCount
    }
    return {
      async add(words: readonly string[]): Promise<MemoryRecord> {
        made += 1
        const memory = memoryOf({ content: `${words.join(' ')} number${made}` })
        await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
        return memory
      },
      remove: ({ id }: MemoryRecord) => memories.remove(id, NO_RECEIPT),
      count: () => upkeep.lookAfter(spaceId, number),
      uncounted,
      countOf: (term: string) =>
        own.inSpace(spaceId, async (transaction) => {
          const counts = await countTerms(transaction, { space: spaceId, generation: number }, [
            term,
          ])
          return [counts.memories, counts.with(term)]
        }),
      /** As if another generation had counted so many memories. */
      async countElsewhere(term: string, memories: number): Promise<void> {
        for (const each of ['', term]) {
          await client.query('INSERT INTO term_counts VALUES ($1, $2, $3, $4)', [
            spaceId,
            number + 1,
            each,
            memories,
          ])
        }
      },
      /** Once the store is done with what it counts by itself. */
      async counted(): Promise<unknown[]> {
        await expect
          .poll(async () => {
            await upkeep.lookAfter(spaceId, number)
            return uncounted()
          })
          .toBe(0)
        const { rows } = await client.query(
          'SELECT term, memories FROM term_counts WHERE space_no = $1 ORDER BY term',
          [spaceId],
        )
        return rows
      },
      async inRows(): Promise<unknown[]> {
        const { rows } = await client.query(
          `SELECT * FROM (
             SELECT '' AS term, count(*)::int AS memories FROM memories WHERE space_no = $1
             UNION ALL
             SELECT term, count(DISTINCT memory_no)::int FROM piece_terms WHERE space_no = $1
             GROUP BY term) AS counted
           WHERE memories > 0 ORDER BY term`,
          [spaceId],
        )
        return rows
      },
    }
  }
  const inEach = <Result>(work: (n: number) => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: MEMORIES }, (_, n) => work(n)))

  test('once the last memory with a word is deleted, the word is in no row', async () => {
    const space = await newSpace()
    const memories = await inEach(() => space.add(['quibbleworth', 'leukaemia']))
    expect(await space.counted()).toEqual(await space.inRows())
    const [first, ...others] = memories
    for (const memory of others) await space.remove(memory)
    expect(await space.counted()).toEqual(await space.inRows())
    if (first !== undefined) await space.remove(first)
    expect(await space.counted()).toEqual([])
  })

  test('a memory that is deleted before it was counted takes nothing from the counts of others', async () => {
    const space = await newSpace()
    for (let n = 0; n < 2; n += 1) await space.add(['quibbleworth'])
    await space.counted()
    await space.remove(await space.add(['quibbleworth']))
    expect(await space.counted()).toEqual(await space.inRows())
    expect(await space.counted()).toContainEqual({ term: 'quibbleworth', memories: 2 })
  })

  test('what another generation has counted counts for nothing', async () => {
    const space = await newSpace()
    await space.add(['quibbleworth'])
    await space.add(['leukaemia'])
    await space.counted()
    await space.countElsewhere('quibbleworth', 40)
    expect(await space.countOf('quibbleworth')).toEqual([2, 1])
  })

  test('what is created is counted in time without a search or anybody who asks for it', async () => {
    const space = await newSpace()
    await Promise.all(Array.from({ length: CREATES_MAX }, () => space.add(['quibbleworth'])))
    await expect.poll(() => space.uncounted()).toBe(0)
  })

  test('a store that closes first counts what it has begun to count, and nothing fails behind it', async () => {
    const failures: unknown[] = []
    const closing = await openPostgresStore({
      url: database.url,
      durability: 'required',
      connectionsMax: 2,
      onBackgroundError: (error) => failures.push(error),
    })
    const { spaceId } = await insertedKey(closing, newKey())
    const { number } = await closing.generations.adopt(MODEL)
    const { memories } = caseSpace(closing, spaceId, number)
    const create = () => memories.insert(memoryOf(), [pieceOf('')], NO_RECEIPT)
    await Promise.all(Array.from({ length: CREATES_MAX }, create))
    await closing.close()
    const left = await client.query('SELECT 1 FROM uncounted WHERE space_no = $1', [spaceId])
    expect([left.rowCount, failures]).toEqual([0, []])
  })

  test('a deletion waits for the counting of some memories: of many if they are short, of few if they are long', async () => {
    const { spaceId } = await insertedKey(store, newKey())
    const { number } = await store.generations.adopt(MODEL)
    const [memories, words] = [300, 100]
    await client.query(
      `INSERT INTO uncounted SELECT $1, $2, no, ARRAY(
         SELECT 'word' || (no * word) % 1000 FROM generate_series(1, $4::int) AS word)
       FROM generate_series(1, $3::int) AS no`,
      [spaceId, number, memories, words],
    )
    const waiting = async (): Promise<number> => {
      const sum = 'SELECT sum(cardinality(terms)) AS terms FROM uncounted WHERE space_no = $1'
      return Number((await client.query<{ terms: string }>(sum, [spaceId])).rows[0]?.terms)
    }
    const steps = [await waiting()]
    const watched = {
      inSpace: async <Result>(...args: Parameters<typeof own.inSpace<Result>>) => {
        const result = await own.inSpace(...args)
        steps.push(await waiting())
        return result
      },
      readInSpace: own.readInSpace.bind(own),
    }
    await new Upkeep(watched, throwError).lookAfter(spaceId, number)
    const counted = steps.slice(1).map((left, step) => (steps[step] ?? 0) - left)
    expect(counted.reduce((sum, terms) => sum + terms, 0)).toBe(memories * words)
    expect(Math.max(...counted)).toBeLessThan(TERMS_AT_ONCE + words)
  })

  test('creates, deletions and counting at once leave the counts of what is left', async () => {
    const space = await newSpace()
    let left: MemoryRecord[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = left
      const [added] = await Promise.all([
        inEach((n) => space.add(WORDS.filter((_, place) => (n + round + 3 * place) % 4 === 0))),
        ...before.map((memory) => space.remove(memory)),
        space.count(),
        space.count(),
      ])
      left = added
      expect(await space.counted()).toEqual(await space.inRows())
    }
  })
})
