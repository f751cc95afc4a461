// Takes the words out of a question while the model makes its vectors, and on the thread that searches, since a
// long question has thousands. They are kept until its search comes; when the model fails none comes, so there
// is a bound on what is kept. decisions/2026-11-23-expected-searches.md
import { LRUCache } from 'lru-cache'
import type {
  ExpectedQuery,
  ExpectedQuestion,
  Question,
  SearchQuery,
} from '../retrieval/evidence.ts'
import { rarityInEnglish } from '../retrieval/rarity.ts'
import { expectedQueryOf, queryWithParts } from '../retrieval/search-query.ts'
import type { SpaceId } from './records.ts'

/** Of the texts whose words are kept: these take some thirty times as many bytes. */
const CHARACTERS_MAX = 100_000

export class Questions {
  readonly #rarity = rarityInEnglish()
  readonly #expected = new LRUCache<string, ExpectedQuery>({
    maxSize: CHARACTERS_MAX,
    sizeCalculation: (_, key) => key.length,
  })

  /** Takes the words of a question that is about to come; `read` has the very same ones. */
  expect(space: SpaceId, question: ExpectedQuestion, generation: number): ExpectedQuery {
    const expected = expectedQueryOf(question, this.#rarity)
    this.#expected.set(keyOf(space, question.text, generation), expected)
    return expected
  }

  /** A query that has its words stays as it is. */
  read(space: SpaceId, asked: Question | SearchQuery, generation: number): SearchQuery {
    if (!('text' in asked)) return asked
    const key = keyOf(space, asked.text, generation)
    const expected = this.#expected.get(key) ?? expectedQueryOf(asked, this.#rarity)
    this.#expected.delete(key)
    return queryWithParts(expected, asked)
  }
}

/**
 * Apart for each space, so that no time tells what is asked in another one, and for each generation: every model
 * judges by a calibration of its own.
 */
const keyOf = (space: SpaceId, text: string, generation: number): string =>
  `${space} ${generation} ${text}`
