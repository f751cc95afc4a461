// The service beside Chroma, both as durable servers over HTTP, in turns within the same rounds and with the
// same vectors: the service has them ready instead of the model, Chroma gets them in the request, as from its
// own clients.
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../../eval/statistics/metrics.ts'
import type { Bench } from '../bench.ts'
import { newFolder } from '../data/filled-store.ts'
import { FILTERS } from '../data/memories.ts'
import type { Embedded } from '../data/sample.ts'
import { runForAWhile, SEARCH } from '../http/long-running.ts'
import { startWithoutModel } from '../http/server-process.ts'
import { overConnections, TimedConnection } from '../http/timed-connection.ts'
import { withCommas } from '../report/figure.ts'
import { inRounds } from '../timing/rounds.ts'
import { chroma, chromaCreates, startChroma } from './chroma.ts'
import { openFilled } from './filled-peer.ts'
import { FOUND } from './peer.ts'
import { batchesOf } from './rows.ts'

const IN_FLIGHT = 64
const PLAIN_TIMES_MIN = 3
const FILTERED_TIMES_MIN = 25
const CREATE_TIMES_MIN = 40
/** Creates of Chroma in a round; it makes about a hundred a second. */
const CHROMA_CREATES = 300
const [OWN, PEER] = ['Mnemograph (HTTP)', 'Chroma (HTTP)']

export async function searchBesideChroma(bench: Bench, row: string, size: number): Promise<void> {
  const { scale, sample, record } = bench
  const folder = await bench.filled({ size })
  await using peer = await openFilled(chroma, { sample, size })
  await using server = await startWithoutModel(folder.directory, scale.embedded)
  using connection = await TimedConnection.open(server.url, folder.tenants[0]?.key)
  await runForAWhile(connection)
  for (const [filterName, filter] of Object.entries(FILTERS)) {
    const found = await inRounds(
      sample.asked.slice(0, scale.queries),
      {
        own: ({ text }: Embedded) =>
          connection.ask('POST', SEARCH, {
            query: text,
            limit: FOUND,
            threshold: 0,
            ...filter,
          }),
        peer: ({ vector }: Embedded) => peer.search(vector, filter),
      },
      scale.peerRounds,
    )
    const name = `${withCommas(size)} memories, ${filterName}`
    for (const [who, { p50, p99 }] of [[OWN, found.own] as const, [PEER, found.peer] as const]) {
      const point = { who, filter: filterName, memories: size }
      record({ row, name: `${name}: ${who}`, unit: 'ms', value: p50, p99, point })
    }
    const atLeast = filterName === 'no filter' ? PLAIN_TIMES_MIN : FILTERED_TIMES_MIN
    record({
      row,
      name: `${name}: times faster than Chroma`,
      unit: 'x',
      value: found.peer.p50 / found.own.p50,
      goal: size === chroma.memoriesMax ? { atLeast } : undefined,
    })
  }
}

export async function createBesideChroma(bench: Bench, row: string): Promise<void> {
  const { scale, sample, record } = bench
  using folder = await newFolder()
  await using server = await startWithoutModel(folder.directory, scale.embedded)
  await using peer = await startChroma(mkdtempSync(join(folder.directory, 'chroma-')))
  const [own, theirs, times] = [[] as number[], [] as number[], [] as number[]]
  for (let round = -1; round < scale.rounds.rounds; round += 1) {
    const [rows = []] = batchesOf({ sample, size: scale.creates }, scale.creates)
    const bodies = rows.map(({ content, userId, tags }) => ({ content, userId, tags }))
    const { tookMs } = await overConnections(
      bodies,
      { url: server.url, key: folder.key, width: IN_FLIGHT },
      (open, body) => open.ask('POST', '/v1/memories', body),
    )
    const perSecond = await chromaCreates(peer.url, rows.slice(0, CHROMA_CREATES), IN_FLIGHT)
    if (round < 0) continue
    const ownPerSecond = (bodies.length / tookMs) * 1_000
    own.push(ownPerSecond)
    theirs.push(perSecond)
    times.push(ownPerSecond / perSecond)
  }
  const name = `creates, ${IN_FLIGHT} in flight`
  record({ row, name: `${name}: ${OWN}`, unit: 'a second', value: median(own) })
  record({ row, name: `${name}: ${PEER}`, unit: 'a second', value: median(theirs) })
  record({
    row,
    name: `${name}: times faster than Chroma`,
    unit: 'x',
    value: median(times),
    goal: { atLeast: CREATE_TIMES_MIN },
  })
}
