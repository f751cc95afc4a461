// The service as a method of retrieval, over HTTP, with the time of each request.
import { inFlight, type MeasuringClient } from './client.ts'
import { type Cut, DEFAULT_THRESHOLD, type Hit, type Retriever, type Text } from './retriever.ts'

const IN_FLIGHT = 8

export class ServiceRetriever implements Retriever {
  readonly name = 'Mnemograph'
  /** Searches leave it out, so that the service's own default is measured. */
  readonly threshold = DEFAULT_THRESHOLD
  readonly createMs: number[] = []
  readonly searchMs: number[] = []
  readonly #client: MeasuringClient
  readonly #idOf = new Map<string, string>()

  constructor(client: MeasuringClient) {
    this.#client = client
  }

  async add(user: string, texts: readonly Text[]): Promise<void> {
    await inFlight(texts, IN_FLIGHT, async ({ id, content }) => {
      const { result, tookMs } = await this.#client.create(user, content)
      this.#idOf.set(result, id)
      this.createMs.push(tookMs)
    })
  }

  async search(user: string, query: string, cut: Cut): Promise<Hit[]> {
    const { result, tookMs } = await this.#client.search(query, { userId: user, ...cut })
    this.searchMs.push(tookMs)
    return result.map(({ id, score }) => ({ id: this.#idOf.get(id) ?? '', score }))
  }
}
