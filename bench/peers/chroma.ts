// Chroma as a server of its own over HTTP, with its own defaults: an HNSW graph over cosines, flushed to the
// disk before it acknowledges. Each tag is a column of the metadata, which cannot hold lists.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { end } from '../../eval/server-process.ts'
import type { MemoryFilter } from '../../packages/server/src/storage/store.ts'
import { freePort } from '../../packages/server/src/testing/free-port.ts'
import { overConnections, TimedConnection } from '../http/timed-connection.ts'
import { CHROMA, CHROMA_VERSION } from './install.ts'
import { FOUND, type Peer, type PeerRow } from './peer.ts'
import { batchesOf } from './rows.ts'

const BATCH = 1_000
const START_MS_MAX = 60_000
const COLLECTIONS = '/api/v2/tenants/default_tenant/databases/default_database/collections'
const NAME = 'memories'

export const chroma: Peer = {
  name: 'Chroma',
  version: CHROMA_VERSION,
  memoriesMax: 100_000,
  async fill(directory, memories) {
    await using server = await startChroma(directory)
    using connection = await TimedConnection.open(server.url)
    const path = await collectionPath(connection, NAME)
    for (const batch of batchesOf(memories, BATCH)) {
      await connection.ask('POST', `${path}/add`, recordsOf(batch))
    }
  },
  async open(directory) {
    const open = new AsyncDisposableStack()
    const server = open.use(await startChroma(directory))
    const connection = open.use(await TimedConnection.open(server.url))
    const path = await collectionPath(connection, NAME)
    return {
      async search(vector, filter) {
        const { body } = await connection.ask('POST', `${path}/query`, {
          query_embeddings: [[...vector]],
          n_results: FOUND,
          ...conditionOf(filter),
          include: ['documents', 'metadatas', 'distances'],
        })
        const { ids }: { ids: string[][] } = JSON.parse(body)
        return ids[0] ?? []
      },
      [Symbol.asyncDispose]: () => open.disposeAsync(),
    }
  },
}

/** Creates a second: one by one with `width` in flight, in an empty collection. */
export async function chromaCreates(url: string, rows: PeerRow[], width: number): Promise<number> {
  using connection = await TimedConnection.open(url)
  const path = await collectionPath(connection, `creates-${Date.now()}`)
  const { tookMs } = await overConnections(rows, { url, width }, (open, row) =>
    open.ask('POST', `${path}/add`, recordsOf([row])),
  )
  return (rows.length / tookMs) * 1_000
}

export async function startChroma(directory: string) {
  const port = await freePort()
  const args = ['run', '--path', directory, '--host', '127.0.0.1', '--port', String(port)]
  const child = spawn(CHROMA, args, {
    env: { ...process.env, ANONYMIZED_TELEMETRY: 'False' },
    stdio: 'ignore',
  })
  const abandon = (): void => {
    child.kill('SIGKILL')
  }
  process.once('exit', abandon)
  const url = `http://127.0.0.1:${port}`
  await answering(url)
  return {
    url,
    async [Symbol.asyncDispose]() {
      process.off('exit', abandon)
      await end(child)
    },
  }
}

async function answering(url: string): Promise<void> {
  const deadlineMs = performance.now() + START_MS_MAX
  for (;;) {
    const isThere = await fetch(`${url}/api/v2/heartbeat`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    if (performance.now() > deadlineMs) throw new Error('Chroma does not answer.')
    await sleep(50)
  }
}

async function collectionPath(connection: TimedConnection, name: string): Promise<string> {
  const { body } = await connection.ask('POST', COLLECTIONS, {
    name,
    get_or_create: true,
    configuration: { hnsw: { space: 'cosine' } },
  })
  const { id }: { id: string } = JSON.parse(body)
  return `${COLLECTIONS}/${id}`
}

const recordsOf = (rows: readonly PeerRow[]) => ({
  ids: rows.map(({ id }) => id),
  embeddings: rows.map(({ vector }) => [...vector]),
  documents: rows.map(({ content }) => content),
  metadatas: rows.map(({ userId, tags }) => ({
    user: userId,
    ...Object.fromEntries(tags.map((tag) => [tag, true])),
  })),
})

function conditionOf({ userId, tags }: MemoryFilter): { where?: object } {
  if (userId !== undefined) return { where: { user: userId } }
  return tags === undefined ? {} : { where: { $and: tags.map((tag) => ({ [tag]: true })) } }
}
