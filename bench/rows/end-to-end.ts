// What HTTP, checks, limits, usage and threads add to a search: the time of a request with the real model,
// less the embedding of its query and less the search itself, each measured in this process on the same
// query in turns with the request. Every query is new to the server, which remembers those it has embedded.
// The floor is an answer of the same server without any work, after the model has emptied the caches as well.
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { median } from '../../eval/metrics.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { openLocalEmbedder } from '../../packages/server/src/embedding/local/local-embedder.ts'
import type { Row } from '../bench.ts'
import { textAt } from '../data/memories.ts'
import { queryOf, type Sample } from '../data/sample.ts'
import { runForAWhile, SEARCH } from '../http/long-running.ts'
import { startReal } from '../http/server-process.ts'
import { TimedConnection } from '../http/timed-connection.ts'
import { withCommas } from '../report/figure.ts'
import { latencyOf } from '../timing/rounds.ts'
import { openDirect } from './direct-search.ts'

const ADDED_MS_MAX = 0.6
/** Behind those of runForAWhile, and over the model too. */
const WARM_UP = 100
const WORDS = 8
/** Beyond the sample, so that no other row asks the same. */
const FIRST_QUERY = 5_000_000

export const endToEnd: Row = {
  key: 'end-to-end',
  title: 'Search over HTTP with the real model, one at a time',
  async measure({ scale, sample, filled, record }, row) {
    for (const size of scale.sizes) {
      const folder = await filled({ size })
      const direct = openDirect(folder)
      const { workers } = readConfig({}).embedding
      const embedder = await openLocalEmbedder({ folder: modelFolder, workers })
      const server = await startReal(folder.directory)
      const connection = await TimedConnection.open(server.url, folder.tenants[0]?.key)
      try {
        await runForAWhile(connection)
        const [total, embedding, searching, added] = [0, 0, 0, 0].map(() => [] as number[])
        for (let asked = -WARM_UP; asked < scale.queries; asked += 1) {
          const text = newQuery(sample, asked)
          const { tookMs } = await connection.ask('POST', SEARCH, { query: text })
          const embedMs = performance.now()
          const [part] = await embedder.embedQuery(text)
          const searchMs = performance.now()
          if (part === undefined) throw new Error('A query has no vector.')
          await direct.search(queryOf({ text, ...part }), {})
          const endMs = performance.now()
          if (asked < 0) continue
          total?.push(tookMs)
          embedding?.push(searchMs - embedMs)
          searching?.push(endMs - searchMs)
          added?.push(tookMs - (endMs - embedMs))
        }
        const empty: number[] = []
        for (let asked = 0; asked < scale.queries; asked += 1) {
          await embedder.embedQuery(newQuery(sample, asked))
          empty.push((await connection.ask('GET', '/livez')).tookMs)
        }
        const name = `${withCommas(size)} memories`
        const figure = (what: string, of: number[] = []) => {
          const { p50, p99 } = latencyOf(of)
          return { row, name: `${name}, ${what}`, unit: 'ms' as const, value: p50, p99 }
        }
        record(figure('the whole request', total))
        record(figure('of it the embedding of the query', embedding))
        record(figure('of it the search', searching))
        const value = median(added ?? [])
        const addedName = `${name}, what the service adds`
        const goal = { atMost: ADDED_MS_MAX }
        const floor = { name: 'GET /livez', value: median(empty) }
        record({ row, name: addedName, unit: 'ms', value, goal, floor })
      } finally {
        connection.close()
        await server.stop()
        await embedder.close()
        direct.close()
      }
    }
  },
}

function newQuery({ texts }: Sample, number: number): string {
  const words = textAt(texts, FIRST_QUERY + number).text.split(' ')
  return `${words.slice(0, WORDS).join(' ')} ${number}`
}
