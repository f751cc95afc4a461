// Copies of the indexes of large spaces in files beside the database, so that a start need not read
// and encode a million rows. A copy is never trusted. It is used only when its checksum is right, its generation
// of vectors is still of the same model, and the rows have as many memories up to its last one, under the same id
// (in another database, the number has another id). Otherwise it is removed and the rows are read. Memories that
// came later are added from their rows.
//
// Deleted text must leave the files before its deletion is answered (`dropCopies`), while another
// thread may be writing a copy. So a copy is begun under another name, then held against the rows, then
// written, then renamed: a deletion that was committed before that look is seen by it, and one that
// was committed later removes the file under whichever name it has.
// decisions/2026-11-21-index-copies.md
import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import type { SpaceId } from '../../records.ts'
import type { Connection } from '../opening/open-database.ts'
import { copiesBeside, draftOf, pathOf } from './copy-paths.ts'
import { CopyReader, CopyWriter, type Reading } from './packed/copy-file.ts'
import type { Rows } from './search/rows-ranking.ts'
import { SearchIndex } from './search-index.ts'
import type { Workspace } from './tables/workspace.ts'
import { Centroid } from './vectors/centroid.ts'

/** Only the one who runs the server may read texts, as in the database. */
const MODE = 0o600

/** Hears of an index that takes room from now on. */
export type OnBegun = (index: Pick<SearchIndex, 'bytes'>) => void

/** What is asked of an index to be saved. */
type Saved = Pick<SearchIndex, 'size' | 'lastNo' | 'save'>
type Head = {
  space: SpaceId
  generation: number
  /** Of the vectors. In a database that was restored another generation may have the number. */
  model: string
  memories: number
  lastNo: number
  lastId: string
}

export function indexCopies(db: Connection, workspace: Workspace, rows: Rows) {
  const count = db
    .prepare<[SpaceId, number], number>(
      'SELECT COUNT(*) FROM memories WHERE space_no = ? AND no <= ?',
    )
    .pluck()
  const selectId = db
    .prepare<[SpaceId, number], string>('SELECT id FROM memories WHERE space_no = ? AND no = ?')
    .pluck()
  /** Vectors are the same when all of it is. */
  const selectModel = db
    .prepare<[number], string>(
      'SELECT json_array(model_id, dimension, pieces_version) FROM generations WHERE no = ?',
    )
    .pluck()
  const isOfRows = ({ space, generation, model, memories, lastNo, lastId }: Head): boolean =>
    selectModel.get(generation) === model &&
    selectId.get(space, lastNo) === lastId &&
    count.get(space, lastNo) === memories

  function* read(
    path: string,
    { space, generation }: Pick<Head, 'space' | 'generation'>,
    onBegun: OnBegun,
  ): Reading<Restored | undefined> {
    let unfinished: SearchIndex | undefined
    const reader = new CopyReader(path)
    try {
      const head = readHead(reader)
      if (head.space !== space || head.generation !== generation || !isOfRows(head)) {
        return undefined
      }
      const index = new SearchIndex(rows, workspace, yield* Centroid.restored(reader))
      unfinished = index
      onBegun(index)
      yield* index.restore(reader)
      reader.end()
      unfinished = undefined
      return { index, lastNo: head.lastNo }
    } finally {
      // Also when nobody wants the rest of it.
      unfinished?.release()
      reader.close()
    }
  }

  return {
    /**
     * Undefined when there is no copy that can be used; then there is none any more. What comes or goes after
     * the first step is not in it.
     */
    *load(space: SpaceId, generation: number, onBegun: OnBegun): Reading<Restored | undefined> {
      const path = pathOf(db.name, space)
      try {
        const restored = yield* read(path, { space, generation }, onBegun)
        if (restored !== undefined) return restored
      } catch {
        // Damaged, cut short, of another version, or not there: the rows have it all.
      }
      rmSync(path, { force: true })
      return undefined
    },

    /** Whether there is a copy now. The index has to stay as it is until then. */
    *save(space: SpaceId, generation: number, index: Saved): Generator<void, boolean> {
      const path = pathOf(db.name, space)
      const draft = draftOf(path)
      const { size: memories, lastNo } = index
      let descriptor: number | undefined
      try {
        descriptor = openSync(draft, 'w', MODE)
        const lastId = selectId.get(space, lastNo)
        const model = selectModel.get(generation)
        if (lastId === undefined || model === undefined) return false
        const head = { space, generation, model, memories, lastNo, lastId }
        if (!isOfRows(head)) return false
        const writer = new CopyWriter(descriptor)
        writeHead(writer, head)
        index.save(writer)
        yield* writer.write()
        renameSync(draft, path)
        return true
      } catch {
        // A full disk, or a deletion: a copy is worth no failure.
        return false
      } finally {
        if (descriptor !== undefined) closeSync(descriptor)
        rmSync(draft, { force: true })
      }
    },

    /** Removes what an earlier run left and what no longer is what the rows say. */
    dropStale(): void {
      for (const path of copiesBeside(db.name)) {
        if (path.endsWith('.draft') || !isCurrent(path)) rmSync(path, { force: true })
      }
    },
  }

  function isCurrent(path: string): boolean {
    try {
      const reader = new CopyReader(path)
      try {
        return isOfRows(readHead(reader))
      } finally {
        reader.close()
      }
    } catch {
      return false
    }
  }
}

type Restored = { index: SearchIndex; lastNo: number }

function writeHead(writer: CopyWriter, head: Head): void {
  const { space, generation, model, memories, lastNo, lastId } = head
  writer.numbers(space, generation, memories, lastNo)
  writer.array(Buffer.from(model))
  writer.array(Buffer.from(lastId))
}

function readHead(reader: CopyReader): Head {
  const [space = 0, generation = 0, memories = 0, lastNo = 0] = reader.numbers()
  const [model, lastId] = [reader.text(), reader.text()]
  // Compared with the space that is asked for before anything of it is used.
  return { space: space as SpaceId, generation, model, memories, lastNo, lastId }
}
