// Re-embedding beside servers under load: what it leaves to the searches after the switch, and whom it
// holds up. What each step does is said in conformance/reembedding.suite.ts.
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { MODEL } from '../conformance/subject.ts'
import { openPostgresReembedding } from './open-reembedding.ts'
import { EXACT_MAX } from './search-size.ts'
import { type OwnedDatabase, ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')
const OTHER = { ...MODEL, id: 'other' }
const NO_REST = { restMax: 0, waitMsMax: 1_000, embed: async () => [] }

async function open() {
  const database = await ownedDatabase(server ?? '')
  return { ...database, mover: await moverOf(database) }
}

async function moverOf({ options }: OwnedDatabase) {
  const mover = await openPostgresReembedding(options)
  onTestFinished(() => mover.close())
  return mover
}

describe.skipIf(server === undefined)('re-embedding', () => {
  test('leaves nothing to count, and rows of large spaces with their places in the index', async () => {
    const { ask, generation, newSpace, mover } = await open()
    const [small, large] = [await newSpace(), await newSpace()]
    const count = EXACT_MAX + 100
    await ask(
      `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
       SELECT CASE WHEN no > 50 THEN $1 ELSE $2::bigint END, no, 'mem_' || no, 'memory', 'anna', '{}', no
       FROM generate_series(1, $3::int) AS no`,
      [large, small, count + 50],
    )
    // As `add` leaves them.
    const fill = (of: number): Promise<unknown> =>
      ask(
        `WITH filled AS (
           INSERT INTO pieces
             (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector)
           SELECT space_no, $1, no, 0, 0, 1, '{memory}', '[1,0,0,0,0]' FROM memories
           RETURNING space_no, memory_no)
         INSERT INTO uncounted SELECT space_no, $1, memory_no, '{"",memory}' FROM filled`,
        [of],
      )
    await fill(generation)
    const { number } = await mover.begin(OTHER)
    await fill(number)
    expect(await mover.switchOver(NO_REST)).toBe(true)
    expect(await ask('SELECT * FROM uncounted WHERE generation = $1', [number])).toEqual([])
    const counts = await ask(
      `SELECT space_no AS space, memories FROM term_counts WHERE generation = $1 AND term = 'memory'
       ORDER BY space_no`,
      [number],
    )
    expect(counts.map(({ memories }) => memories)).toEqual([50, count])
    const codes = await ask('SELECT count(code)::int AS codes FROM pieces WHERE generation = $1', [
      number,
    ])
    expect(codes).toEqual([{ codes: count }])
  })
})
