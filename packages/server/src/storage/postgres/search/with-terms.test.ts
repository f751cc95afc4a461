// More memories have the words of a query than are candidates by their words, and others lie nearer to it:
// whoever has more of the words is a candidate all the same, and few results are all there are.
import { describe, expect, inject, test, vi } from 'vitest'
import { identityOf } from '../../../retrieval/identity.ts'
import { memoryOf, NO_RECEIPT, pieceOf, queryOf, termOf } from '../../conformance/records.ts'
import { caseSpace } from '../../conformance/subject.ts'
import type { MemoryFilter } from '../../store.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { FIRST_BY_TERMS } from './near.ts'

/** Smaller than they are: as many are candidates as in any space. */
vi.mock('./search-size.ts', () => ({ EXACT_MAX: 300, SCAN_MAX: 2_000 }))

const server = inject('postgresUrl')
/** More than are candidates by their words. */
const MANY = 210
/** More than are candidates by their vectors, also of those alone that have their place in the index. */
const NEARER = 3 * MANY
const QUERY = [1, 0, 0, 0, 0]

const at = (cosine: number): number[] => [cosine, Math.sqrt(1 - cosine ** 2), 0, 0, 0]

/** One with the words, older than many others that say something else and are further away. */
async function spaceWith(words: string, others: string) {
  const { ask, store, generation, newSpace } = await ownedDatabase(server ?? '')
  const space = await newSpace()
  const { memories } = caseSpace(store, space, generation)
  const insert = async (content: string, cosine: number): Promise<string> => {
    const memory = memoryOf({ content })
    await memories.insert(memory, [pieceOf(content, at(cosine))], NO_RECEIPT)
    return memory.id
  }
  const wanted = await insert(words, 0.7)
  await Promise.all(Array.from({ length: NEARER }, () => insert('near', 0.8)))
  await Promise.all(Array.from({ length: MANY }, () => insert(others, 0.1)))
  const indexed = 'SELECT FROM pieces WHERE code IS NOT NULL'
  await expect.poll(async () => (await ask(indexed)).length).toBeGreaterThan(2 * MANY)
  /** As if so many more memories had the word, which would take long to make. */
  const countMore = (term: string, more: number) =>
    ask(
      `INSERT INTO term_counts VALUES ($1, $2, $3, $4)
       ON CONFLICT (space_no, generation, term) DO UPDATE SET memories = term_counts.memories + $4`,
      [space, generation, term, more],
    )
  return { memories, wanted, countMore }
}

/** What it leaves of a space is searched like the whole. */
const FILTERS: MemoryFilter[] = [{}, { userId: 'anna' }]

describe.skipIf(server === undefined)('in a space, and in what a filter leaves of one', () => {
  test('a memory with all words comes before those that spell one of them in two ways', async () => {
    const { memories, wanted } = await spaceWith('Lodz tea', 'Łodz')
    const terms = [
      termOf('łodz', { alternatives: ['lodz'], rarity: 9 }),
      termOf('tea', { rarity: 1 }),
    ]
    const query = queryOf(QUERY, { terms, asks: true })
    for (const filter of FILTERS) {
      const [best] = await memories.search(query, filter, { limit: 1, threshold: 0 })
      expect(best?.id).toBe(wanted)
    }
  })

  test('the very text of the query is found, however many lie nearer', async () => {
    const { memories, wanted } = await spaceWith('Lodz tea', 'other')
    const query = queryOf(QUERY, { identity: identityOf('Lodz tea') })
    for (const filter of FILTERS) {
      const [best] = await memories.search(query, filter, { limit: 1, threshold: 0 })
      expect(best).toMatchObject({ id: wanted, score: 1 })
    }
  })

  test('a memory that reaches the threshold by a word that hundreds have, or thousands, is found', async () => {
    const { memories, wanted, countMore } = await spaceWith('tea', 'tea')
    const query = queryOf(QUERY, { terms: [termOf('tea')], asks: true })
    for (const more of [0, FIRST_BY_TERMS.rows]) {
      await countMore('tea', more)
      for (const filter of FILTERS) {
        const found = await memories.search(query, filter, { limit: 10, threshold: 0.5 })
        expect(found.map(({ id }) => id)).toEqual([wanted])
      }
    }
  })

  test('the rarest words of a query are read first, in whatever order it has them', async () => {
    const { memories, wanted, countMore } = await spaceWith('quokka', 'tea')
    // Alone, the common word is as much as is read.
    await countMore('tea', FIRST_BY_TERMS.rows - MANY)
    const terms = [termOf('tea', { rarity: 1 }), termOf('quokka', { rarity: 9 })]
    const query = queryOf(QUERY, { terms, asks: true })
    for (const filter of FILTERS) {
      const [best] = await memories.search(query, filter, { limit: 1, threshold: 0 })
      expect(best?.id).toBe(wanted)
    }
  })

  test('a memory that reaches the threshold by a name that hundreds have is found', async () => {
    const { memories, wanted } = await spaceWith('in Lodz', 'in Lodz')
    const query = queryOf(QUERY, { terms: [termOf('lodz', { isName: true })], asks: true })
    for (const filter of FILTERS) {
      const search = (threshold: number) => memories.search(query, filter, { limit: 10, threshold })
      const [best] = await search(0.5)
      expect(best?.id).toBe(wanted)
      expect(await search(best?.score ?? 0)).toEqual([best])
    }
  })
})
