// All writes of a key share the row of its month, and all deletions of a space the count of its memories.
// Were they held while an answer travels to the service, the writes of one key would take turns at the
// speed of the network, each on a connection of its own.
import { expect, inject, onTestFinished, test } from 'vitest'
import { startForwarder } from '../../testing/postgres-forwarder.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../conformance/records.ts'
import { insertedKey, newKey } from '../conformance/subject.ts'
import type { Receipt, SpaceStore } from '../store.ts'
import { openPostgresStore } from './open-store.ts'
import { ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')
const MONTH = '2026-11'
/** Within a transaction PostgreSQL shows again what it has shown before, unless it is told to look. */
const LOOK_AGAIN = 'SELECT pg_stat_clear_snapshot()'
const WAITS_FOR_THE_ROW = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
  AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO usage%'`

const memory = memoryOf()
const entity = entityOf()
const relation = relationOf({ sourceId: entity.id, targetId: entity.id })
const another = relationOf({ sourceId: entity.id, targetId: entity.id })

test.skipIf(server === undefined).each<{
  name: string
  write: (space: SpaceStore, receipt: Receipt) => Promise<unknown>
  done: string
}>([
  {
    name: 'a deletion of a memory',
    write: ({ memories }, receipt) => memories.remove(memory.id, receipt),
    done: 'SELECT 1 WHERE NOT EXISTS (SELECT FROM memories)',
  },
  {
    name: 'a deletion of an entity',
    write: ({ entities }, receipt) => entities.remove(entity.id, receipt),
    done: 'SELECT 1 WHERE NOT EXISTS (SELECT FROM entities)',
  },
  {
    name: 'a deletion of a relation',
    write: ({ relations }, receipt) => relations.remove(relation.id, receipt),
    done: 'SELECT 1 WHERE NOT EXISTS (SELECT FROM relations)',
  },
  {
    name: 'a create of a relation',
    write: ({ relations }, receipt) => relations.insert(another, receipt),
    done: 'SELECT 1 WHERE (SELECT count(*) FROM relations) = 2',
  },
])('$name has sent its commit by the time it takes the row of the month', async (each) => {
  const { options, store, generation, ask } = await ownedDatabase(server ?? '')
  const forwarder = await startForwarder(options.url)
  onTestFinished(() => forwarder.close())
  const far = await openPostgresStore({
    ...options,
    url: forwarder.url,
    connectionsMax: 1,
    onBackgroundError: () => undefined,
  })
  onTestFinished(() => far.close())
  const { id, spaceId } = await insertedKey(store, newKey())
  const near = store.forSpace(spaceId)
  await near.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, generation)
  await near.entities.insert(entity, NO_RECEIPT)
  await near.relations.insert(relation, NO_RECEIPT)
  await store.sharedLimits?.charge({ keyId: id, month: MONTH })

  await ask(`BEGIN; SELECT FROM usage WHERE key_id = '${id}' FOR UPDATE`)
  const written = each
    .write(far.forSpace(spaceId), { charge: { keyId: id, month: MONTH } })
    .catch(() => undefined)
  const waiting = async () => {
    await ask(LOOK_AGAIN)
    return await ask(WAITS_FOR_THE_ROW)
  }
  await expect.poll(waiting).toHaveLength(1)
  forwarder.swallow()
  await ask('ROLLBACK')
  await expect.poll(() => ask(each.done)).toHaveLength(1)
  await forwarder.close()
  await written
})
