// What happens to a memory, or to the generation itself, while pieces are being added: the case holds the
// rows, so that both are under way at once.
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { MODEL } from '../../conformance/subject.ts'
import { ownedDatabase } from '../testing/owned-database.ts'
import { openPostgresReembedding } from './open-reembedding.ts'

const server = inject('postgresUrl')
const WAITING = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`

describe.skipIf(server === undefined)('while pieces are added', () => {
  /** Two memories, of which one is held by the case when the pieces of both are added. */
  async function adding(hold: string) {
    const { ask, options, store, generation, newSpace } = await ownedDatabase(server ?? '')
    const mover = await openPostgresReembedding(options)
    onTestFinished(() => mover.close())
    const { memories } = store.forSpace(await newSpace())
    const [kept, held] = [memoryOf(), memoryOf()]
    for (const memory of [kept, held]) {
      await memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT, generation)
    }
    const { number } = await mover.begin({ ...MODEL, id: 'other' })
    const missing = await mover.missing({ memoriesMax: 2, charactersMax: 1_000 })
    await ask('BEGIN')
    await ask(hold, [held.id])
    const added = mover.add(
      missing.map(({ ref, content }) => ({ ref, pieces: [pieceOf(content)] })),
    )
    const areWaiting = (count: number) =>
      expect
        .poll(async () => {
          await ask('SELECT pg_stat_clear_snapshot()')
          return await ask(WAITING)
        })
        .toHaveLength(count)
    await areWaiting(1)
    const piecesOfNew = () => ask('SELECT FROM pieces WHERE generation = $1', [number])
    return { ask, mover, added, areWaiting, piecesOfNew }
  }

  test('a memory whose deletion is under way is skipped, and the others get theirs', async () => {
    const { ask, added, piecesOfNew } = await adding('DELETE FROM memories WHERE id = $1')
    await ask('COMMIT')
    await added
    expect(await piecesOfNew()).toHaveLength(1)
  })

  test('whoever gives the generation up waits for them, and removes them too', async () => {
    const { ask, mover, added, areWaiting, piecesOfNew } = await adding(
      'SELECT FROM memories WHERE id = $1 FOR UPDATE',
    )
    const discarded = mover.discard()
    await areWaiting(2)
    await ask('ROLLBACK')
    await Promise.all([added, discarded])
    expect(await piecesOfNew()).toHaveLength(2)
    while (await mover.removeRetired());
    expect(await piecesOfNew()).toEqual([])
  })
})
