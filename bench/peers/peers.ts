// The product beside its peers. Only figures of the same rounds are put into ratios. A peer that cannot be
// had, or that fails, is named and left out.
import type { Bench, Row } from '../bench.ts'
import type { Figure } from '../report/figure.ts'
import { chroma } from './chroma.ts'
import { besidePeers } from './in-process.ts'
import { installChroma, installNodePeers } from './install.ts'
import { lanceDb } from './lancedb.ts'
import { createBesideChroma, searchBesideChroma } from './over-http.ts'
import { pglite } from './pglite.ts'
import { sqliteVec } from './sqlite-vec.ts'

const IN_PROCESS = [sqliteVec, lanceDb, pglite]

export const peersInProcess: Row = {
  key: 'peers',
  title: 'Beside peers in process',
  async measure(bench) {
    const inProcess = `In process, beside ${IN_PROCESS.map(described).join(', ')}`
    await orSay(bench, inProcess, async () => {
      installNodePeers()
      for (const size of bench.scale.peerSizes) {
        await besidePeers(bench, inProcess, IN_PROCESS, size)
      }
    })
  },
}

export const peersOverHttp: Row = {
  key: 'chroma',
  title: 'Beside a peer over HTTP',
  async measure(bench) {
    const overHttp = `Over HTTP, beside ${described(chroma)}`
    await orSay(bench, overHttp, async () => {
      installChroma()
      for (const size of bench.scale.peerSizes) {
        if (size <= chroma.memoriesMax) await searchBesideChroma(bench, overHttp, size)
      }
      await createBesideChroma(bench, overHttp)
    })
  },
}

const described = ({ name, version, note }: typeof sqliteVec): string =>
  `${name} ${version}${note === undefined ? '' : ` (${note})`}`

async function orSay(bench: Bench, row: string, measure: () => Promise<void>): Promise<void> {
  try {
    await measure()
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error)
    const figure: Figure = { row, name: 'could not go on', value: undefined, unit: '', note }
    bench.record(figure)
  }
}
