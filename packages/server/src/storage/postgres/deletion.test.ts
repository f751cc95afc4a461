// Where a deleted text could stay although no row has it: the planner keeps samples of columns, which
// no VACUUM removes.
import { expect, inject, test } from 'vitest'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../conformance/records.ts'
import { caseSpace, insertedKey, newKey } from '../conformance/subject.ts'
import { ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')
const RECORDS = 30
const CANARY = 'quibbleworth'
/** What filters compare with, of which the planner has to know how many there are. */
const LEFT_TO_THE_PLANNER = ['agent_id', 'tag', 'type', 'user_id']

test.skipIf(server === undefined)(
  'the samples of the planner hold no text, no word and no vector',
  async () => {
    const { store, generation, ask } = await ownedDatabase(server ?? '')
    const { spaceId } = await insertedKey(store, newKey())
    const { memories, entities, relations } = caseSpace(store, spaceId, generation)
    for (let n = 0; n < RECORDS; n += 1) {
      const text = `${CANARY}${n}`
      const metadata = JSON.stringify({ text })
      const memory = memoryOf({
        content: text,
        userId: text,
        agentId: text,
        tags: [text],
        metadata,
      })
      await memories.insert(memory, [pieceOf(text, [1, n, 0, 0, 0])], NO_RECEIPT)
      const entity = entityOf({ name: text, description: text, metadata })
      await entities.insert(entity, NO_RECEIPT)
      const ends = { sourceId: entity.id, targetId: entity.id }
      await relations.insert(relationOf(ends, { type: text, metadata }), NO_RECEIPT)
    }
    await ask(
      `INSERT INTO term_counts SELECT space_no, generation, term, 1 FROM piece_terms;
       UPDATE pieces SET code = vector::halfvec; ANALYZE`,
    )
    const rows = await ask(
      `SELECT DISTINCT attname FROM pg_stats WHERE schemaname = 'mnemograph'
         AND (concat(most_common_vals, histogram_bounds, most_common_elems) LIKE '%${CANARY}%'
           OR attname IN ('vector', 'code'))
       ORDER BY attname`,
    )
    expect(rows.map(({ attname }) => attname)).toEqual(LEFT_TO_THE_PLANNER)
  },
)
