// Durable creates over HTTP with the real model, in turns with the model alone on the same texts and with as
// many workers: how much of the model's speed the service loses.
import { inFlight } from '../../eval/client.ts'
import { median } from '../../eval/statistics/metrics.ts'
import type { Row } from '../bench.ts'
import { newFolder } from '../data/filled-store.ts'
import { memoryAt } from '../data/memories.ts'
import { openModel } from '../data/model.ts'
import { startReal } from '../http/server-process.ts'
import { overConnections } from '../http/timed-connection.ts'

const IN_FLIGHT = 64
const SHARE_MIN = 0.9
/** See bulk-import.ts. */
const ROUNDS = 9
/** Until V8 has compiled the server's code, which takes some thousand creates. */
const WARM_UP_ROUNDS = 5

export const embeddedCreates: Row = {
  key: 'embedded-creates',
  title: 'Durable creates over HTTP with the real model',
  async measure({ scale, sample, record }, row) {
    using folder = await newFolder()
    await using server = await startReal(folder.directory)
    await using embedder = await openModel()
    const connection = { url: server.url, key: folder.key, width: IN_FLIGHT }
    const [service, alone, shares] = [[] as number[], [] as number[], [] as number[]]
    const count = scale.embeddedCreates
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      const first = sample.texts.length + (round + WARM_UP_ROUNDS) * count
      const texts = Array.from(
        { length: count },
        (_, place) => memoryAt(sample, first + place, 1_000_000, 'plain').memory.content,
      )
      const startMs = performance.now()
      await inFlight(texts, IN_FLIGHT, (text) => embedder.embedMemory(text))
      const aloneMs = performance.now() - startMs
      const { tookMs } = await overConnections(texts, connection, (open, content) =>
        open.ask('POST', '/v1/memories', { content, userId: 'bench' }),
      )
      if (round < 0) continue
      service.push((count / tookMs) * 1_000)
      alone.push((count / aloneMs) * 1_000)
      shares.push(aloneMs / tookMs)
    }
    const [unit, floor] = ['a second' as const, { name: 'the model alone', value: median(alone) }]
    record({ row, name: `${IN_FLIGHT} in flight`, unit, value: median(service), floor })
    record({
      row,
      name: `${IN_FLIGHT} in flight, to the model alone`,
      unit: 'x',
      value: median(shares),
      goal: { atLeast: SHARE_MIN },
    })
  },
}
