// An index of vectors is shared by the spaces of a partition, and ends early where another space has very many
// rows nearer to the query: then it tells of too few memories for the ranking to choose from.
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { memoryOf, NO_RECEIPT, passageOf, pieceOf, queryOf } from '../../conformance/records.ts'
import { caseSpace } from '../../conformance/subject.ts'
import type { SpaceId } from '../../records.ts'
import { toText } from '../pieces.ts'
import { openStoreAt } from '../testing/open-store-at.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { SCAN_MAX } from './search-size.ts'

/** Smaller than it is, so that some hundreds of memories are searched by the index. */
vi.mock('./search-size.ts', () => ({ EXACT_MAX: 300, SCAN_MAX: 2_000 }))

const server = inject('postgresUrl')
const QUERY = [1, 0, 0, 0, 0]
/** Rows that the index visits beyond the first: of twenty thousand, which would take long to make. */
const VISITED_MAX = 100
const ROWS_OF_NEIGHBOUR = 600
const SAME_PARTITION = `SELECT satisfies_hash_partition('pieces'::regclass, 16, part, $1::bigint)
  AND satisfies_hash_partition('pieces'::regclass, 16, part, $2::bigint) AS is_same
  FROM generate_series(0, 15) AS part ORDER BY 1 DESC LIMIT 1`

const at = (cosine: number): number[] => [cosine, Math.sqrt(1 - cosine ** 2), 0, 0, 0]

test.skipIf(server === undefined)(
  'beside a neighbour whose rows are nearer, the best is found among those that lie a little further',
  async () => {
    const database = await ownedDatabase(server ?? '')
    const { ask, options, generation, newSpace } = database
    await ask(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET hnsw.max_scan_tuples = ${VISITED_MAX}',
         current_database()); END $$`,
    )
    const store = await openStoreAt(options.url, 6)
    onTestFinished(() => store.close())
    const space = await newSpace()
    const isBeside = async (other: SpaceId) =>
      (await ask(SAME_PARTITION, [space, other]))[0]?.['is_same'] === true
    let neighbour = await newSpace()
    while (!(await isBeside(neighbour))) neighbour = await newSpace()

    const { memories } = caseSpace(store, space, generation)
    const insert = async (cosine: number, commonness: number): Promise<string> => {
      const memory = memoryOf({ content: 'text' })
      const vector = passageOf(0, 4, at(cosine), commonness)
      await memories.insert(memory, [pieceOf('text', [], vector)], NO_RECEIPT)
      return memory.id
    }
    for (let n = 0; n < 12; n += 1) await insert(0.999, 1)
    const best = await insert(0.8, 0)
    await Promise.all(Array.from({ length: 600 }, () => insert(0.2, 0)))
    await ask(
      `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
       SELECT $1, -no, 'other_' || no, 'text', 'anna', '{}', no FROM generate_series(1, $2::int) AS no`,
      [neighbour, ROWS_OF_NEIGHBOUR],
    )
    await ask(
      `INSERT INTO pieces
         (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector, code)
       SELECT $1, $2, -no, 0, 0, 4, '{text}', vector, vector::halfvec
       FROM generate_series(1, $3::int) AS no CROSS JOIN LATERAL (
         SELECT l2_normalize(($4::vector + ARRAY[random() / 10, random() / 10, random() / 10, random() / 10,
           no / 1e6]::vector)) AS vector) AS made`,
      [neighbour, generation, ROWS_OF_NEIGHBOUR, toText(Float32Array.from(QUERY))],
    )
    const indexed = 'SELECT FROM pieces WHERE space_no = $1 AND code IS NOT NULL'
    await expect.poll(async () => (await ask(indexed, [space])).length).toBeGreaterThan(300)
    const found = await memories.search(queryOf(QUERY), {}, { limit: 10, threshold: 0 })
    expect(found[0]?.id).toBe(best)

    // As if there were so many that no scan makes up for it at once: few results are still all there are.
    await ask(
      `INSERT INTO term_counts VALUES ($1, $2, '', $3)
       ON CONFLICT (space_no, generation, term) DO UPDATE SET memories = term_counts.memories + $3`,
      [space, generation, SCAN_MAX],
    )
    const cut = { limit: 10, threshold: found[0]?.score ?? 0 }
    const few = await memories.search(queryOf(QUERY), {}, cut, generation)
    expect(few.map(({ id }) => id)).toEqual([best])
  },
)
