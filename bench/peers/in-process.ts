// The store beside peers in the same process: the same memories, vectors and filters, in turns within the
// same rounds. Without a threshold, so that each finds ten.
import type { SearchQuery } from '../../packages/server/src/retrieval/evidence.ts'
import type { Bench } from '../bench.ts'
import { FILTERS } from '../data/memories.ts'
import { plain, withCommas } from '../report/figure.ts'
import { openSearchable } from '../rows/searchable.ts'
import { inRounds } from '../timing/rounds.ts'
import { openFilled } from './filled-peer.ts'
import { FOUND, type OpenPeer, type Peer } from './peer.ts'

const OWN = 'Mnemograph'
const TIMES_MIN = 50
const CUT = { limit: FOUND, threshold: 0 }

export async function besidePeers(
  bench: Bench,
  row: string,
  peers: readonly Peer[],
  size: number,
): Promise<void> {
  const { scale, sample, record } = bench
  await using all = new AsyncDisposableStack()
  const store = all.use(await openSearchable(await bench.filled({ size })))
  const opened: { peer: Peer; open: OpenPeer }[] = []
  for (const peer of peers) {
    if (size > peer.memoriesMax) continue
    opened.push({ peer, open: all.use(await openFilled(peer, { sample, size })) })
  }
  const queries = sample.queries.slice(0, scale.queries)
  for (const [filterName, filter] of Object.entries(FILTERS)) {
    const contenders = opened.map(({ peer, open }) => [
      peer.name,
      (query: SearchQuery) => open.search(query.parts[0]?.vector ?? new Float32Array(), filter),
    ])
    const found = await inRounds<SearchQuery, string>(
      queries,
      {
        [OWN]: (query: SearchQuery) => store.search(query, filter, { cut: CUT }),
        ...Object.fromEntries(contenders),
      },
      scale.peerRounds,
    )
    const own = found[OWN]
    for (const [who, latency] of Object.entries(found)) {
      const times = latency.p50 / (own?.p50 ?? Number.NaN)
      const isOwn = who === OWN
      record({
        row,
        name: `${withCommas(size)} memories, ${filterName}: ${who}`,
        unit: 'ms',
        value: latency.p50,
        p99: latency.p99,
        cpuMs: latency.cpuMs,
        note: isOwn ? undefined : `${plain(times)} × the time of Mnemograph`,
        point: { who, filter: filterName, memories: size },
      })
      const peer = opened.find(({ peer: { name } }) => name === who)?.peer
      if (filterName !== 'no filter' || peer === undefined) continue
      // A goal only where the peer has come to its largest size.
      const goal = size === peer.memoriesMax ? { atLeast: TIMES_MIN } : undefined
      const name = `${withCommas(size)} memories, ${filterName}: times faster than ${who}`
      record({ row, name, unit: 'x', value: times, goal })
    }
  }
}
