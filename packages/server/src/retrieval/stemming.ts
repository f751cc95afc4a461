// Words without their endings, by the Snowball stemmer for English: "liked" and "likes" become
// "like". Words of other scripts and codes stay as they are.
import { LRUCache } from 'lru-cache'
import snowball from 'snowball-stemmers'

const stemmer = snowball.newStemmer('english')
const known = new LRUCache<string, string>({ max: 50_000 })

export function stemOf(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word
  const before = known.get(word)
  if (before !== undefined) return before
  const stem = stemmer.stem(word)
  known.set(word, stem)
  return stem
}
