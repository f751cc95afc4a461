// The copies of the index of a large space: they answer as it does, and none that is damaged or out of
// date is ever used.
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { randomNumbers } from '../../../testing/random-numbers.ts'
import type { SpaceId } from '../../records.ts'
import { openDatabase } from '../opening/open-database.ts'
import {
  type Given,
  LAST_NO,
  type LargeSpace,
  largeSpace,
  removedMemory,
} from '../testing/large-space.ts'
import { openFiles, TELLS_OPEN_FILES } from '../testing/open-files.ts'
import { inOneGo, searchAtOnce } from '../testing/search-at-once.ts'
import { indexCopies } from './copies.ts'
import { dropCopies } from './copy-paths.ts'
import { CopyWriter } from './packed/copy-file.ts'
import { SearchIndex } from './search-index.ts'
import { Workspace } from './tables/workspace.ts'
import { Centroid } from './vectors/centroid.ts'

const SPACE = 1 as SpaceId
const GENERATION = 1
/** Of a memory that is there. */
const SOME_NO = 1_000

let space: LargeSpace

beforeAll(() => {
  space = largeSpace()
})

/** A database that knows which memories and which model there are, which is all that copies ask of it. */
function setUp() {
  const { all, rows, workspace } = space
  const db = openDatabase(join(newFolder(), 'a.db'))
  onTestFinished(() => void db.close())
  db.exec(`CREATE TABLE memories (no INTEGER PRIMARY KEY, space_no INTEGER NOT NULL, id TEXT);
    CREATE TABLE generations (no INTEGER, model_id TEXT, dimension INTEGER, pieces_version INTEGER);
    INSERT INTO generations VALUES (${GENERATION}, 'model', 96, 1)`)
  const insert = db.prepare('INSERT INTO memories VALUES (?, 1, ?)')
  db.transaction(() => {
    for (const no of all.keys()) insert.run(no, `mem_${no}`)
  })()
  const copies = indexCopies(db, workspace, rows)
  return {
    db,
    copies: {
      ...copies,
      load: (of: SpaceId, generation: number) => inOneGo(copies.load(of, generation, () => {})),
      save: (...saved: Parameters<typeof copies.save>) => inOneGo(copies.save(...saved)),
    },
    file: `${db.name}-index-1`,
    remove: db.prepare('DELETE FROM memories WHERE no = ?'),
  }
}

test('an index read from its copy answers as the index itself, and takes changes as it does', () => {
  const { all, index, queryOf } = space
  const { copies } = setUp()
  expect(copies.save(SPACE, GENERATION, index)).toBe(true)
  const restored = copies.load(SPACE, GENERATION)
  expect(restored?.lastNo).toBe(LAST_NO)
  const other = restored?.index
  if (other === undefined) throw new Error('There is no copy.')
  const queries = Array.from({ length: 20 }, (_, topic) => queryOf(topic))
  const answers = (of: SearchIndex) =>
    queries.flatMap((query) =>
      [{}, { userId: 'user4' }, { tags: ['four'] }].map((filter) =>
        searchAtOnce(of, query, filter, { limit: 10, threshold: 0 }),
      ),
    )
  expect(answers(other)).toEqual(answers(index))
  const changed = [...all.values()].slice(100, 400)
  for (const each of changed) for (const of of [index, other]) of.remove(removedMemory(each))
  for (const each of changed.slice(0, 200)) {
    for (const of of [index, other]) of.add(each.memory, each.pieces)
  }
  expect(answers(other)).toEqual(answers(index))
  for (const each of changed.slice(200)) index.add(each.memory, each.pieces)
  other.release()
})

