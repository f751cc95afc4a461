// The words of questions: taken where a search runs, since a long one has thousands, and while the model
// makes its vectors. Words are kept for one search; because the model may fail, there is a bound on those
// that are kept. decisions/2026-11-23-expected-searches.md
import { LRUCache } from 'lru-cache'
import type { Question, SearchQuery } from '../retrieval/evidence.ts'
import { rarityInEnglish } from '../retrieval/rarity.ts'
import { type QueryWords, wordsOfQuery } from '../retrieval/search-query.ts'
import type { SpaceId } from './records.ts'

/** Of the texts whose words are kept: these take some thirty times as many bytes. */
const CHARACTERS_MAX = 100_000

export class Questions {
  readonly #rarity = rarityInEnglish()
  readonly #expected = new LRUCache<string, QueryWords>({
    maxSize: CHARACTERS_MAX,
    sizeCalculation: (_, key) => key.length,
  })

  /** Takes the words of a question that is about to come; `read` has the very same ones. */
  expect(space: SpaceId, text: string): QueryWords {
    const words = wordsOfQuery(text, this.#rarity)
    this.#expected.set(keyOf(space, text), words)
    return words
  }

  /** A query that has its words stays as it is. */
  read(space: SpaceId, asked: Question | SearchQuery): SearchQuery {
    if (!('text' in asked)) return asked
    const { text, parts, calibration } = asked
    const key = keyOf(space, text)
    const words = this.#expected.get(key) ?? wordsOfQuery(text, this.#rarity)
    this.#expected.delete(key)
    return { ...words, parts, calibration }
  }
}

/** Apart for each space, so that no time tells what is asked in another one. */
const keyOf = (space: SpaceId, text: string): string => `${space} ${text}`
