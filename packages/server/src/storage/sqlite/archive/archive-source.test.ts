// An archive is read in short steps: whoever writes meanwhile never waits for it. exporting.suite.ts holds
// what is in it.
import { closeSync, openSync, writeSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import type { ArchiveRecord } from '../../archive.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf, relationOf } from '../../conformance/records.ts'
import { type FreshSpace, MODEL, subjectOf } from '../../conformance/subject.ts'
import { StoreRefusal } from '../../store.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase, PAGE_BYTES } from '../opening/open-database.ts'
import { openSqliteReembedding } from '../reembedding/open-reembedding.ts'
import { canariesIn, canaryOf, vectorOf } from '../testing/canaries.ts'
import { openIn } from '../testing/store-in-folder.ts'
import { openSqliteArchiveSource } from './open-archive.ts'

/** As of a clock that was set back. */
const LONG_AGO = { createdAt: 1 }

const piecesOf = (record: number) => [
  pieceOf('', [1], { start: 0, end: 1, vector: vectorOf(canaryOf(record)) }),
]

async function insert(space: FreshSpace, record: number): Promise<string> {
  const memory = memoryOf({ content: canaryOf(record) })
  await space.memories.insert(memory, piecesOf(record), NO_RECEIPT)
  return memory.id
}

test('of a memory that is deleted while an archive is read nothing is left in the files', async () => {
  const directory = newFolder()
  const space = await subjectOf(await openIn(directory)).newSpace()
  const records = Array.from({ length: 600 }, (_, record) => record)
  const ids = await Promise.all(records.map((record) => insert(space, record)))
  const source = openSqliteArchiveSource(directory)
  const read: ArchiveRecord[] = []
  // The first is in the step that is being read, the last is far behind it.
  const doomed = [0, 599]
  for await (const record of source.records()) {
    if (record.kind === 'memory' && read.every(({ kind }) => kind !== 'memory')) {
      for (const each of doomed) await space.memories.remove(ids[each] ?? '', NO_RECEIPT)
      const found = canariesIn(directory)
      expect(doomed.filter((each) => found.has(canaryOf(each)))).toEqual([])
      expect(found).toContain(canaryOf(1))
    }
    read.push(record)
  }
  await source.close()
  const archived = read.flatMap((each) => (each.kind === 'memory' ? [each.id] : []))
  expect(archived).toEqual(ids.slice(0, -1))
})

test('a memory of many vectors fills a step, so that memory holds few of those', async () => {
  const directory = newFolder()
  const { memories } = await subjectOf(await openIn(directory)).newSpace()
  const [first, second] = [memoryOf(), memoryOf()]
  const pieces = [pieceOf('', [1], { start: 0, end: 1, vector: new Float32Array(1024 * 1024) })]
  for (const memory of [first, second]) await memories.insert(memory, pieces, NO_RECEIPT)
  const source = openSqliteArchiveSource(directory)
  const read: string[] = []
  for await (const record of source.records()) {
    if (record.kind !== 'memory') continue
    read.push(record.id)
    // In a step that was read it would still be there.
    await memories.remove(second.id, NO_RECEIPT)
  }
  await source.close()
  expect(read).toEqual([first.id])
})

test('each row of usage, statistics and creates is in the archive once, though steps end among those of one key and day', async () => {
  const directory = newFolder()
  const store = await openIn(directory)
  const { keyId } = await subjectOf(store).newSpace()
  const names = Array.from({ length: 1_100 }, (_, number) => String(number).padStart(4, '0'))
  const used = { keyId, operations: 1, lastUsedAt: 1 }
  await store.usage.add(
    names.map((month) => ({ ...used, month })),
    names.map((kind) => ({ keyId, day: '2026-11-29', kind, count: 1 })),
  )
  const db = openDatabase(databaseFile(directory))
  db.transaction(() => {
    const insert = db.prepare("INSERT INTO idempotency VALUES (?, ?, 'x', 'mem_gone', 1)")
    for (const name of names) insert.run(keyId, name)
  })()
  db.close()
  const source = openSqliteArchiveSource(directory)
  const read = await Array.fromAsync(source.records())
  await source.close()
  expect(read.flatMap((each) => (each.kind === 'usage' ? [each.month] : []))).toEqual(names)
  expect(read.flatMap((each) => (each.kind === 'statistics' ? [each.counted] : []))).toEqual(names)
  const creates = read.flatMap((each) => (each.kind === 'idempotency' ? [each.idempotencyKey] : []))
  expect(creates).toEqual(names)
})

/** Its first page is none that SQLite knows any more. */
function damage(directory: string, table: string): void {
  const file = databaseFile(directory)
  const db = openDatabase(file)
  const sql = 'SELECT rootpage FROM sqlite_schema WHERE name = ?'
  const page = db.prepare<[string], number>(sql).pluck().get(table) ?? 0
  db.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.of(0xff), 0, 1, (page - 1) * PAGE_BYTES)
  closeSync(descriptor)
}

