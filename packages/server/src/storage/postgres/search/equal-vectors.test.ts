// Memories that say the same, a thousand times, have one vector. In an index of vectors equal ones are each
// other's neighbours, and only those: a search that comes upon them would never leave them again.
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { randomNumbers } from '../../../testing/random-numbers.ts'
import { queryOf, unit } from '../../conformance/records.ts'
import { MODEL } from '../../conformance/subject.ts'
import { Database } from '../connection/database.ts'
import { toText } from '../pieces.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { Upkeep } from '../upkeep/upkeep.ts'

/** So that a thousand memories are already too many for anything but the index. */
vi.mock('./search-size.ts', () => ({ EXACT_MAX: 20, SCAN_MAX: 100 }))

const server = inject('postgresUrl')
const EQUAL = 1_200
const OTHERS = 60
const DIMENSION = 32

const throwError = (error: unknown): void => {
  throw error
}

test.skipIf(server === undefined)(
  'where most memories say the same, each of the others is still found by its vector',
  async () => {
    const model = { ...MODEL, dimension: DIMENSION }
    const { ask, generation, newSpace, options, store } = await ownedDatabase(
      server ?? '',
      undefined,
      model,
    )
    const space = await newSpace()
    const random = randomNumbers(1)
    const direction = () => Array.from({ length: DIMENSION }, () => random() - 0.5)
    const same = unit(direction())
    const others = Array.from({ length: OTHERS }, direction)
    const vectors = [...Array.from({ length: EQUAL }, () => same), ...others.map(unit)]
    await ask(
      `INSERT INTO memories (space_no, no, id, content, user_id, tags, created_at)
       SELECT $1, no, 'mem_' || no, 'memory', 'anna', '{}', no FROM generate_series(1, $2::int) AS no`,
      [space, vectors.length],
    )
    await ask(
      `INSERT INTO pieces (space_no, generation, memory_no, part, start_offset, end_offset, terms, vector)
       SELECT $1, $2, no, 0, 0, 1, '{}', vector::vector
       FROM unnest($3::text[]) WITH ORDINALITY AS row (vector, no)`,
      [space, generation, vectors.map(toText)],
    )
    await ask("INSERT INTO term_counts VALUES ($1, $2, '', $3)", [
      space,
      generation,
      vectors.length,
    ])
    const database = new Database({
      url: options.url,
      role: 'mnemograph_service',
      connectionsMax: 1,
    })
    onTestFinished(() => database.close())
    await new Upkeep(database, throwError).lookAfter(space, generation)
    expect(await ask('SELECT count(*)::int AS waiting FROM pieces WHERE code IS NULL')).toEqual([
      { waiting: 0 },
    ])
    const { memories } = store.forSpace(space)
    const lost: string[] = []
    for (const [other, own] of others.entries()) {
      const cut = { limit: 1, threshold: 0 }
      const [nearest] = await memories.search(queryOf(own), {}, cut, generation)
      const id = `mem_${EQUAL + other + 1}`
      if (nearest?.id !== id || nearest.score !== 1) lost.push(id)
    }
    expect(lost).toEqual([])
  },
)
