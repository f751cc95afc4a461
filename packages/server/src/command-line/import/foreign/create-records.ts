// Brings foreign records into a space by the way that every create goes: validated as requests are,
// texts embedded, each record stored as a whole. What is there already is left alone, so an import that was
// stopped is simply run again. No quota is drawn on.
import { NewEntity } from '../../../contract/entities.ts'
import { ApiError } from '../../../contract/errors.ts'
import { NewMemory } from '../../../contract/memories.ts'
import { NewRelation } from '../../../contract/relations.ts'
import { entities } from '../../../core/entities.ts'
import { type Patience, patiently } from '../../../core/patience.ts'
import { relations } from '../../../core/relations.ts'
import type { Service } from '../../../core/service.ts'
import { EmbedderUnavailable } from '../../../embedding/embedder.ts'
import { body } from '../../../http/validation/read-input.ts'
import type { SpaceStore } from '../../../storage/store.ts'
import type { ForeignRecord } from './foreign-record.ts'

/** Keeps every worker of a model busy while others are committed; few enough to fit into its queue. */
const AT_ONCE = 64

const readMemory = body(NewMemory)
const readEntity = body(NewEntity)
const readRelation = body(NewRelation)

export type Created = { created: number; wereThere: number; leftOut: string[] }

type Creating = Pick<Service, 'clock'> & { memories: Pick<Service['memories'], 'create'> }

type CreateOptions = Patience & {
  /** Of all records, those that were looked at. */
  onProgress: (done: number) => void
}

/**
 * Stops early when it is asked to, also by rejecting with an AbortError. Rejects with the first failure that is not
 * the fault of a record.
 */
export async function createRecords(
  service: Creating,
  space: SpaceStore,
  records: readonly ForeignRecord[],
  { onProgress, ...patience }: CreateOptions,
): Promise<Created> {
  const { stop } = patience
  const outcome: Created = { created: 0, wereThere: 0, leftOut: [] }
  let done = 0

  async function createOrReport(record: ForeignRecord): Promise<void> {
    try {
      if (await patiently(patience, () => create(service, space, record))) outcome.created += 1
      else outcome.wereThere += 1
    } catch (error) {
      outcome.leftOut.push(`${record.where}: ${faultOf(error)}`)
    }
    done += 1
    onProgress(done)
  }

  // Entities first, and one after the other: relations need both of their ends.
  for (const record of records) {
    if (record.kind !== 'memory' && !stop.aborted) await createOrReport(record)
  }
  const memoryRecords = records.filter(({ kind }) => kind === 'memory')
  const distinct = new Map(memoryRecords.map((record) => [record.id, record]))
  outcome.wereThere += memoryRecords.length - distinct.size
  done += memoryRecords.length - distinct.size
  const rest = distinct.values()
  let hasFailed = false
  const worker = async (): Promise<void> => {
    for (const record of rest) {
      if (hasFailed || stop.aborted) return
      await createOrReport(record).catch((error: unknown) => {
        hasFailed = true
        throw error
      })
    }
  }
  // Those under way are waited for: what is closed afterwards is in nobody's hands any more.
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  return outcome
}

/** What is wrong with a record. Throws any other error: the same record may come in later. */
function faultOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (!(error instanceof EmbedderUnavailable) || error.isTransient) throw error
  return `the model failed on it. ${error.reason}`
}

/** False when it is there already. Throws an ApiError for what no request could create either. */
async function create(
  { memories, clock }: Creating,
  space: SpaceStore,
  { kind, id, createdAt, input }: ForeignRecord,
): Promise<boolean> {
  const stamp = { identity: { id, createdAt: createdAt ?? clock.now() }, receipt: {} }
  const request = { body: input }
  switch (kind) {
    case 'memory': {
      const memory = readMemory(request)
      const insert = () => memories.create(space, memory, stamp, 'bulk')
      return createMissing(() => space.memories.find(id), insert)
    }
    case 'entity': {
      const entity = readEntity(request)
      const insert = () => entities.create(space, entity, stamp)
      return createMissing(() => space.entities.find(id), insert)
    }
    case 'relation': {
      const relation = readRelation(request)
      const insert = () => relations.create(space, relation, stamp)
      return createMissing(() => space.relations.find(id), insert)
    }
  }
}

/** False when it is there, also because another import of the same records was quicker. */
async function createMissing(
  find: () => Promise<object | undefined>,
  insert: () => Promise<unknown>,
): Promise<boolean> {
  if ((await find()) !== undefined) return false
  try {
    await insert()
    return true
  } catch (error) {
    if ((await find()) === undefined) throw error
    return false
  }
}