test('a copy in which any byte is another one, or that ends early, is not used, is removed, and keeps no room', () => {
  const { index, workspace } = space
  const { copies, file } = setUp()
  const bytesBefore = workspace.memory.buffer.byteLength
  const places = randomNumbers(11)
  for (let round = 0; round < 60; round += 1) {
    copies.save(SPACE, GENERATION, index)
    const { size } = statSync(file)
    const place = round < 20 ? round * 4 : Math.floor(places() * size)
    if (round % 4 === 3) truncateSync(file, place)
    else {
      const descriptor = openSync(file, 'r+')
      const [byte = 0] = readFileSync(file).subarray(place, place + 1)
      writeSync(descriptor, Uint8Array.of(byte ^ (1 << (round % 8))), 0, 1, place)
      closeSync(descriptor)
    }
    expect(copies.load(SPACE, GENERATION), `byte ${place} of ${size}`).toBeUndefined()
    expect(existsSync(file)).toBe(false)
  }
  expect(workspace.memory.buffer.byteLength - bytesBefore).toBeLessThan(2 * index.bytes)
})

test('a copy that has what the rows have no more is not used', () => {
  const { index } = space
  const { copies, file, remove } = setUp()
  copies.save(SPACE, GENERATION, index)
  expect(copies.load(SPACE, GENERATION + 1), 'of other vectors').toBeUndefined()
  copies.save(SPACE, GENERATION, index)
  remove.run(SOME_NO)
  expect(copies.load(SPACE, GENERATION)).toBeUndefined()
  expect(existsSync(file)).toBe(false)
  expect(copies.save(SPACE, GENERATION, index), 'nor made').toBe(false)
  expect(existsSync(`${file}.draft`)).toBe(false)
})

test('a copy of a database that another one took the place of is not used', () => {
  const { index } = space
  const { copies, db, file } = setUp()
  copies.save(SPACE, GENERATION, index)
  // As many memories, one of them under another number.
  db.exec(`UPDATE memories SET no = 0 WHERE no = ${LAST_NO}`)
  expect(copies.load(SPACE, GENERATION)).toBeUndefined()
  db.exec(`UPDATE memories SET no = ${LAST_NO} WHERE no = 0`)
  copies.save(SPACE, GENERATION, index)
  db.exec(`UPDATE memories SET id = 'mem_another' WHERE no = ${LAST_NO}`)
  copies.dropStale()
  expect(existsSync(file)).toBe(false)
})

test.each(["model_id = 'other'", 'dimension = 95', 'pieces_version = 2'])(
  'a copy of vectors that are others by now, though of a generation with the same number, is not used: %s',
  (change) => {
    const { index } = space
    const { copies, db, file } = setUp()
    copies.save(SPACE, GENERATION, index)
    db.exec(`UPDATE generations SET ${change}`)
    expect(copies.load(SPACE, GENERATION)).toBeUndefined()
    expect(existsSync(file)).toBe(false)
  },
)

test('an index is told of before a copy of it is read, so that its room is known meanwhile', () => {
  const { index, rows, workspace } = space
  const { copies, db } = setUp()
  copies.save(SPACE, GENERATION, index)
  const bytes: number[] = []
  const told = vi.fn((begun: Pick<SearchIndex, 'bytes'>) => bytes.push(begun.bytes))
  const restored = inOneGo(indexCopies(db, workspace, rows).load(SPACE, GENERATION, told))
  expect(told).toHaveBeenCalledExactlyOnceWith(restored?.index)
  expect(bytes[0]).toBeLessThan(index.bytes / 10)
  restored?.index.release()
})

test.runIf(TELLS_OPEN_FILES)('no copy is left open, whatever became of it', () => {
  const { index, rows, workspace } = space
  const { copies, db, file, remove } = setUp()
  copies.save(SPACE, GENERATION, index)
  copies.load(SPACE, GENERATION)?.index.release()
  const unfinished = indexCopies(db, workspace, rows).load(SPACE, GENERATION, () => {})
  unfinished.next()
  unfinished.return(undefined)
  copies.dropStale()
  truncateSync(file, 1_000)
  copies.load(SPACE, GENERATION)
  copies.save(SPACE, GENERATION, index)
  remove.run(SOME_NO)
  copies.save(SPACE, GENERATION, index)
  copies.dropStale()
  expect(openFiles().filter((path) => path.startsWith(file))).toEqual([])
})

