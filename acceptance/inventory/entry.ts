/** One line of the inventory: a sentence, in short words, and the cases that prove it. */
export interface Entry {
  readonly id: string
  readonly says: string
  /** Names of cases in this folder's test files, literally. */
  readonly cases: readonly string[]
  /** Why nothing can prove it over HTTP today; only where `cases` is empty. */
  readonly elsewhere?: string
}

export function proven(id: string, says: string, ...cases: readonly string[]): Entry {
  return { id, says, cases }
}

export function elsewhere(id: string, says: string, reason: string): Entry {
  return { id, says, cases: [], elsewhere: reason }
}
