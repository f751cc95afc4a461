// Writes a source as the text of an archive, block by block: memory holds one block, however large
// the store is.
import { randomUUID } from 'node:crypto'
import { type ArchiveCounts, type ArchiveSource, noCounts } from '../../storage/archive.ts'
import type { VectorModel } from '../../storage/generation.ts'
import type { Clock } from '../clock.ts'
import { toTimestamp } from '../timestamp.ts'
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveHeader,
  BLOCK_CHARACTERS_MAX,
  BLOCK_RECORDS_MAX,
  checksumLine,
  endLine,
  RunningChecksum,
} from './format.ts'
import { toLine } from './record-lines.ts'

/** Yields whole lines. `onBlock` hears how many records of each kind were written so far. */
export async function* archiveText(
  source: ArchiveSource,
  { clock, onBlock }: { clock: Clock; onBlock: (written: Readonly<ArchiveCounts>) => void },
): AsyncGenerator<string> {
  const block = new OpenBlock()
  const header: ArchiveHeader = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    id: randomUUID(),
    createdAt: toTimestamp(clock.now()),
    model: headerModel(source.model),
    counts: source.counts,
  }
  block.add(JSON.stringify(header))
  // A block of its own: a reader can trust the header before it uses it.
  yield block.close()
  const written = noCounts()
  let records = 0
  for await (const record of source.records()) {
    block.add(toLine(record))
    records += 1
    written[record.kind] += 1
    if (!block.isFull) continue
    yield block.close()
    onBlock(written)
  }
  if (!block.isEmpty) yield block.close()
  onBlock(written)
  yield block.end(records)
}

const headerModel = (model: VectorModel | undefined): ArchiveHeader['model'] => {
  if (model === undefined) return null
  const { id, dimension, piecesVersion, source } = model
  return { id, dimension, piecesVersion, source: source ?? null }
}

class OpenBlock {
  readonly #checksum = new RunningChecksum()
  #lines = 0
  #records = 0
  #text = ''

  get isEmpty(): boolean {
    return this.#records === 0
  }

  get isFull(): boolean {
    return this.#records >= BLOCK_RECORDS_MAX || this.#text.length >= BLOCK_CHARACTERS_MAX
  }

  add(line: string): void {
    this.#text += `${line}\n`
    this.#lines += 1
    this.#records += 1
  }

  close(): string {
    this.#checksum.add(this.#text)
    const last = `${checksumLine(this.#lines, this.#checksum.value())}\n`
    this.#checksum.add(last)
    const text = this.#text + last
    this.#text = ''
    this.#lines += 1
    this.#records = 0
    return text
  }

  end(records: number): string {
    return `${endLine(records, this.#checksum.value())}\n`
  }
}