test('a copy is of no use to another space, and nobody else may read it', () => {
  const { index } = space
  const { copies, db, file } = setUp()
  copies.save(SPACE, GENERATION, index)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const another = 2 as SpaceId
  copyFileSync(file, `${db.name}-index-${another}`)
  expect(copies.load(another, GENERATION)).toBeUndefined()
})

test('what an earlier run left is removed at the start', () => {
  const { index, rows, workspace } = space
  const { copies, db, file, remove } = setUp()
  copies.save(SPACE, GENERATION, index)
  copyFileSync(file, `${file}.draft`)
  copies.dropStale()
  expect([existsSync(file), existsSync(`${file}.draft`)]).toEqual([true, false])
  remove.run(SOME_NO)
  indexCopies(db, workspace, rows).dropStale()
  expect(existsSync(file)).toBe(false)
})

test('a copy that is made after a deletion has nothing of what was deleted, nor of what lay in its place', () => {
  const { given, rows } = space
  const vectors = [11, 12, 13, 14].flatMap((no) => given(no).pieces[0]?.embeddings ?? [])
  const [kept, ...others] = vectors.map(({ vector }) => ({ vector, commonness: 0.5 }))
  if (kept === undefined) throw new Error('There is a vector.')
  const centroid = Centroid.of([kept.vector])
  /** Of an index in whose place there was one of such memories, and that once had one itself. */
  const copyOf = (gone: Given): Buffer => {
    const workspace = new Workspace()
    const before = new SearchIndex(rows, workspace, centroid)
    for (let no = 1; no < 100; no += 1) before.add({ ...gone.memory, no }, gone.pieces)
    before.release()
    const index = new SearchIndex(rows, workspace, centroid)
    const memory = { no: 1, userId: 'user', agentId: undefined, tags: [], createdAt: 1 }
    index.add(memory, [{ terms: ['tea'], embeddings: [kept] }])
    index.add(gone.memory, gone.pieces)
    index.remove(removedMemory(gone))
    const path = join(newFolder(), 'copy')
    const descriptor = openSync(path, 'w')
    const writer = new CopyWriter(descriptor)
    index.save(writer)
    inOneGo(writer.write())
    closeSync(descriptor)
    return readFileSync(path)
  }
  /** Texts of the same length, so that only what they say can make a difference. */
  const [one, other] = ['anna', 'otto'].map((word, place) =>
    copyOf({
      memory: {
        no: 2,
        userId: `u${word}`,
        agentId: `a${word}`,
        tags: [`t${word}`],
        createdAt: 2 + place,
      },
      pieces: [
        {
          terms: [word, `=${word}`],
          embeddings: others.slice(place, place + 2).map(({ vector }) => ({
            vector,
            commonness: (place + 1) / 4,
          })),
        },
      ],
    }),
  )
  const differing = one?.filter((byte, at) => byte !== other?.[at])
  // Two sums of the errors of all rows there ever were, and the checksum.
  expect(differing?.length).toBeLessThanOrEqual(20)
})

test('after a deletion no copy is left, not even one that is being written', () => {
  const { index } = space
  const { copies, db, file } = setUp()
  const { size, lastNo } = index
  const saving = { size, lastNo, save: () => dropCopies(db.name, new Set([SPACE])) }
  expect(copies.save(SPACE, GENERATION, saving)).toBe(false)
  expect([existsSync(file), existsSync(`${file}.draft`)]).toEqual([false, false])
  copies.save(SPACE, GENERATION, index)
  expect(existsSync(file)).toBe(true)
  dropCopies(db.name, new Set([SPACE]))
  expect(existsSync(file)).toBe(false)
})
