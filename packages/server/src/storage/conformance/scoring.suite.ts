// What the score of a stored memory is made of, case by case, and that the explanation names it. The
// numbers are those of the calibration in records.ts, so that a person can follow them.
import { describe, expect, test } from 'vitest'
import type { Piece, SearchQuery } from '../../retrieval/evidence.ts'
import type { Explanation } from '../../retrieval/explanation.ts'
import { identityOf } from '../../retrieval/identity.ts'
import { memoryOf, NO_RECEIPT, passageOf, pieceOf, queryOf, termOf } from './records.ts'
import type { FreshSpace, Subject } from './subject.ts'

const EVERYTHING = { limit: 100, threshold: 0, explains: true }
const NORTH = [1, 0, 0, 0, 0]
const EAST = [0, 1, 0, 0, 0]

async function insert(space: FreshSpace, content: string, pieces: Piece[]): Promise<string> {
  const memory = memoryOf({ content })
  await space.memories.insert(memory, pieces, NO_RECEIPT)
  return memory.id
}

/** A piece for each line, all in one direction. */
const linesOf = (content: string, direction: number[]): Piece[] =>
  [...content.matchAll(/.+/g)].map(({ index, 0: line }) =>
    pieceOf('', direction, { start: index, end: index + line.length }),
  )

