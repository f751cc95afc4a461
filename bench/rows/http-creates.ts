// Durable creates over HTTP with 64 in flight, without the model: the server in its own process, the client
// in this one, on connections that stay open.
import { median } from '../../eval/statistics/metrics.ts'
import type { Row } from '../bench.ts'
import { newFolder } from '../data/filled-store.ts'
import { memoryAt } from '../data/memories.ts'
import { startWithoutModel } from '../http/server-process.ts'
import { overConnections } from '../http/timed-connection.ts'

const IN_FLIGHT = 64
const GOAL_PER_SECOND = 6_000

export const httpCreates: Row = {
  key: 'http-creates',
  title: 'Durable creates over HTTP, the model left out',
  async measure({ scale, sample, record }, row) {
    using folder = await newFolder()
    await using server = await startWithoutModel(folder.directory, scale.embedded)
    const connection = { url: server.url, key: folder.key, width: IN_FLIGHT }
    const perSecond: number[] = []
    const empty: number[] = []
    let made = 0
    for (let round = -1; round < scale.rounds.rounds; round += 1) {
      const bodies = Array.from({ length: scale.creates }, (_, place) => {
        const { memory } = memoryAt(sample, made + place, 1_000_000, 'plain')
        const { content, userId, tags } = memory
        return { content, userId, tags }
      })
      made += scale.creates
      const creates = await overConnections(bodies, connection, (open, body) =>
        open.ask('POST', '/v1/memories', body),
      )
      const livez = await overConnections(bodies, connection, (open) => open.ask('GET', '/livez'))
      if (round < 0) continue
      perSecond.push((scale.creates / creates.tookMs) * 1_000)
      empty.push((scale.creates / livez.tookMs) * 1_000)
    }
    record({
      row,
      name: `${IN_FLIGHT} in flight`,
      unit: 'a second',
      value: median(perSecond),
      goal: { atLeast: GOAL_PER_SECOND },
      floor: { name: 'GET /livez', value: median(empty) },
    })
  },
}
