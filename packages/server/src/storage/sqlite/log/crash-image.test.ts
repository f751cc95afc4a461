// What a crash leaves behind, made by copying the files of a store that is in use. A page that was
// moved out of the log, but whose free bytes were not overwritten yet, may hold a deleted text: the
// next start has to find it, without looking at every page of a large file.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { wholeNumbers } from '../../../testing/random-numbers.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { subjectOf } from '../../conformance/subject.ts'
import type { SpaceId } from '../../records.ts'
import { openSqliteAdministration } from '../open-keys.ts'
import { databaseFile } from '../opening/data-folder.ts'
import { openDatabase } from '../opening/open-database.ts'
import { canariesIn, canaryOf, expectNone } from '../testing/canaries.ts'
import { openIn, takeAllIn } from '../testing/store-in-folder.ts'
import { isMarkedClean, markServing } from './clean-mark.ts'

vi.mock('../opening/open-database.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../opening/open-database.ts')>()
  return { ...original, openDatabase: vi.fn(original.openDatabase) }
})

const PAGE_BYTES = 8_192
const FRAME_BYTES = 24 + PAGE_BYTES
const startAndDie = fileURLToPath(new URL('../testing/start-and-die.ts', import.meta.url))

/** With these numbers pages split, and what was moved stays behind in the log's pages. */
const MEMORIES = 400
const SEED = 3
const REMOVED = 60

/** In no order, so that rows of an index come between others. */
const canaryAt = (number: number): string => canaryOf((number * 7_919) % 100_003)

/** The files of a store at a moment when its log holds all of its memories. */
async function crashImage(): Promise<{ image: string; ids: string[]; spaceId: SpaceId }> {
  const directory = newFolder()
  const store = await openIn(directory)
  const { spaceId, memories } = await subjectOf(store).newSpace()
  const random = wholeNumbers(SEED)
  const inserted = Array.from({ length: MEMORIES }, (_, number) => {
    const canary = canaryAt(number)
    const content = `${canary} ${'words and '.repeat(random(60))}${canary}`
    return memoryOf({ content, userId: `${canary}${canary}`, tags: [canary, `a${canary}`] })
  })
  for (let from = 0; from < MEMORIES; from += 20) {
    await Promise.all(
      inserted
        .slice(from, from + 20)
        .map((memory) => memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)),
    )
  }
  takeAllIn(directory)
  const image = newFolder()
  // While somebody reads, the log is not cut, so that the copies fit each other.
  const reader = openDatabase(databaseFile(directory))
  reader.exec('BEGIN; SELECT * FROM sqlite_schema')
  for (const name of readdirSync(directory)) {
    const content = readFileSync(join(directory, name))
    if (!name.endsWith('-shm')) writeFileSync(join(image, name), content)
  }
  reader.close()
  // A log that was copied is another file.
  markServing(databaseFile(image))
  return { image, ids: inserted.map(({ id }) => id), spaceId }
}

/** As whoever moves pages unseen may leave it. Returns what is in it. */
function leaveRemains(image: string): string {
  const db = openDatabase(databaseFile(image))
  const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'entities'").pluck()
  const page = Number(root.get())
  db.close()
  const remains = canaryOf(900_000)
  const descriptor = openSync(databaseFile(image), 'r+')
  writeSync(descriptor, Buffer.from(remains), 0, remains.length, (page - 1) * PAGE_BYTES + 4_096)
  closeSync(descriptor)
  expect(canariesIn(image)).toContain(remains)
  return remains
}

test('what a crash left of moved cells is gone when the text is deleted after it', async () => {
  const { image, ids, spaceId } = await crashImage()
  expect(isMarkedClean(databaseFile(image))).toBe(true)
  const { memories } = (await openIn(image)).forSpace(spaceId)
  const removed = ids.slice(0, REMOVED)
  for (const id of removed) await memories.remove(id, NO_RECEIPT)
  const found = canariesIn(image)
  expectNone(new Set(removed.map((_, number) => canaryAt(number))), found)
  expect(found.size).toBe(MEMORIES - removed.length)
})

test('after another process closed the file alone, the next start looks at every page', async () => {
  const { image } = await crashImage()
  // As the last one it moves the log without looking at any page, and removes it.
  openSqliteAdministration(image).close()
  const remains = leaveRemains(image)
  await openIn(image)
  expect(canariesIn(image)).not.toContain(remains)
})

test('a start that is killed before it has looked at every page leaves that to the next one', async () => {
  const { image } = await crashImage()
  openSqliteAdministration(image).close()
  const remains = leaveRemains(image)
  await once(fork(startAndDie, [image]), 'exit')
  // The log that it began lies there.
  expect(canariesIn(image)).toContain(remains)
  await openIn(image)
  expect(canariesIn(image)).not.toContain(remains)
})

test('the log of another command does not stand for the one that a crash has left', async () => {
  const { image } = await crashImage()
  openSqliteAdministration(image).close()
  const remains = leaveRemains(image)
  const guest = openSqliteAdministration(image)
  await openIn(image)
  guest.close()
  expect(canariesIn(image)).not.toContain(remains)
})

test('a command that removes the log while a server starts leaves nothing behind', async () => {
  const { image } = await crashImage()
  const guest = openSqliteAdministration(image)
  vi.mocked(openDatabase).mockImplementationOnce((file) => {
    guest.close()
    leaveRemains(image)
    return openDatabase(file)
  })
  await openIn(image)
  expect(canariesIn(image)).not.toContain(canaryOf(900_000))
})

test('zeros that a power cut left behind the last commit hold up no deletion', async () => {
  const { image, ids, spaceId } = await crashImage()
  const log = `${databaseFile(image)}-wal`
  appendFileSync(log, Buffer.alloc(3 * FRAME_BYTES))
  const { memories } = (await openIn(image)).forSpace(spaceId)
  expect(statSync(log).size).toBe(0)
  await memories.remove(ids[0] ?? '', NO_RECEIPT)
  expect(canariesIn(image)).not.toContain(canaryAt(0))
})

test('what was acknowledged before a crash is there after it', async () => {
  const { image, ids, spaceId } = await crashImage()
  const { memories } = (await openIn(image)).forSpace(spaceId)
  expect((await memories.page({}, { page: 1, limit: 1 })).total).toBe(ids.length)
  for (const id of ids.slice(-20)) expect(await memories.find(id)).toMatchObject({ id })
})
