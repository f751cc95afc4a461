// Searching memories: equal to the exact answer for arbitrary data, and current at once.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Weights } from '../../retrieval/calibration.ts'
import type { SearchQuery } from '../../retrieval/evidence.ts'
import { rarityInEnglish } from '../../retrieval/rarity.ts'
import { scoreOf } from '../../retrieval/scoring.ts'
import { searchQueryOf } from '../../retrieval/search-query.ts'
import type { ScoredMemory } from '../records.ts'
import { cut, filter, query, stored } from './arbitrary-search.ts'
import { exactSearch, type StoredMemory, weightsIn } from './oracle.ts'
import { memoryOf, NO_RECEIPT, pieceOf, queryOf } from './records.ts'
import type { FreshSpace, Subject } from './subject.ts'

const EVERYTHING = { limit: 100, threshold: 0 }
const EXPLAINED = { ...EVERYTHING, explains: true }
const NORTH = queryOf([1, 0, 0, 0, 0])

const insert = (space: FreshSpace, { memory, pieces }: StoredMemory): Promise<void> =>
  space.memories.insert(memory, pieces, NO_RECEIPT)

const foundIds = async (space: FreshSpace, query: SearchQuery = NORTH): Promise<string[]> =>
  (await space.memories.search(query, {}, EVERYTHING)).map(({ id }) => id)

/** Only when asked for; then the parts make the score, and the shares of the terms a whole. */
function expectExplained(
  { score, content, explanation }: ScoredMemory,
  { parts: queryParts, terms }: SearchQuery,
  weights: Weights,
  explains: boolean,
): void {
  expect(explanation !== undefined).toBe(explains)
  if (explanation === undefined) return
  expect(explanation.score).toBe(score)
  const { start, end } = explanation.sentence
  expect(content.slice(start, end)).not.toBe('')
  const { meaning, words, names, askingMemory } = explanation.parts
  // Of the first part of the query, which nearly always is the only one.
  if (queryParts.length === 1 && score < 1) {
    const strength = meaning + words + names + askingMemory
    expect(scoreOf({ strength, cosine: 0 }, weights)).toBeCloseTo(score, 3)
  }
  const whole = explanation.terms.reduce((sum, { share }) => sum + share, 0)
  expect(whole).toBeCloseTo(terms.length === 0 ? 0 : 1, 9)
}

