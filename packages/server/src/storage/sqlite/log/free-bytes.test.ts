// Pages as SQLite lays them out, made by hand: which bytes of them are overwritten, and which are not.
import type * as fs from 'node:fs'
import { closeSync, fdatasyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../../../testing/new-folder.ts'
import { isFatal, mayPass } from '../failure.ts'
import { overwriteFreeBytes, pagesOf } from './free-bytes.ts'

vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof fs>()
  const { fdatasyncSync, writeSync } = original
  return { ...original, fdatasyncSync: vi.fn(fdatasyncSync), writeSync: vi.fn(writeSync) }
})

const PAGE_BYTES = 512
const NO_DESCRIPTOR = 1_000_000
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

function fileOf(pages: Buffer[]) {
  const path = join(newFolder(), 'a.db')
  writeFileSync(path, Buffer.concat(pages))
  const descriptor = openSync(path, 'r+')
  onTestFinished(() => closeSync(descriptor))
  return {
    overwrite: (numbers: Iterable<number> = pagesOf(descriptor, PAGE_BYTES)): number =>
      overwriteFreeBytes(descriptor, PAGE_BYTES, numbers),
    bytes: () => readFileSync(path),
  }
}

/** What becomes of the pages of a file, and how many of them were written. */
function overwritten(pages: Buffer[]): { count: number; file: Buffer } {
  const file = fileOf(pages)
  return { count: file.overwrite(), file: file.bytes() }
}

const withoutRemains = (page: Buffer): Buffer =>
  Buffer.from(page.map((byte) => (byte === REMAINS ? 0 : byte)))

const FIRST = pageOf({ kind: 13, fileHeaderBytes: 100 })

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

test('numbers of pages that the file does not have change nothing', () => {
  const pages = [FIRST, pageOf({ kind: 10 })]
  const { overwrite, bytes } = fileOf(pages)
  expect(overwrite([1, 2, 3, 0xffff_ffff])).toBe(2)
  expect(bytes()).toEqual(Buffer.concat(pages.map(withoutRemains)))
})

test('bytes that could not be flushed end the process, since a second try would flush nothing', () => {
  const { overwrite } = fileOf([FIRST])
  vi.mocked(fdatasyncSync).mockImplementationOnce(() => fdatasyncSync(NO_DESCRIPTOR))
  expect(overwrite).toThrow(expect.toSatisfy(isFatal))
})

test('what was overwritten before a write fails is flushed, and that one is tried again', () => {
  const pages = [FIRST, pageOf({ kind: 10 })]
  const { overwrite, bytes } = fileOf(pages)
  const flushes = vi.mocked(fdatasyncSync).mockClear()
  expect(() => overwrite(failing())).toThrow(expect.toSatisfy(mayPass))
  expect(flushes).toHaveBeenCalledOnce()
  expect(overwrite()).toBe(1)
  expect(bytes()).toEqual(Buffer.concat(pages.map(withoutRemains)))

  function* failing(): Generator<number> {
    yield 1
    vi.mocked(writeSync).mockImplementationOnce(() => writeSync(NO_DESCRIPTOR, ''))
    yield 2
  }
})

test('a write that ends early is continued', () => {
  const { overwrite, bytes } = fileOf([FIRST])
  // As if the system had taken none of it yet.
  vi.mocked(writeSync).mockReturnValueOnce(0)
  expect(overwrite()).toBe(1)
  expect(bytes()).toEqual(withoutRemains(FIRST))
})
