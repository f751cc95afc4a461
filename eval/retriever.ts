// The interface of a method of retrieval, so that the service and the baselines are judged by the same code
// on the same texts.

/** The threshold of the service's searches by default, as the contract says. */
export const DEFAULT_THRESHOLD = 0.5

export type Text = { id: string; content: string }
export type Hit = { id: string; score: number }

export type Cut = {
  limit: number
  /** Absent: the method's own default. */
  threshold?: number
}

export interface Retriever {
  readonly name: string
  /** The threshold that searches have by default; undefined where scores have no common scale. */
  readonly threshold: number | undefined
  /** Adds texts of a user, which only searches for that user find. */
  add(user: string, texts: readonly Text[]): Promise<void>
  /** Best first. */
  search(user: string, query: string, cut: Cut): Promise<Hit[]>
}

/** The best hits; without a threshold, all that match at all count. */
export function bestOf(hits: readonly Hit[], { limit, threshold = 0 }: Cut): Hit[] {
  return hits
    .filter(({ score }) => score > 0 && score >= threshold)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}
