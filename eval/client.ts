// The measurements' client: sends requests over HTTP and takes their time.

type Found = { id: string; score: number }
type Timed<Result> = { result: Result; tookMs: number }

type SearchOptions = { userId: string; limit?: number; threshold?: number }

export class MeasuringClient {
  readonly #url: string
  readonly #key: string

  constructor({ url, key }: { url: string; key: string }) {
    this.#url = url
    this.#key = key
  }

  /** Returns the id of the new memory. */
  async create(userId: string, content: string): Promise<Timed<string>> {
    const body = { content, userId }
    const { result, tookMs } = await this.#post<{ id: string }>('/v1/memories', body)
    return { result: result.id, tookMs }
  }

  async search(query: string, options: SearchOptions): Promise<Timed<Found[]>> {
    const body = { query, ...options }
    const { result, tookMs } = await this.#post<{ results: Found[] }>('/v1/memories/search', body)
    return { result: result.results, tookMs }
  }

  async #post<Result>(path: string, body: object): Promise<Timed<Result>> {
    const start = performance.now()
    const response = await fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    const tookMs = performance.now() - start
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`)
    // The contract promises this form.
    const result: Result = JSON.parse(text)
    return { result, tookMs }
  }
}

/** Runs the task for each item with `width` in flight; the results are in the order of the items. */
export async function inFlight<Item, Result>(
  items: readonly Item[],
  width: number,
  task: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await task(item, index)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
