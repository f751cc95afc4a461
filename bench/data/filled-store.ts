// Folders with a filled store, made once and kept, since a million memories take minutes. The store's own
// writer fills them, so that a real server can be started on them. Rows only read them; a row that writes has
// a folder of its own.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFlight } from '../../eval/client.ts'
import { RATE_LIMIT_NONE } from '../../packages/server/src/contract/plans.ts'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { createIdentify } from '../../packages/server/src/core/ids.ts'
import { findCaller, mintKey } from '../../packages/server/src/core/keys.ts'
import { bundledModelId } from '../../packages/server/src/embedding/open-embedder.ts'
import { PIECES_VERSION } from '../../packages/server/src/embedding/pieces-version.ts'
import type { SpaceId } from '../../packages/server/src/storage/records.ts'
import { openSqliteStore } from '../../packages/server/src/storage/sqlite/open-store.ts'
import type { Store } from '../../packages/server/src/storage/store.ts'
import { cacheFolder, DATA_VERSION, schemaVersion } from './cache-folder.ts'
import { type Kind, memoryAt } from './memories.ts'
import { numbers } from './numbers.ts'
import { readIntoPageCache } from './page-cache.ts'
import { DIMENSION, type Sample } from './sample.ts'

const IN_FLIGHT = 1_024

type Tenant = { space: SpaceId; keyId: string; key: string }
export type FilledFolder = {
  directory: string
  tenants: Tenant[]
  /** Memories of each space. */
  size: number
  kind: Kind
}
export type Filling = { size: number; kind?: Kind; spaces?: number }

/** A folder with so many spaces of so many memories each. */
export async function filledFolder(sample: Sample, filling: Filling): Promise<FilledFolder> {
  const { size, kind = 'plain', spaces = 1 } = filling
  const version = `schema${schemaVersion()}-${DATA_VERSION}-${sample.texts.length}`
  const folder = cacheFolder('stores', `${version}-${kind}-${spaces}x${size}`)
  const note = join(folder, 'filled.json')
  const directory = join(folder, 'data')
  if (!existsSync(note)) {
    rmSync(directory, { recursive: true, force: true })
    const tenants = await fill(directory, sample, { size, kind, spaces })
    // Written last: a folder without it was not finished, and is filled anew.
    writeFileSync(`${note}.tmp`, JSON.stringify(tenants))
    renameSync(`${note}.tmp`, note)
  }
  readIntoPageCache(directory)
  // This file wrote it.
  const tenants: Tenant[] = JSON.parse(readFileSync(note, 'utf8'))
  return { directory, tenants, size, kind }
}

async function fill(
  directory: string,
  sample: Sample,
  { size, kind, spaces }: Required<Filling>,
): Promise<Tenant[]> {
  const store = await openBenchStore(directory)
  try {
    const generation = await adoptBundled(store)
    const tenants = await newTenants(store, spaces)
    await inFlight(numbers(size * spaces), IN_FLIGHT, async (number) => {
      const tenant = tenants[Math.floor(number / size)]
      if (tenant === undefined) throw new Error('There is no such space.')
      const { memory, pieces } = memoryAt(sample, number, size, kind)
      await store.forSpace(tenant.space).memories.insert(memory, pieces, {}, generation)
    })
    return tenants
  } finally {
    await store.close()
  }
}

export const openBenchStore = (directory: string): Promise<Store> =>
  openSqliteStore({
    directory,
    onDeath(error) {
      throw error
    },
  })

/** Registers the bundled model, as a server does, so that one can be started on the folder. */
export async function adoptBundled(store: Store): Promise<number> {
  const { number } = await store.generations.adopt({
    id: bundledModelId(),
    dimension: DIMENSION,
    piecesVersion: PIECES_VERSION,
    source: { kind: 'bundled' },
  })
  return number
}

/** A folder with one empty space, ready for a server with the bundled model; removed after its block. */
export async function newFolder(): Promise<Tenant & { directory: string } & Disposable> {
  const directory = mkdtempSync(join(cacheFolder(), 'new-'))
  const store = await openBenchStore(directory)
  try {
    await adoptBundled(store)
    const [tenant] = await newTenants(store, 1)
    if (tenant === undefined) throw new Error('A store keeps no key.')
    const remove = (): void => rmSync(directory, { recursive: true, force: true })
    return { directory, ...tenant, [Symbol.dispose]: remove }
  } finally {
    await store.close()
  }
}

/** Each with a key without limits and an empty space of its own. */
export async function newTenants(store: Store, count: number): Promise<Tenant[]> {
  const identify = createIdentify(systemClock)
  const unlimited = { read: RATE_LIMIT_NONE, write: RATE_LIMIT_NONE, search: RATE_LIMIT_NONE }
  const minted = numbers(count).map(() => mintKey(identify))
  await inFlight(minted, 64, ({ stored }) =>
    store.keys.insert({ name: 'bench', plan: 'enterprise', limits: unlimited, ...stored }),
  )
  return Promise.all(
    minted.map(async ({ key }) => {
      const { spaceId, keyId } = await findCaller(store.keys, key)
      return { space: spaceId, keyId, key }
    }),
  )
}
