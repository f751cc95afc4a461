// Commits to a database, and what is told of them to the indexes in memory, one by one: whoever tests
// plays out what else comes from threads whenever it comes.
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SearchQuery } from '../../../retrieval/evidence.ts'
import { newFolder } from '../../../testing/new-folder.ts'
import { memoryOf, NO_RECEIPT, passageOf, pieceOf, queryOf } from '../../conformance/records.ts'
import { MODEL, newKey } from '../../conformance/subject.ts'
import type { SpaceId } from '../../records.ts'
import type { MemoryFilter } from '../../store.ts'
import { IndexedSpaces } from '../index/indexed-spaces.ts'
import type { IndexChange } from '../index/tables/indexed.ts'
import { migrate } from '../migrations/migrate.ts'
import { openDatabase } from '../opening/open-database.ts'
import { reembedding } from '../reembedding/reembedding.ts'
import { searches } from '../searches.ts'
import type { Leaving } from '../threads/leaving.ts'
import { openWrites } from '../threads/writes.ts'

const QUERY = queryOf([1, 0, 0, 0, 0])
export const CUT = { limit: 2, threshold: 0 }
/** More memories than are read in one step of a load. */
export const SEVERAL_STEPS = 500
export const OUTDATED = { name: 'StoreError', kind: 'outdated' }

/** `takeIn`: delivers what was sent, before an index is used. */
export function commitByCommit({
  bytesMax,
  takeIn,
}: {
  bytesMax?: number
  takeIn?: () => void
} = {}) {
  const db = openDatabase(join(newFolder(), 'a.db'))
  onTestFinished(() => void db.close())
  migrate(db)
  const changes: IndexChange[] = []
  const writes = openWrites(db, changes).procedures
  const { number: generation } = writes.adoptModel(MODEL)
  const indexed = new IndexedSpaces()
  const { apply, expect: expectSearch, search } = searches(db, { bytesMax, indexed, takeIn })
  const newSpace = (): SpaceId => {
    const key = newKey()
    writes.insertKey(key)
    const select = db.prepare<[string], SpaceId>('SELECT space_no FROM keys WHERE id = ?').pluck()
    return select.get(key.id) ?? (0 as SpaceId)
  }
  return {
    newSpace,
    /** Whether nobody reads a moment that is over. */
    canCutLog(): boolean {
      const other = openDatabase(db.name)
      const checkpoint = other
        .prepare<[], { busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
        .get()
      other.close()
      return checkpoint?.busy === 0
    },
    mayHave: (space: SpaceId) => indexed.mayHave(space),
    inOneCommit: (work: () => void) => db.transaction(work)(),
    /** Commits; the message about it is the caller's to deliver. */
    insert(
      space: SpaceId,
      vector?: number[],
      { userId = 'anna', of = generation, hasWords = false, sentences: count = 0 } = {},
    ) {
      const memory = memoryOf({ userId })
      const text = hasWords ? memory.content : ''
      const sentences = Array.from({ length: count }, () => passageOf(0, 0, [0, 0, 1, 0, 0]))
      writes.insertMemory(space, memory, [pieceOf(text, vector, { sentences })], NO_RECEIPT, of)
      return { id: memory.id, messages: changes.splice(0) }
    },
    remove(space: SpaceId, id: string) {
      writes.removeMemory(space, id, NO_RECEIPT)
      return changes.splice(0)
    },
    deliver: (messages: IndexChange[]) => messages.forEach(apply),
    /** Makes vectors of three numbers instead of five, and what moves to them within one turn. */
    async growOther() {
      const mover = reembedding(db, async () => undefined)
      const { number } = await mover.begin({ ...MODEL, id: 'other', dimension: 3 })
      const missing = await mover.missing({ memoriesMax: 1_000, charactersMax: Infinity })
      await mover.add(missing.map(({ ref }) => ({ ref, pieces: [pieceOf('', [1, 0, 0])] })))
      const switchOver = (): void => {
        db.exec(`UPDATE generations SET state = 'retired' WHERE state = 'current';
          UPDATE generations SET state = 'current' WHERE state = 'growing'`)
      }
      const foundByOther = async (space: SpaceId, filter: MemoryFilter = {}) =>
        (await search(space, queryOf([1, 0, 0]), filter, CUT, number)).map(({ id, score }) => [
          id,
          score,
        ])
      return { number, switchOver, foundByOther }
    },
    load: (space: SpaceId, of = generation) => expectSearch(space, QUERY, of),
    scores: async (space: SpaceId, query: SearchQuery) =>
      (await search(space, query, {}, CUT, generation)).map(({ score }) => score),
    found: async (space: SpaceId, query = QUERY, leaving?: Leaving) =>
      (await search(space, query, {}, CUT, generation, leaving)).map(({ id }) => id),
  }
}