export function scoringSuite(subject: () => Subject): void {
  describe('the score of a stored memory', () => {
    async function scoresOf(
      space: FreshSpace,
      query: SearchQuery,
    ): Promise<(id: string) => number> {
      const found = await space.memories.search(query, {}, EVERYTHING)
      return (id) => found.find((each) => each.id === id)?.score ?? Number.NaN
    }

    test('a sentence inside a piece is found by its own vector', async () => {
      const space = await subject().newSpace()
      const sentences = [passageOf(0, 3, EAST), passageOf(4, 9, NORTH)]
      const withSentence = await insert(space, 'One. Two.', [
        pieceOf('One. Two.', EAST, { sentences }),
      ])
      const without = await insert(space, 'One. Two.', [pieceOf('One. Two.', EAST)])
      const score = await scoresOf(space, queryOf(NORTH))
      // Similarities .625 of the sentence and .125 of the piece; .0625 below the sentence lies the
      // meaning, less .125 for the query: .4375, where the border is .5625.
      expect(score(withSentence)).toBe(0.2689)
      // Without it .125 - .125.
      expect(score(without)).toBe(0.011)
    })

    test('the sentence of one piece does not speak for another', async () => {
      const space = await subject().newSpace()
      const content = 'tea\ncoffee'
      const [tea, coffee] = linesOf(content, EAST)
      const sentences = [passageOf(0, 3, NORTH)]
      const together = await insert(space, content, [{ ...pieceOf('tea', EAST), sentences }])
      const apart = await insert(space, content, [
        { ...pieceOf('', EAST, tea), sentences },
        pieceOf('', EAST, coffee),
      ])
      const score = await scoresOf(space, queryOf(NORTH, { terms: [termOf('coffe')] }))
      expect(score(apart)).toBe(score(together))
    })

    test('terms count together only when one piece has them', async () => {
      const space = await subject().newSpace()
      const content = 'green tea\nwith milk'
      const apart = await insert(space, content, linesOf(content, NORTH))
      const together = await insert(space, content, [pieceOf(content, NORTH)])
      const terms = [termOf('tea'), termOf('milk')]
      const asked = queryOf([1, 1, 0, 0, 0], { terms })
      const score = await scoresOf(space, asked)
      expect(score(together)).toBeGreaterThan(score(apart))
      const one = await scoresOf(space, { ...asked, terms: [termOf('tea')] })
      expect(one(together)).toBe(one(apart))
    })

    test('how common a text is is taken off, of a memory and of the query', async () => {
      const space = await subject().newSpace()
      const of = (commonness: number | undefined) =>
        insert(space, '', [pieceOf('', NORTH, { commonness })])
      const [common, rare, unknown] = [await of(0.75), await of(0.25), await of(undefined)]
      const direction = [1, 1, 0, 0, 0]
      const score = await scoresOf(space, queryOf(direction, { commonness: 0.25 }))
      expect(score(rare)).toBeGreaterThan(score(common))
      // The typical .5 stands for what is not known, on the scale that .25 of a cosine is carried to.
      const known = await of(0.5)
      const again = await scoresOf(space, queryOf(direction, { commonness: 0.25 }))
      expect(again(unknown)).toBe(again(known))
      const commonQuery = await scoresOf(space, queryOf(direction, { commonness: 0.75 }))
      expect(commonQuery(rare)).toBeLessThan(score(rare))
    })

    test('a memory counts once in the weight of a term, however many pieces have it', async () => {
      const lines = 'tea\ntea\ntea\ntea'
      const scores: number[] = []
      for (const pieces of [linesOf(lines, EAST), [pieceOf(lines, EAST)]]) {
        const space = await subject().newSpace()
        await insert(space, lines, pieces)
        const coffee = await insert(space, 'coffee', [pieceOf('coffee', NORTH)])
        const terms = [termOf('tea'), termOf('coffe')]
        scores.push((await scoresOf(space, queryOf([1, 1, 0, 0, 0], { terms })))(coffee))
      }
      expect(scores[0]).toBe(scores[1])
    })

    test('a slip in a word finds what was meant, unless the word is one', async () => {
      const space = await subject().newSpace()
      const horse = await insert(space, 'horse', [pieceOf('horse', NORTH)])
      const asked = (fields: object) =>
        queryOf([1, 1, 0, 0, 0], { terms: [termOf('hous', fields)] })
      const known = (await scoresOf(space, asked({})))(horse)
      expect((await scoresOf(space, asked({ isKnown: false })))(horse)).toBeGreaterThan(known)
      // Somebody wrote it: no slip any more.
      await insert(space, 'house', [pieceOf('house', EAST)])
      expect((await scoresOf(space, asked({ isKnown: false })))(horse)).toBe(known)
    })

    test('another form of a term finds the memory as the term does', async () => {
      const space = await subject().newSpace()
      const id = await insert(space, '555-0123', [pieceOf('555-0123', NORTH)])
      const asked = (...terms: SearchQuery['terms']) => queryOf([1, 1, 0, 0, 0], { terms })
      const exact = (await scoresOf(space, asked(termOf('5550123'))))(id)
      const other = termOf('nothing', { alternatives: ['5550123'] })
      expect((await scoresOf(space, asked(other)))(id)).toBe(exact)
      expect((await scoresOf(space, asked(termOf('nothing'))))(id)).toBeLessThan(exact)
    })

    test('the very text of the query scores 1, whatever the model makes of it, and no other', async () => {
      const space = await subject().newSpace()
      const content = 'green tea\nwith milk'
      const same = await insert(space, content, linesOf(content, EAST))
      const other = await insert(space, `${content}.`, linesOf(content, EAST))
      const asked = queryOf(NORTH, { identity: identityOf(content) })
      const score = await scoresOf(space, asked)
      expect(score(same)).toBe(1)
      expect(score(other)).toBeLessThan(0.1)
      const found = await space.memories.search(asked, {}, { limit: 1, threshold: 1 })
      expect(found.map(({ id }) => id)).toEqual([same])
    })

    test('no vector makes another text the same when the model has not read all of the query', async () => {
      const space = await subject().newSpace()
      const content = '電話'
      const same = await insert(space, content, [pieceOf(content, NORTH)])
      const other = await insert(space, '電視', [pieceOf('電視', NORTH)])
      const asked = queryOf(NORTH, { identity: identityOf(content) })
      const read = await scoresOf(space, asked)
      expect([read(same), read(other)]).toEqual([1, 1])
      const parts = asked.parts.map((part) => ({ ...part, hasUnknown: true }))
      const score = await scoresOf(space, { ...asked, parts })
      expect(score(same)).toBe(1)
      expect(score(other)).toBeLessThan(1)
    })

    test('a memory that only asks something comes after one that says it', async () => {
      const space = await subject().newSpace()
      const asking = await insert(space, 'Tea?', [pieceOf('Tea?', NORTH)])
      const saying = await insert(space, 'Tea.', [pieceOf('Tea.', NORTH)])
      const score = await scoresOf(space, queryOf([1, 1, 0, 0, 0]))
      expect(score(asking)).toBeLessThan(score(saying))
    })
  })

  describe('the explanation of a score', () => {
    async function explanationOf(space: FreshSpace, query: SearchQuery): Promise<Explanation> {
      const [found] = await space.memories.search(query, {}, EVERYTHING)
      if (found?.explanation === undefined) throw new Error('There is no explanation.')
      return found.explanation
    }

    test('names the best sentence of the best piece, the terms there and what each brings in', async () => {
      const space = await subject().newSpace()
      const content = 'Anna drinks tea. A cat sleeps.\nThe kettle is new. It sings.'
      const second = content.indexOf('The')
      const last = content.indexOf('It')
      await insert(space, content, [
        pieceOf('', EAST, { start: 0, end: second, sentences: [passageOf(0, 16, EAST)] }),
        pieceOf('', EAST, {
          start: second,
          end: content.length,
          sentences: [passageOf(second, last - 1, EAST), passageOf(last, content.length, NORTH)],
        }),
      ])
      const terms = [termOf('kettl', { word: 'kettle' }), termOf('anna')]
      const explanation = await explanationOf(space, queryOf(NORTH, { terms }))
      expect(explanation).toMatchObject({
        sentence: { start: last, end: content.length },
        terms: [
          { word: 'kettle', isMatched: true },
          { word: 'anna', isMatched: false },
        ],
        // Both terms weigh the same. Of the names nobody asks.
        parts: { meaning: 0.4375, words: 0.03125, names: 0, askingMemory: 0 },
      })
    })

    test('of a piece without sentences names the piece', async () => {
      const space = await subject().newSpace()
      await insert(space, 'Tea?', [pieceOf('Tea?', EAST)])
      const { sentence, parts } = await explanationOf(space, queryOf(NORTH))
      expect(sentence).toEqual({ start: 0, end: 4 })
      expect(parts).toEqual({
        meaning: 0,
        words: 0,
        names: 0,
        askingMemory: -0.0625,
      })
    })

    test('is only given when it is asked for', async () => {
      const space = await subject().newSpace()
      await insert(space, 'tea', [pieceOf('tea')])
      const [found] = await space.memories.search(queryOf(NORTH), {}, { limit: 1, threshold: 0 })
      expect(found).not.toHaveProperty('explanation')
    })
  })
}
