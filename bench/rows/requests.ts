// Single requests over HTTP with the real model, one at a time, in an almost empty space, each beside its
// floor: the model alone, or an answer of the server without any work. Then creates with more and more in
// flight.
import { ordinarySentences } from '../../eval/data/long-texts.ts'
import type { Row } from '../bench.ts'
import { newFolder } from '../data/filled-store.ts'
import { numbers } from '../data/numbers.ts'
import { embeddingAlone } from '../floors/model-alone.ts'
import { startReal } from '../http/server-process.ts'
import { overConnections, TimedConnection } from '../http/timed-connection.ts'
import type { Figure } from '../report/figure.ts'
import { latencyOf } from '../timing/rounds.ts'

const WIDTHS = [1, 8, 64] as const
const MEMORIES = '/v1/memories'
const SEARCH = '/v1/memories/search'

export const requests: Row = {
  key: 'requests',
  title: 'Requests with the real model, one at a time',
  async measure({ scale, record }, row) {
    using folder = await newFolder()
    await using server = await startReal(folder.directory)
    using connection = await TimedConnection.open(server.url, folder.key)
    const count = scale.queries
    const times = async (ask: () => Promise<{ tookMs: number }>): Promise<number[]> => {
      const took: number[] = []
      for (const _ of numbers(count)) took.push((await ask()).tookMs)
      return took
    }
    const create = (content: string) => ({ content, userId: 'latency', tags: ['one'] })
    const ids: string[] = []
    const livez = await times(() => connection.ask('GET', '/livez'))
    const model = await embeddingAlone(freshTexts(count))
    const measured: [name: string, tookMs: number[], floor: Figure['floor']][] = []
    const [ofModel, ofLivez] = [
      { name: 'the model alone', value: latencyOf(model).p50 },
      { name: 'GET /livez', value: latencyOf(livez).p50 },
    ]
    const creates = await times(async () => {
      const answer = await connection.ask('POST', MEMORIES, create(freshText()))
      const { id }: { id: string } = JSON.parse(answer.body)
      ids.push(id)
      return answer
    })
    measured.push(['create', creates, ofModel])
    const searches = await times(() => connection.ask('POST', SEARCH, { query: freshText() }))
    measured.push(['search', searches, ofModel])
    const again = { query: freshText() }
    await connection.ask('POST', SEARCH, again)
    const repeated = await times(() => connection.ask('POST', SEARCH, again))
    measured.push(['search, a query asked before', repeated, ofLivez])
    const gets = await times(() => connection.ask('GET', `${MEMORIES}/${ids.pop()}`))
    measured.push(['get', gets, ofLivez])
    const listed = await times(() => connection.ask('GET', `${MEMORIES}?limit=20`))
    measured.push(['list', listed, ofLivez])
    for (const [name, tookMs, floor] of measured) {
      const { p50, p99 } = latencyOf(tookMs)
      record({ row, name, unit: 'ms', value: p50, p99, floor })
    }
    for (const width of WIDTHS) {
      const texts = freshTexts(scale.embeddedCreates)
      const to = { url: server.url, key: folder.key, width }
      const { tookMs } = await overConnections(texts, to, (open, text) =>
        open.ask('POST', MEMORIES, create(text)),
      )
      const value = (texts.length / tookMs) * 1_000
      record({ row, name: `creates, ${width} in flight`, unit: 'a second', value })
    }
  },
}

const sentences = ordinarySentences(100_000, 7)
let used = 0
/** A short sentence, another one each time. */
const freshText = (): string =>
  `${sentences[used % sentences.length]?.replace(/\.$/, '')} ${used++}.`
const freshTexts = (count: number): string[] => numbers(count).map(freshText)