export function searchSuite(subject: () => Subject): void {
  describe('search', () => {
    test('a question whose words still stand in its text is answered as with its words', async () => {
      const space = await subject().newSpace()
      const stored = [
        'Where does Wren Okafor keep 20,000 beehives?',
        'wren',
        'Beehives are kept warm.',
      ]
      for (const content of stored) {
        await insert(space, { memory: memoryOf({ content }), pieces: [pieceOf(content)] })
      }
      const { parts, calibration } = NORTH
      for (const text of [...stored, 'Does Okafor have 20000 beehives', '']) {
        const asked = searchQueryOf(text, parts, rarityInEnglish(), calibration)
        const search = () => space.memories.search({ text, parts, calibration }, {}, EXPLAINED)
        const answer = await search()
        expect(answer).toEqual(await space.memories.search(asked, {}, EXPLAINED))
        space.memories.expectSearch({ text, calibration })
        expect(await search(), 'expected').toEqual(answer)
        expect(answer.find(({ content }) => content === text)?.score ?? 1).toBe(1)
      }
    })

    test('one that was expected and does not come keeps nobody from anything', async () => {
      const [space, other] = [await subject().newSpace(), await subject().newSpace()]
      const memory = memoryOf()
      const question = { text: memory.content, calibration: NORTH.calibration }
      for (const { memories } of [space, other]) {
        memories.expectSearch(question)
        memories.expectSearch(question, Number.MAX_SAFE_INTEGER)
      }
      await insert(space, { memory, pieces: [pieceOf(memory.content)] })
      expect(await foundIds(space)).toEqual([memory.id])
      expect(await foundIds(other)).toEqual([])
    })

    test('it answers what looking at every memory answers, for any data, filter and cut', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(stored, { maxLength: 14 }),
          fc.array(fc.nat(), { maxLength: 4 }),
          fc.nat(14),
          fc.array(fc.tuple(query, filter, cut), { minLength: 1, maxLength: 4 }),
          async (memories, removals, early, questions) => {
            const space = await subject().newSpace()
            // A driver may build its index at the first search: some memories come before it.
            await Promise.all(memories.slice(0, early).map((each) => insert(space, each)))
            await space.memories.search(NORTH, {}, EVERYTHING)
            await Promise.all(memories.slice(early).map((each) => insert(space, each)))
            const kept = [...memories]
            for (const place of removals) {
              const [removed] = kept.splice(place % Math.max(1, kept.length), 1)
              if (removed) await space.memories.remove(removed.memory.id, NO_RECEIPT)
            }
            for (const [asked, where, best] of questions) {
              const found = await space.memories.search(asked, where, best)
              const shown = found.map(({ explanation: _, ...memory }) => memory)
              expect(shown).toEqual(exactSearch(kept, asked, where, best))
              const weights = weightsIn(kept, asked)
              for (const each of found) expectExplained(each, asked, weights, best.explains)
            }
          },
        ),
        { numRuns: 60 },
      )
    })

    test('a memory is found right after its insert and not after its removal', async () => {
      const space = await subject().newSpace()
      expect(await foundIds(space)).toEqual([])
      for (let round = 0; round < 20; round += 1) {
        const memory = memoryOf()
        await insert(space, { memory, pieces: [pieceOf(memory.content)] })
        expect(await foundIds(space)).toEqual([memory.id])
        await space.memories.remove(memory.id, NO_RECEIPT)
        expect(await foundIds(space)).toEqual([])
      }
    })

    test('searches between concurrent writes see every write that was answered', async () => {
      const space = await subject().newSpace()
      await Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          const memory = memoryOf()
          await insert(space, { memory, pieces: [pieceOf(memory.content)] })
          expect(await foundIds(space)).toContain(memory.id)
          if (index % 2 === 0) return
          await space.memories.remove(memory.id, NO_RECEIPT)
          expect(await foundIds(space)).not.toContain(memory.id)
        }),
      )
      expect(await foundIds(space)).toHaveLength(15)
    })

    test('a search beside removals is as long as what is left allows', async () => {
      const space = await subject().newSpace()
      const memories = Array.from({ length: 40 }, () => memoryOf())
      await Promise.all(
        memories.map((memory) => insert(space, { memory, pieces: [pieceOf(memory.content)] })),
      )
      const searches = memories
        .slice(0, 30)
        .flatMap(({ id }) => [
          space.memories.remove(id, NO_RECEIPT),
          space.memories.search(NORTH, {}, { limit: 10, threshold: 0 }),
        ])
      for (const answer of await Promise.all(searches)) {
        if (Array.isArray(answer)) expect(answer).toHaveLength(10)
      }
    })

    test('equal scores come newest first, the greater id first within one millisecond', async () => {
      const space = await subject().newSpace()
      const times = [3, 1, 2, 2]
      const memories = times.map((createdAt) => memoryOf({ createdAt }))
      for (const memory of memories) await insert(space, { memory, pieces: [pieceOf('')] })
      const [newest, oldest, lesser, greater] = memories.map(({ id }) => id)
      expect(await foundIds(space)).toEqual([newest, greater, lesser, oldest])
    })

    test('a result has everything but the metadata, and the best piece makes its score', async () => {
      const space = await subject().newSpace()
      const memory = memoryOf({ agentId: 'bot', tags: ['t'], metadata: '{"a":1}' })
      const pieces = [pieceOf('', [0, 0, 1, 0, 0]), pieceOf('', [1, 0, 0, 0, 0])]
      await insert(space, { memory, pieces })
      const { metadata: _, ...shown } = memory
      const found = await space.memories.search(NORTH, {}, { limit: 1, threshold: 1 })
      expect(found).toEqual([{ ...shown, score: 1 }])
    })

    test('the last axis of a vector counts like the others', async () => {
      const space = await subject().newSpace()
      const memory = memoryOf()
      await insert(space, { memory, pieces: [pieceOf('', [0, 0, 0, 0, 1])] })
      const asked = queryOf([0, 0, 0, 0, 1])
      const [found] = await space.memories.search(asked, {}, EVERYTHING)
      expect(found?.score).toBe(1)
    })
  })
}
