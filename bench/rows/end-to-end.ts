// What HTTP, checks, limits, usage and threads add to a search: the time of a request with the real model,
// less the embedding of its query and less the search itself, both measured in this process in turns with the
// request. Every query is new, since a server remembers those that it has embedded. The sizes take turns in
// rounds, because the figure varies with what else the machine does; each size keeps its server, since a new
// one would first have to compile its code. The floor is an answer of that server without any work, also
// after a run of the model, which empties the processor's caches.
import { median } from '../../eval/statistics/metrics.ts'
import type { Embedder } from '../../packages/server/src/embedding/embedder.ts'
import type { Row } from '../bench.ts'
import { textAt } from '../data/memories.ts'
import { openModel } from '../data/model.ts'
import { numbers } from '../data/numbers.ts'
import { queryOf, type Sample } from '../data/sample.ts'
import { runForAWhile, SEARCH } from '../http/long-running.ts'
import { startReal } from '../http/server-process.ts'
import { TimedConnection } from '../http/timed-connection.ts'
import { withCommas } from '../report/figure.ts'
import { type Latency, latencyOf } from '../timing/rounds.ts'
import { openDirect } from './direct-search.ts'

const ADDED_MS_MAX = 0.6
const ROUNDS = 3
/**
 * Queries after those of runForAWhile, with the model too, until both sides have compiled what they run:
 * after only a hundred, servers took up to .3 ms longer than this process, which searches all sizes with the
 * same code.
 */
const WARM_UP = 500
const WORDS = 8
/** Beyond the sample, and unlike those of other rows. */
const FIRST_QUERY = 5_000_000

export const endToEnd: Row = {
  key: 'end-to-end',
  title: 'Search over HTTP with the real model, one at a time',
  async measure({ scale, sample, filled, record }, row) {
    await using open = new AsyncDisposableStack()
    const embedder = open.use(await openModel())
    const subjects: Subject[] = []
    for (const size of scale.sizes) {
      const folder = await filled({ size })
      const direct = open.use(openDirect(folder))
      const server = open.use(await startReal(folder.directory))
      const key = folder.tenants[0]?.key
      const connection = open.use(await TimedConnection.open(server.url, key))
      await runForAWhile(connection)
      subjects.push({ size, direct, embedder, connection, rounds: [] })
    }
    const newQuery = queriesOf(sample)
    for (const subject of subjects) await askInTurns(subject, newQuery, WARM_UP)
    for (const _ of numbers(ROUNDS)) {
      for (const subject of subjects) {
        const asked = await askInTurns(subject, newQuery, scale.queries)
        const empty = await askNothing(subject, newQuery, scale.queries)
        subject.rounds.push({ ...asked, empty })
      }
    }
    for (const { size, rounds } of subjects) {
      const middle = (step: keyof Round, of: keyof Latency) =>
        median(rounds.map((round) => round[step][of]))
      const figure = (step: keyof Round, what: string) => {
        const name = `${withCommas(size)} memories, ${what}`
        return { row, name, unit: 'ms' as const, value: middle(step, 'p50') }
      }
      const withTail = (step: keyof Round, what: string) => {
        record({ ...figure(step, what), p99: middle(step, 'p99') })
      }
      withTail('total', 'the whole request')
      withTail('embedding', 'of it the embedding of the query')
      withTail('searching', 'of it the search')
      const floor = { name: 'GET /livez', value: middle('empty', 'p50') }
      record({ ...figure('added', 'what the service adds'), goal: { atMost: ADDED_MS_MAX }, floor })
    }
  },
}

type Asked = Record<'total' | 'embedding' | 'searching' | 'added', Latency>
type Round = Asked & { empty: Latency }

type Subject = {
  size: number
  direct: ReturnType<typeof openDirect>
  embedder: Pick<Embedder, 'embedQuery'>
  connection: TimedConnection
  rounds: Round[]
}

async function askInTurns(
  { direct, embedder, connection }: Subject,
  newQuery: () => string,
  times: number,
): Promise<Asked> {
  const total: number[] = []
  const embedding: number[] = []
  const searching: number[] = []
  const added: number[] = []
  for (const _ of numbers(times)) {
    const query = newQuery()
    const { tookMs } = await connection.ask('POST', SEARCH, { query })
    const embedMs = performance.now()
    const [part] = await embedder.embedQuery(query)
    const searchMs = performance.now()
    if (part === undefined) throw new Error('A query has no vector.')
    await direct.search(queryOf({ text: query, ...part }), {})
    const endMs = performance.now()
    total.push(tookMs)
    embedding.push(searchMs - embedMs)
    searching.push(endMs - searchMs)
    added.push(tookMs - (endMs - embedMs))
  }
  return {
    total: latencyOf(total),
    embedding: latencyOf(embedding),
    searching: latencyOf(searching),
    added: latencyOf(added),
  }
}

async function askNothing(
  { embedder, connection }: Subject,
  newQuery: () => string,
  times: number,
): Promise<Latency> {
  const tookMs: number[] = []
  for (const _ of numbers(times)) {
    await embedder.embedQuery(newQuery())
    tookMs.push((await connection.ask('GET', '/livez')).tookMs)
  }
  return latencyOf(tookMs)
}

function queriesOf({ texts }: Sample): () => string {
  let number = FIRST_QUERY
  return () => {
    number += 1
    const words = textAt(texts, number).text.split(' ')
    // With commas it is an amount: without, it would be a code that no memory has.
    return `${words.slice(0, WORDS).join(' ')} ${withCommas(number)}`
  }
}
