// What a crash leaves behind, made by copying the files of a store that is in use. A page that was
// moved out of the log, but whose free bytes were not overwritten yet, may hold a deleted text: the
// next start has to find it, without looking at every page of a large file.
import { closeSync, copyFileSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryOf, NO_RECEIPT, pieceOf } from '../conformance/records.ts'
import { subjectOf } from '../conformance/subject.ts'
import { databaseFile } from './data-folder.ts'
import { openDatabase } from './open-database.ts'
import { canariesIn, canaryOf } from './testing/canaries.ts'
import { newFolder, openIn } from './testing/store-in-folder.ts'
import { LOG_START, pagesInLog } from './write-ahead-log.ts'

const PAGE_BYTES = 8_192
const LEFT_BEHIND = canaryOf(9)

/** The files of a store at a moment when its log holds a memory. */
async function crashImage(): Promise<{ image: string; inLog: number[] }> {
  const directory = newFolder()
  const store = await openIn(directory)
  const { memories } = await subjectOf(store).newSpace()
  const inserted = memoryOf({ content: canaryOf(1) })
  await memories.insert(inserted, [pieceOf(inserted.content)], NO_RECEIPT)
  const image = newFolder()
  for (const name of readdirSync(directory)) {
    if (!name.endsWith('-shm')) copyFileSync(join(directory, name), join(image, name))
  }
  const { pages } = pagesInLog(databaseFile(image), PAGE_BYTES, { after: LOG_START })
  return { image, inLog: pages }
}

/** As the file has the page when it was moved there, with the copy of a moved cell in its middle. */
function leaveBehind(directory: string, page: number): void {
  const log = readFileSync(`${databaseFile(directory)}-wal`)
  let moved = Buffer.alloc(0)
  for (let frame = 32; frame < log.length; frame += 24 + PAGE_BYTES) {
    if (log.readUInt32BE(frame) === page) moved = log.subarray(frame + 24, frame + 24 + PAGE_BYTES)
  }
  const descriptor = openSync(databaseFile(directory), 'r+')
  const position = (page - 1) * PAGE_BYTES
  if (moved.length > 0) writeSync(descriptor, moved, 0, PAGE_BYTES, position)
  writeSync(descriptor, Buffer.from(LEFT_BEHIND), 0, LEFT_BEHIND.length, position + 4_096)
  closeSync(descriptor)
}

test('of a page that was moved but not overwritten, the next start leaves no moved cells', async () => {
  const { image, inLog } = await crashImage()
  leaveBehind(image, Math.max(...inLog))
  expect(canariesIn(image)).toContain(LEFT_BEHIND)
  await openIn(image)
  expect([...canariesIn(image)]).toEqual([canaryOf(1)])
})

test('after another process closed the file alone, the next start looks at every page', async () => {
  const { image } = await crashImage()
  // As the last one it moves the log without looking at any page, and removes it.
  const db = openDatabase(databaseFile(image))
  const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'entities'").pluck()
  const page = Number(root.get())
  db.close()
  leaveBehindIn(image, page)
  expect(canariesIn(image)).toContain(LEFT_BEHIND)
  await openIn(image)
  expect([...canariesIn(image)]).toEqual([canaryOf(1)])
})

function leaveBehindIn(directory: string, page: number): void {
  const descriptor = openSync(databaseFile(directory), 'r+')
  const position = (page - 1) * PAGE_BYTES + 4_096
  writeSync(descriptor, Buffer.from(LEFT_BEHIND), 0, LEFT_BEHIND.length, position)
  closeSync(descriptor)
}

test('what was acknowledged before a crash is there after it', async () => {
  const { image } = await crashImage()
  const store = await openIn(image)
  const key = (await store.keys.list())[0]
  if (key === undefined) throw new Error('The key of the space is gone.')
  const { memories } = store.forSpace(key.spaceId)
  const { items } = await memories.page({}, { page: 1, limit: 10 })
  expect(items.map(({ content }) => content)).toEqual([canaryOf(1)])
})
