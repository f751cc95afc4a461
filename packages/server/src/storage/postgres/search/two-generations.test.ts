// While a store is re-embedded each memory has vectors of two models. They say nothing of each other: a search
// looks at those of the model in use alone, in whichever way it finds its candidates.
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { randomNumbers } from '../../../testing/random-numbers.ts'
import { queryOf, unit } from '../../conformance/records.ts'
import { MODEL } from '../../conformance/subject.ts'
import type { MemoryFilter } from '../../store.ts'
import { toText } from '../pieces.ts'
import { openPostgresReembedding } from '../reembedding/open-reembedding.ts'
import { ownedDatabase } from '../testing/owned-database.ts'

/** So that some hundreds of memories are searched in every way. */
vi.mock('./search-size.ts', () => ({ EXACT_MAX: 20, SCAN_MAX: 40 }))

const server = inject('postgresUrl')
const MEMORIES = 300
const DIMENSION = 8
const QUERY = [1, 0, 0, 0, 0, 0, 0, 0]
/** Of the model in use the first memory is by far the nearest; of the next one it is the furthest. */
const ANSWER = 1

test.skipIf(server === undefined)(
  'a search finds nothing by the vectors of a model that is not in use yet',
  async () => {
    const model = { ...MODEL, dimension: DIMENSION }
    const { ask, options, store, generation, newSpace } = await ownedDatabase(
      server ?? '',
      undefined,
      model,
    )
    const mover = await openPostgresReembedding(options)
    onTestFinished(() => mover.close())
    const next = await mover.begin({ ...model, id: 'next' })
    const space = await newSpace()
    await ask(
      `INSERT INTO memories (space_no, no, id, content, user_id, agent_id, tags, created_at)
       SELECT $1, no, 'mem_' || no, 'memory', CASE WHEN no <= 10 THEN 'whole' ELSE 'others' END,
         CASE WHEN no <= 30 THEN 'scanned' END, '{}', no
       FROM generate_series(1, $2::int) AS no`,
      [space, MEMORIES],
    )
    const random = randomNumbers(3)
    const around = (first: number) =>
      unit(QUERY.map((_, axis) => (axis === 0 ? first : random() - 0.5)))
    for (const { number, ofAnswer, ofOthers } of [
      { number: generation, ofAnswer: 9, ofOthers: -1 },
      { number: next.number, ofAnswer: -9, ofOthers: 99 },
    ]) {
      const vectors = Array.from({ length: MEMORIES }, (_, place) =>
        around(place + 1 === ANSWER ? ofAnswer : ofOthers),
      )
      await ask(
        `INSERT INTO pieces
           (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector, code)
         SELECT $1, $2, no, 0, 0, 6, '{}', own::vector, own::vector::halfvec
         FROM unnest($3::text[]) WITH ORDINALITY AS row (own, no)`,
        [space, number, vectors.map(toText)],
      )
      await ask("INSERT INTO term_counts VALUES ($1, $2, '', $3)", [space, number, MEMORIES])
    }
    const { memories } = store.forSpace(space)
    const cut = { limit: 2, threshold: 0 }
    const expectAnswer = async (filter: MemoryFilter): Promise<void> => {
      const [first, second] = await memories.search(queryOf(QUERY), filter, cut, generation)
      expect(first).toMatchObject({ id: `mem_${ANSWER}` })
      expect(second?.score).toBeLessThan(first?.score ?? 0)
    }
    await expectAnswer({})
    await expectAnswer({ agentId: 'scanned' })
    await expectAnswer({ userId: 'whole' })
    // As if there were so few, which are all scored.
    await ask('UPDATE term_counts SET memories = 20')
    await expectAnswer({})
  },
)
