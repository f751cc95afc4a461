// Reads an archive block by block. Nothing of a block is handed out before its checksum was compared
// with every byte up to there, and the blocks come to an end only behind a whole end of the archive.
import { fits } from '../../fits.ts'
import { parsedJson } from '../../parsed-json.ts'
import type { ArchiveRecord } from '../../storage/archive.ts'
import {
  ARCHIVE_START,
  ARCHIVE_VERSION,
  ArchiveHeader,
  ArchiveProblem,
  BLOCK_RECORDS_MAX,
  CHECKSUM_START,
  checksumLine,
  END_START,
  endLine,
  NotAnArchive,
  OtherVersion,
  RunningChecksum,
} from './format.ts'
import { linesOf } from './lines.ts'
import { fromLine } from './record-lines.ts'

type ArchiveBlock = {
  /** From 1. */
  number: number
  /** Of the archive up to the end of the block. */
  checksum: string
  /** Throws an ArchiveProblem for what is no record of this version. */
  records(): ArchiveRecord[]
}

type OpenArchive = {
  header: ArchiveHeader
  /** Names the archive: no other one has the same. */
  name: string
  /** Ends only after the end of the archive was verified. Read once. */
  blocks: AsyncGenerator<ArchiveBlock>
}

/** Resolves when the header is verified. Throws an ArchiveProblem, also while blocks are read. */
export async function openArchive(stream: AsyncIterable<Uint8Array>): Promise<OpenArchive> {
  const blocks = verifiedBlocks(linesOf(stream))
  const first = await blocks.next()
  if (first.done || first.value.lines.length !== 1) throw notAnArchive()
  const header = readHeader(first.value.lines[0])
  return {
    header,
    name: first.value.checksum,
    blocks: toRecords(blocks, header.model?.dimension ?? 0),
  }
}

type VerifiedBlock = { lines: Buffer[]; firstLine: number; checksum: string }

async function* verifiedBlocks(lines: AsyncIterable<Buffer>): AsyncGenerator<VerifiedBlock> {
  const checksum = new RunningChecksum()
  let block: Buffer[] = []
  let firstLine = 1
  let line = 0
  // The header is a line of a block, and no record.
  let records = -1
  let hasEnded = false
  for await (const bytes of lines) {
    line += 1
    if (hasEnded) throw new ArchiveProblem(`Line ${line} comes after the end of the archive.`)
    // What people give by mistake gets a better answer than that its checksum is missing.
    if (line === 1 && !startsWith(bytes, ARCHIVE_START)) throw notAnArchive()
    if (startsWith(bytes, END_START)) {
      if (block.length > 0 || !isExactly(bytes, endLine(records, checksum.value()))) {
        throw damaged(firstLine, line)
      }
      hasEnded = true
      continue
    }
    if (startsWith(bytes, CHECKSUM_START)) {
      const value = checksum.value()
      if (!isExactly(bytes, checksumLine(line - 1, value))) throw damaged(firstLine, line)
      records += block.length
      yield { lines: block, firstLine, checksum: value }
      block = []
      firstLine = line + 1
    } else {
      block.push(bytes)
      if (block.length > BLOCK_RECORDS_MAX) throw damaged(firstLine, line)
    }
    checksum.add(bytes)
    checksum.add('\n')
  }
  if (line === 0) throw new ArchiveProblem('It is empty.')
  if (!hasEnded) throw new ArchiveProblem(`The end is missing: the file stops after line ${line}.`)
}

async function* toRecords(
  blocks: AsyncIterable<VerifiedBlock>,
  dimension: number,
): AsyncGenerator<ArchiveBlock> {
  let number = 0
  for await (const { lines, firstLine, checksum } of blocks) {
    number += 1
    yield {
      number,
      checksum,
      records: () =>
        lines.map((bytes, index) => {
          const record = fromLine(bytes.toString('utf8'), dimension)
          if (record !== undefined) return record
          throw new ArchiveProblem(`Line ${firstLine + index} is no record of an archive.`)
        }),
    }
  }
}

/** The checksum can be that of what somebody else has written. */
function readHeader(line: Buffer | undefined): ArchiveHeader {
  const header = parsedJson(String(line))
  if (header === undefined) throw new ArchiveProblem('Line 1 is no header of an archive.')
  if (fits(ArchiveHeader, header)) return header
  throw new OtherVersion(
    'It was written by another version of Mnemograph. This one reads archives of version ' +
      `${ARCHIVE_VERSION}: import it with the version that wrote it, or a newer one.`,
  )
}

const notAnArchive = (): ArchiveProblem =>
  new NotAnArchive('It is not a Mnemograph archive, or its first lines are damaged.')

const damaged = (first: number, last: number): ArchiveProblem =>
  new ArchiveProblem(`It is damaged between line ${first} and line ${last}.`)

const startsWith = (line: Buffer, start: string): boolean =>
  line.subarray(0, start.length).equals(Buffer.from(start))

const isExactly = (line: Buffer, text: string): boolean => line.equals(Buffer.from(text))