test('a store that turns out to be damaged is what is told of, when it is opened and when it is read', async () => {
  const directory = newFolder()
  const store = await openIn(directory)
  await insert(await subjectOf(store).newSpace(), 0)
  await store.close()
  damage(directory, 'pieces')
  const source = openSqliteArchiveSource(directory)
  onTestFinished(() => source.close())
  const reading = Array.fromAsync(source.records())
  await expect(reading).rejects.toThrow(StoreRefusal)
  await expect(reading).rejects.toThrow('mnemograph.db is damaged')
  damage(directory, 'memories')
  expect(() => openSqliteArchiveSource(directory)).toThrow(StoreRefusal)
})

/** A source of a store with two entities and a relation, whose last numbers are then given back. */
async function sourceBeforeRemoval() {
  const directory = newFolder()
  const { entities, relations } = await subjectOf(await openIn(directory)).newSpace()
  const [anna, kettle] = [entityOf(), entityOf()]
  for (const entity of [anna, kettle]) await entities.insert(entity, NO_RECEIPT)
  await relations.insert(relationOf({ sourceId: anna.id, targetId: kettle.id }), NO_RECEIPT)
  const source = openSqliteArchiveSource(directory)
  await entities.remove(kettle.id, NO_RECEIPT)
  return { anna, entities, relations, source }
}

test('what gets the number of an entity or a relation that is gone since is not in the archive', async () => {
  const { anna, entities, relations, source } = await sourceBeforeRemoval()
  const later = entityOf()
  await entities.insert(later, NO_RECEIPT)
  await relations.insert(relationOf({ sourceId: anna.id, targetId: later.id }), NO_RECEIPT)
  const read = await Array.fromAsync(source.records())
  await source.close()
  const graph = read.filter(({ kind }) => kind === 'entity' || kind === 'relation')
  expect(graph).toEqual([expect.objectContaining({ id: anna.id })])
})

test.each([
  ['source', 'number'],
  ['target', 'number'],
  ['source', 'time'],
  ['target', 'time'],
] as const)(
  'a relation whose %s came later is not in the archive, though only its %s tells so',
  async (end, teller) => {
    const { anna, entities, relations, source } = await sourceBeforeRemoval()
    if (teller === 'number') await entities.insert(entityOf(), NO_RECEIPT)
    const late = entityOf(teller === 'number' ? LONG_AGO : {})
    await entities.insert(late, NO_RECEIPT)
    const ends = { sourceId: anna.id, targetId: anna.id, [`${end}Id`]: late.id }
    await relations.insert(relationOf(ends, LONG_AGO), NO_RECEIPT)
    const read = await Array.fromAsync(source.records())
    await source.close()
    expect(read.filter(({ kind }) => kind === 'relation')).toEqual([])
  },
)

test('a relation that came later is not in the archive, by its number or by its time', async () => {
  const directory = newFolder()
  const { entities, relations } = await subjectOf(await openIn(directory)).newSpace()
  const anna = entityOf()
  await entities.insert(anna, NO_RECEIPT)
  const ends = { sourceId: anna.id, targetId: anna.id }
  const [kept, gone] = [relationOf(ends), relationOf(ends)]
  for (const relation of [kept, gone]) await relations.insert(relation, NO_RECEIPT)
  const source = openSqliteArchiveSource(directory)
  await relations.remove(gone.id, NO_RECEIPT)
  await relations.insert(relationOf(ends), NO_RECEIPT)
  await relations.insert(relationOf(ends, LONG_AGO), NO_RECEIPT)
  const read = await Array.fromAsync(source.records())
  await source.close()
  const relationsOf = read.filter(({ kind }) => kind === 'relation')
  expect(relationsOf).toEqual([expect.objectContaining({ id: kept.id })])
})

test('an archive never has vectors of two generations', async () => {
  const directory = newFolder()
  const space = await subjectOf(await openIn(directory)).newSpace()
  await insert(space, 1)
  const source = openSqliteArchiveSource(directory)
  const mover = openSqliteReembedding(directory)
  await mover.begin({ ...MODEL, id: 'other' })
  const missing = await mover.missing({ memoriesMax: 10, charactersMax: 1_000 })
  await mover.add(missing.map(({ ref }) => ({ ref, pieces: piecesOf(2) })))
  const noRest = { restMax: 0, waitMsMax: 0, embed: async () => [] }
  expect(await mover.switchOver(noRest)).toBe(true)
  await expect(Array.fromAsync(source.records())).rejects.toMatchObject({ kind: 'outdated' })
  await source.close()
  await mover.close()
})
