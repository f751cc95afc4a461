// Overwrites what B-tree pages hold between their cells. `secure_delete` overwrites a cell where it
// is deleted, but SQLite also moves cells from page to page, whenever it splits or joins pages, and
// then leaves copies behind in the free middle of a page, which no later deletion reaches. Readers
// never look at these bytes, so they can be overwritten in the file while nothing writes to it.
// Page layout: https://www.sqlite.org/fileformat2.html#b_tree_pages
// decisions/2026-11-21-deletion-leaves-no-trace.md
import { fdatasyncSync, fstatSync, readSync, writeSync } from 'node:fs'

/** Numbers of pages, counted from 1. */
type Pages = Iterable<number>

const FILE_HEADER_BYTES = 100
const LEAF_HEADER_BYTES = 8
const INTERIOR_HEADER_BYTES = 12
const INTERIOR_KINDS: readonly number[] = [2, 5]
const LEAF_KINDS: readonly number[] = [10, 13]

/** All pages of a file. */
export function* pagesOf(descriptor: number, pageBytes: number): Generator<number> {
  const pages = fstatSync(descriptor).size / pageBytes
  for (let page = 1; page <= pages; page += 1) yield page
}

/** Returns how many pages had such bytes. They are on the disk when it returns. */
export function overwriteFreeBytes(descriptor: number, pageBytes: number, pages: Pages): number {
  const page = Buffer.alloc(pageBytes)
  const zeros = Buffer.alloc(pageBytes)
  let overwritten = 0
  try {
    for (const number of pages) {
      const position = (number - 1) * pageBytes
      // Numbers from a log that a crash has left may lie behind the end of the file.
      if (readSync(descriptor, page, 0, pageBytes, position) < pageBytes) continue
      const middle = freeMiddle(page, number === 1 ? FILE_HEADER_BYTES : 0)
      if (middle === undefined) continue
      const { start, end } = middle
      if (page.compare(zeros, 0, end - start, start, end) === 0) continue
      overwritten += 1
      writeAll(descriptor, zeros.subarray(0, end - start), position + start)
    }
  } finally {
    // Also after a failure: the next try reads zeros there, and so has nothing to write and to flush.
    if (overwritten > 0) fdatasyncSync(descriptor)
  }
  return overwritten
}

function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  let done = 0
  while (done < bytes.length) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done)
  }
}

/** What lies between the cell pointers and the first cell, or undefined for pages of other kinds. */
function freeMiddle(page: Buffer, header: number): { start: number; end: number } | undefined {
  const kind = page.readUInt8(header)
  const headerBytes = INTERIOR_KINDS.includes(kind) ? INTERIOR_HEADER_BYTES : LEAF_HEADER_BYTES
  if (!INTERIOR_KINDS.includes(kind) && !LEAF_KINDS.includes(kind)) return undefined
  const cells = page.readUInt16BE(header + 3)
  const start = header + headerBytes + 2 * cells
  // Zero stands for 65,536, which two bytes cannot hold.
  const end = page.readUInt16BE(header + 5) || 65_536
  // Not the layout of a B-tree page: an overflow page can begin with any byte in a huge file.
  if (start > end || end > page.length) return undefined
  for (let pointer = header + headerBytes; pointer < start; pointer += 2) {
    if (page.readUInt16BE(pointer) < end) return undefined
  }
  return { start, end }
}
