// What every method of finding looks like to the measurements, so that the service and the baselines
// are judged by the same code on the same texts.

/** At which a search of the service lets a result through, as the contract says. */
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
  /** At which it lets a result through by default; undefined where scores have no common scale. */
  readonly threshold: number | undefined
  /** Texts of a user, found by that user's searches alone. */
  add(user: string, texts: readonly Text[]): Promise<void>
  /** Best first. */
  search(user: string, query: string, cut: Cut): Promise<Hit[]>
}

/** The best of all: without a threshold, whatever matches at all. */
export function bestOf(hits: readonly Hit[], { limit, threshold = 0 }: Cut): Hit[] {
  return hits
    .filter(({ score }) => score > 0 && score >= threshold)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}
