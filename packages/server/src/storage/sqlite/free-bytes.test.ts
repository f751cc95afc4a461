// Pages as SQLite lays them out, made by hand: which bytes of them are overwritten, and which are not.
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { overwriteFreeBytes, pagesOf } from './free-bytes.ts'
import { newFolder } from './testing/store-in-folder.ts'

const PAGE_BYTES = 512
const CELL_BYTES = 50
const REMAINS = 0x52
const CELL = 0x43
const RIGHTMOST = 0x41
const FILE_HEADER = 0x46

type Layout = { kind: number; fileHeaderBytes?: number; firstPointer?: number }

/** Two cells at the end, and remains of moved ones between them and their pointers. */
function pageOf({ kind, fileHeaderBytes = 0, firstPointer }: Layout): Buffer {
  const page = Buffer.alloc(PAGE_BYTES, REMAINS)
  const contentAt = PAGE_BYTES - 2 * CELL_BYTES
  page.fill(FILE_HEADER, 0, fileHeaderBytes)
  page.writeUInt8(kind, fileHeaderBytes)
  page.writeUInt16BE(0, fileHeaderBytes + 1)
  page.writeUInt16BE(2, fileHeaderBytes + 3)
  page.writeUInt16BE(contentAt, fileHeaderBytes + 5)
  page.writeUInt8(0, fileHeaderBytes + 7)
  const isInterior = kind === 2 || kind === 5
  if (isInterior) page.fill(RIGHTMOST, fileHeaderBytes + 8, fileHeaderBytes + 12)
  const pointersAt = fileHeaderBytes + (isInterior ? 12 : 8)
  page.writeUInt16BE(firstPointer ?? contentAt, pointersAt)
  page.writeUInt16BE(contentAt + CELL_BYTES, pointersAt + 2)
  page.fill(CELL, contentAt)
  return page
}

/** What becomes of the pages of a file, and how many of them were written. */
function overwritten(pages: Buffer[]): { count: number; file: Buffer } {
  const path = join(newFolder(), 'a.db')
  writeFileSync(path, Buffer.concat(pages))
  const descriptor = openSync(path, 'r+')
  onTestFinished(() => closeSync(descriptor))
  const count = overwriteFreeBytes(descriptor, PAGE_BYTES, pagesOf(descriptor, PAGE_BYTES))
  return { count, file: readFileSync(path) }
}

const withoutRemains = (page: Buffer): Buffer =>
  Buffer.from(page.map((byte) => (byte === REMAINS ? 0 : byte)))

test('of every kind of page of a tree only the bytes between pointers and cells are overwritten', () => {
  const pages = [
    pageOf({ kind: 13, fileHeaderBytes: 100 }),
    ...[2, 5, 10, 13].map((kind) => pageOf({ kind })),
  ]
  const { count, file } = overwritten(pages)
  expect(count).toBe(5)
  expect(file).toEqual(Buffer.concat(pages.map(withoutRemains)))
})

test('a page of another kind stays as it is, also one that begins like a page of a tree', () => {
  const first = pageOf({ kind: 13, fileHeaderBytes: 100 })
  const others = [
    pageOf({ kind: 0 }),
    // A cell cannot lie before the first one.
    pageOf({ kind: 10, firstPointer: 100 }),
    Buffer.alloc(PAGE_BYTES, 10),
  ]
  const { count, file } = overwritten([first, ...others])
  expect(count).toBe(1)
  expect(file).toEqual(Buffer.concat([withoutRemains(first), ...others]))
})

test('what has nothing to overwrite is not written again', () => {
  const page = withoutRemains(pageOf({ kind: 13, fileHeaderBytes: 100 }))
  expect(overwritten([page])).toEqual({ count: 0, file: page })
})
