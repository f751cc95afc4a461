// Opens a peer on its data, which is made once and kept.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, DATA_VERSION } from '../data/cache-folder.ts'
import type { OpenPeer, Peer, PeerMemories } from './peer.ts'

export async function openFilled(peer: Peer, memories: PeerMemories): Promise<OpenPeer> {
  const { name, version } = peer
  const plainName = `${name}-${version}`.replace(/[^\w.]+/g, '-')
  const key = `${plainName}-${DATA_VERSION}-${memories.sample.texts.length}-${memories.size}`
  const folder = cacheFolder('peers', key)
  const note = join(folder, 'filled')
  if (!existsSync(note)) {
    rmSync(folder, { recursive: true, force: true })
    const directory = cacheFolder('peers', key, 'data')
    const startMs = performance.now()
    await peer.fill(directory, memories)
    writeFileSync(note, `${Math.round((performance.now() - startMs) / 1_000)} s\n`)
  }
  return peer.open(join(folder, 'data'))
}
