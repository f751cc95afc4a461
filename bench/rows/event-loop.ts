// How long the event loop of the real server is held up under mixed load, creates of 10,000 characters
// included: the server's own figure at /metrics, and the latency of GET /livez at the same time.
import { setTimeout as sleep } from 'node:timers/promises'
import { longTexts } from '../../eval/data/long-texts.ts'
import type { Row } from '../bench.ts'
import { newFolder } from '../data/filled-store.ts'
import { textAt } from '../data/memories.ts'
import { startReal } from '../http/server-process.ts'
import { TimedConnection } from '../http/timed-connection.ts'
import { latencyOf } from '../timing/rounds.ts'

const GOAL_MS = 20
const CHARACTERS = 10_000
/** The server's figure is the time between two ticks of a timer with this interval. */
const TICK_MS = 10
const LOADS = { long: 4, short: 4, search: 4, list: 2 }
const LIVEZ_PAUSE_MS = 5

export const eventLoop: Row = {
  key: 'event-loop',
  title: 'Event loop under mixed load with creates of 10,000 characters',
  async measure({ scale, sample, record }, row) {
    using folder = await newFolder()
    await using server = await startReal(folder.directory)
    const connect = () => TimedConnection.open(server.url, folder.key)
    using watcher = await connect()
    const [long, endMs] = [longTexts(CHARACTERS), performance.now() + scale.loadMs]
    const shortAt = (turn: number): string => textAt(sample.texts, turn * 31).text
    const create = (content: string) => ({ content, userId: 'bench', tags: ['load'] })
    const works: Record<keyof typeof LOADS, (open: TimedConnection, turn: number) => unknown> = {
      long: (open, turn) =>
        open.ask('POST', '/v1/memories', create(long[turn % long.length] ?? '')),
      short: (open, turn) => open.ask('POST', '/v1/memories', create(shortAt(turn))),
      search: (open, turn) =>
        open.ask('POST', '/v1/memories/search', { query: `${shortAt(turn)} ${turn}` }),
      list: (open) => open.ask('GET', '/v1/memories?limit=100'),
    }
    // Reading the figure resets it.
    await lagP99Ms(watcher)
    const made = { long: 0, short: 0, search: 0, list: 0 }
    const livezMs: number[] = []
    const load = Object.entries(LOADS).flatMap(([name, clients]) =>
      Array.from({ length: clients }, async (_, client) => {
        if (!isLoad(name)) return
        using open = await connect()
        for (let turn = client; performance.now() < endMs; turn += clients) {
          await works[name](open, turn)
          made[name] += 1
        }
      }),
    )
    const watch = async (): Promise<void> => {
      while (performance.now() < endMs) {
        livezMs.push((await watcher.ask('GET', '/livez')).tookMs)
        await sleep(LIVEZ_PAUSE_MS)
      }
    }
    await Promise.all([...load, watch()])
    const lag = await lagP99Ms(watcher)
    const note = `${made.long} long and ${made.short} short creates, ${made.search} searches`
    record({
      row,
      name: 'delay of the event loop, p99',
      unit: 'ms',
      value: lag,
      note,
      goal: { atMost: GOAL_MS },
    })
    const { p50, p99 } = latencyOf(livezMs)
    record({ row, name: 'GET /livez meanwhile', unit: 'ms', value: p50, p99 })
  },
}

const isLoad = (name: string): name is keyof typeof LOADS => name in LOADS

async function lagP99Ms(connection: TimedConnection): Promise<number> {
  const { body } = await connection.ask('GET', '/metrics')
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(body)?.[1]
  if (seconds === undefined) throw new Error('The server does not show the delay of its loop.')
  return Math.max(0, Number(seconds) * 1_000 - TICK_MS)
}
