// A memory of many rows is one candidate: by each word once, since long ones that say a common word in each of
// their pieces would leave no place for the one memory that has the rare word; and by the nearest of its rows.
import { expect, inject, test, vi } from 'vitest'
import { memoryOf, NO_RECEIPT, pieceOf, queryOf, termOf } from '../../conformance/records.ts'
import { caseSpace } from '../../conformance/subject.ts'
import { ownedDatabase } from '../testing/owned-database.ts'

/** So that some hundreds of memories are already too many to be scored whole. */
vi.mock('./search-size.ts', () => ({ EXACT_MAX: 20, SCAN_MAX: 100 }))

const server = inject('postgresUrl')
/** More than are candidates by their vectors, and by their terms. */
const LONG = 300
const PIECES = 12

test.skipIf(server === undefined)(
  'the one memory with the rare word is found beside hundreds that say the common one often',
  async () => {
    const { ask, generation, newSpace, store } = await ownedDatabase(server ?? '')
    const space = await newSpace()
    const pieces = `(SELECT no, part, CASE WHEN no = 1 THEN ARRAY['rare'] ELSE ARRAY['common'] END AS terms
      FROM generate_series(1, ${LONG + 1}) AS no
      CROSS JOIN LATERAL generate_series(1, CASE WHEN no = 1 THEN 1 ELSE ${PIECES} END) AS part) AS piece`
    await ask(
      `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
       SELECT $1, no, 'mem_' || no, 'memory', 'anna', '{}', no FROM generate_series(1, ${LONG + 1}) AS no`,
      [space],
    )
    // The others lie a little nearer.
    await ask(
      `INSERT INTO pieces (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector)
       SELECT $1, $2, no, part, 0, 1, terms,
         CASE WHEN no = 1 THEN '[0.5,0.866025,0,0,0]' ELSE '[0.51,0.860174,0,0,0]' END::vector
       FROM ${pieces}`,
      [space, generation],
    )
    await ask(`INSERT INTO piece_terms SELECT $1, $2, terms[1], no, part FROM ${pieces}`, [
      space,
      generation,
    ])
    await ask(
      `INSERT INTO term_counts VALUES
         ($1, $2, '', ${LONG + 1}), ($1, $2, 'rare', 1), ($1, $2, 'common', ${LONG})`,
      [space, generation],
    )
    const query = queryOf([1, 0, 0, 0, 0], {
      asks: true,
      terms: ['rare', 'common'].map((term) => termOf(term)),
    })
    const cut = { limit: 1, threshold: 0 }
    const [best] = await store.forSpace(space).memories.search(query, {}, cut, generation)
    expect(best?.id).toBe('mem_1')
  },
)

test.skipIf(server === undefined)(
  'a memory is found by its nearest row, however far the others of its rows lie',
  async () => {
    const { generation, newSpace, store } = await ownedDatabase(server ?? '')
    const { memories } = caseSpace(store, await newSpace(), generation)
    const insert = async (cosines: readonly number[]): Promise<string> => {
      const memory = memoryOf()
      const pieces = cosines.map((cosine) =>
        pieceOf(memory.content, [cosine, Math.sqrt(1 - cosine ** 2), 0, 0, 0]),
      )
      await memories.insert(memory, pieces, NO_RECEIPT)
      return memory.id
    }
    const wanted = await insert([-1, 0.9, -1])
    await Promise.all(Array.from({ length: LONG }, () => insert([0.8])))
    const query = queryOf([1, 0, 0, 0, 0])
    for (const filter of [{}, { userId: 'anna' }]) {
      const [best] = await memories.search(query, filter, { limit: 1, threshold: 0 })
      expect(best?.id).toBe(wanted)
    }
  },
)
