// How much memory a server with the real model takes after its first search, and how long a user waits for
// that search from the start of the process on. Files are in the page cache, as after a restart of only the
// service.
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../eval/statistics/metrics.ts'
import type { Row } from '../bench.ts'
import { newFolder } from '../data/filled-store.ts'
import { startReal } from '../http/server-process.ts'
import { TimedConnection } from '../http/timed-connection.ts'
import { type Figure, withCommas } from '../report/figure.ts'
import { measureStart } from './start-time.ts'

const MEMORY_MAX_MB: Readonly<Record<number, number>> = { 0: 320, 100000: 430, 1000000: 800 }
const FIRST_SEARCH_MAX_S: Readonly<Record<number, number>> = { 100000: 1, 1000000: 4 }
const QUERY = 'Which numbers open the gym locker?'

export const footprint: Row = {
  key: 'footprint',
  title: 'A server with the real model: start and memory',
  async measure({ scale, filled, record }, row) {
    const { starts } = scale
    const value = (await measureStart()) / 1_000
    record({ row, name: '`npm start` on an empty folder, until it listens', unit: 's', value })
    using empty = await newFolder()
    for (const figure of await measureOn(row, { ...empty, size: 0, starts })) record(figure)
    for (const size of scale.sizes) {
      const folder = await filled({ size })
      const place = {
        directory: folder.directory,
        key: folder.tenants[0]?.key ?? '',
        size,
        starts,
      }
      for (const figure of await measureOn(row, place)) record(figure)
    }
  },
}

const SETTLED_MS = 3_000

type Place = { directory: string; key: string; size: number; starts: number }

async function measureOn(row: string, { directory, key, size, starts }: Place): Promise<Figure[]> {
  const listening: number[] = []
  const answered: number[] = []
  const resident: number[] = []
  for (let start = 0; start < starts; start += 1) {
    await using server = await startReal(directory)
    listening.push((performance.now() - server.startMs) / 1_000)
    using connection = await TimedConnection.open(server.url, key)
    await connection.ask('POST', '/v1/memories/search', { query: QUERY })
    answered.push((performance.now() - server.startMs) / 1_000)
    // The model's other threads load it later than the first one.
    await sleep(SETTLED_MS)
    resident.push(residentMegabytes(server.pid))
  }
  const name = size === 0 ? 'no memories' : `${withCommas(size)} memories`
  const goalOf = (atMost: number | undefined) => (atMost === undefined ? undefined : { atMost })
  return [
    { row, name: `${name}, until it listens`, unit: 's', value: median(listening) },
    {
      row,
      name: `${name}, until its first search is answered`,
      unit: 's',
      value: median(answered),
      goal: goalOf(FIRST_SEARCH_MAX_S[size]),
    },
    {
      row,
      name: `${name}, resident memory`,
      unit: 'MB',
      value: median(resident),
      goal: goalOf(MEMORY_MAX_MB[size]),
    },
  ]
}

/** As the operating system counts it. */
const residentMegabytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
