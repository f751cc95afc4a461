// Where a deleted text could stay although no row has it: the planner keeps samples of columns, which
// no VACUUM removes.
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { newDatabase } from '../../testing/postgres.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../conformance/records.ts'
import { caseSpace, insertedKey, MODEL, newKey } from '../conformance/subject.ts'
import { openPostgresStore } from './open-store.ts'

const server = inject('postgresUrl')
const RECORDS = 30
const CANARY = 'quibbleworth'
/** What filters compare with, of which the planner has to know how many there are. */
const LEFT_TO_THE_PLANNER = ['agent_id', 'tag', 'type', 'user_id']

test.skipIf(server === undefined)(
  'the samples of the planner hold no text, no word and no vector',
  async () => {
    const { url, administratorUrl, drop } = await newDatabase(server ?? '')
    const store = await openPostgresStore({
      url,
      durability: 'required',
      connectionsMax: 2,
      onBackgroundError: (error) => {
        throw error
      },
    })
    const client = new pg.Client({ connectionString: administratorUrl })
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await store.close()
      await drop()
    })
    const { spaceId } = await insertedKey(store, newKey())
    const { number } = await store.generations.adopt(MODEL)
    const { memories, entities, relations } = caseSpace(store, spaceId, number)
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
    await client.query(
      `SET search_path = mnemograph, public;
       INSERT INTO term_counts SELECT space_no, generation, term, 1 FROM piece_terms;
       UPDATE pieces SET code = vector::halfvec; ANALYZE`,
    )
    const { rows } = await client.query<{ attname: string }>(
      `SELECT DISTINCT attname FROM pg_stats WHERE schemaname = 'mnemograph'
         AND (concat(most_common_vals, histogram_bounds, most_common_elems) LIKE '%${CANARY}%'
           OR attname IN ('vector', 'code'))
       ORDER BY attname`,
    )
    expect(rows.map(({ attname }) => attname)).toEqual(LEFT_TO_THE_PLANNER)
  },
)
