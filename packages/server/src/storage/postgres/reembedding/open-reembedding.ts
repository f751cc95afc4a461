// Re-embedding as a process of its own, beside any number of servers. An advisory lock of a
// connection that stays open lets one such process at a time have the database for it.
import type { ReembeddingStore, VectorModel } from '../../generation.ts'
import type { Timeouts } from '../connection/connection.ts'
import { Database } from '../connection/database.ts'
import { inPassing } from '../connection/in-passing.ts'
import { lockAlone } from '../connection/lock-alone.ts'
import { LOCKS } from '../connection/locks.ts'
import { onClient } from '../connection/transaction.ts'
import { type PostgresOptions, prepareDatabase } from '../open-store.ts'
import { Upkeep } from '../upkeep/upkeep.ts'
import { addGeneration, findGeneration, holdGenerationAlone } from './generations.ts'
import { reembedding } from './reembedding.ts'

/** A batch of vectors, or a switch that waits for inserts under way, may take its time. */
const TIMEOUTS: Timeouts = { connectMs: 10_000, statementMs: 120_000, lockMs: 60_000 }

/**
 * `onlyLook` is for state and progress, also while another process re-embeds. Throws a StoreRefusal
 * that says what to do when the database cannot be used, has no store, or another process re-embeds it.
 */
export async function openPostgresReembedding(
  options: Pick<PostgresOptions, 'url' | 'durability'>,
  { onlyLook = false } = {},
): Promise<ReembeddingStore> {
  const { url } = options
  await prepareDatabase(options, { existing: true })
  const database = new Database({
    url,
    role: 'mnemograph_maintenance',
    connectionsMax: 2,
    timeouts: TIMEOUTS,
  })
  const release = onlyLook
    ? async () => undefined
    : await lockAlone(
        { url, timeouts: TIMEOUTS, lock: LOCKS.reembedding },
        'Another process re-embeds this database. Let it finish, or stop it.',
        () => void database.close(),
      )
  const owner = {
    begin: (model: VectorModel) =>
      inPassing(url, 'writers', async (client) => {
        const transaction = onClient(client)
        await holdGenerationAlone(transaction)
        if (!(await findGeneration(transaction, 'current'))) {
          throw new Error('There is nothing to move from.')
        }
        return addGeneration(client, 'growing', model)
      }),
    async dropVectorIndex(generation: number) {
      const dropped = await inPassing(url, 'everybody', (client) =>
        client.query(`DROP INDEX IF EXISTS pieces_near_${generation}`),
      )
      return dropped !== undefined
    },
  }
  // Nothing is noted for later here, and `lookAfter` rejects by itself.
  const upkeep = new Upkeep(database, () => undefined)
  return {
    ...reembedding(database, owner, (space, generation) => upkeep.lookAfter(space, generation)),
    async close() {
      await upkeep.close()
      await database.close()
      await release()
    },
  }
}
