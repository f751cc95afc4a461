// A query may have thousands of words, and a memory too. Each word of a memory is looked up among those of the
// query; held against one after the other, they took longer than a statement may, and the search failed.
import { expect, inject, onTestFinished, test } from 'vitest'
import { queryOf, termOf } from '../../conformance/records.ts'
import { Database } from '../connection/database.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { countTerms } from '../upkeep/term-counts.ts'

const server = inject('postgresUrl')
/** All of them are scored. */
const MEMORIES = 800
const WORDS_OF_MEMORY = 2_000
const WORDS_OF_QUERY = 6_000

/** Every memory has the same words, as long as those of the query and none of them but one. */
const TERMS = `(SELECT array_agg('word' || n) FROM generate_series(200001, 200000 + ${WORDS_OF_MEMORY}) AS n)
  || ARRAY['word100001']`
const WORDS = Array.from({ length: WORDS_OF_QUERY }, (_, n) => `word${100_001 + n}`)

test.skipIf(server === undefined)(
  'a search by thousands of words among memories of thousands of words comes to its end',
  async () => {
    const { ask, generation, newSpace, store } = await ownedDatabase(server ?? '')
    const space = await newSpace()
    await ask(
      `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
       SELECT $1, no, 'mem_' || no, 'memory', 'anna', '{}', no FROM generate_series(1, ${MEMORIES}) AS no`,
      [space],
    )
    await ask(
      `INSERT INTO pieces (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector)
       SELECT $1, $2, no, 0, 0, 1, ${TERMS}, '[1,0,0,0,0]' FROM generate_series(1, ${MEMORIES}) AS no`,
      [space, generation],
    )
    await ask(`INSERT INTO term_counts VALUES ($1, $2, '', ${MEMORIES})`, [space, generation])
    const query = queryOf([1, 0, 0, 0, 0], { terms: WORDS.map((word) => termOf(word)) })
    const cut = { limit: 1, threshold: 0 }
    const [best] = await store.forSpace(space).memories.search(query, {}, cut, generation)
    expect(best?.id).toBe(`mem_${MEMORIES}`)
  },
)

test.skipIf(server === undefined)(
  'thousands of words are counted in memories of thousands of words that nobody has counted yet',
  async () => {
    const { ask, options, generation, newSpace } = await ownedDatabase(server ?? '')
    const space = await newSpace()
    await ask(
      `INSERT INTO uncounted SELECT $1, $2, no, ${TERMS} FROM generate_series(1, ${MEMORIES}) AS no`,
      [space, generation],
    )
    const own = new Database({ ...options, role: 'mnemograph_service', connectionsMax: 1 })
    onTestFinished(() => own.close())
    const counts = await own.inSpace(space, (transaction) =>
      countTerms(transaction, { space, generation }, WORDS),
    )
    expect(WORDS.slice(0, 2).map((word) => counts.with(word))).toEqual([MEMORIES, 0])
  },
)
