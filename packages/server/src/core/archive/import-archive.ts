// Brings an archive into a store, block by block, and goes on where an earlier run stopped. What an
// earlier run has brought is read and verified again, but not written again.
import { type ArchiveCounts, type ArchiveTarget, allOf, noCounts } from '../../storage/archive.ts'
import type { VectorModel } from '../../storage/generation.ts'
import { type ArchiveHeader, ArchiveProblem } from './format.ts'
import { openArchive } from './read-archive.ts'

export type Imported =
  | { kind: 'imported'; counts: ArchiveCounts; resumedAfterBlocks: number }
  /** By an earlier run. Nothing was read beyond the header. */
  | { kind: 'was-imported' }

type ImportOptions = {
  /** Records that are in the store by now, of those in the archive. */
  onRecords: (done: number, all: number) => void
  /** After the block under way the import stops, and can be gone on with. */
  isStopped: () => boolean
}

export class ImportStopped extends Error {}

/** Throws an ArchiveProblem or a StoreRefusal, and an ImportStopped when it was asked to stop. */
export async function importArchive(
  stream: AsyncIterable<Uint8Array>,
  target: ArchiveTarget,
  { onRecords, isStopped }: ImportOptions,
): Promise<Imported> {
  const { header, name, blocks } = await openArchive(stream)
  const begun = await target.begin(name, modelOf(header))
  if (begun.isFinished) return { kind: 'was-imported' }
  let done = 0
  const counts = noCounts()
  for await (const block of blocks) {
    if (isStopped()) throw new ImportStopped()
    const { number, checksum } = block
    const records = block.records()
    if (number > begun.blocks) await target.add(records, { blocks: number, checksum })
    else if (number === begun.blocks && checksum !== begun.checksum) throw otherContent()
    done = number
    for (const { kind } of records) counts[kind] += 1
    onRecords(allOf(counts), allOf(header.counts))
  }
  if (done < begun.blocks) throw otherContent()
  await target.finish()
  return { kind: 'imported', counts, resumedAfterBlocks: begun.blocks }
}

const otherContent = (): ArchiveProblem =>
  new ArchiveProblem('It is not the archive with which this import began.')

const modelOf = ({ model }: ArchiveHeader): VectorModel | undefined =>
  model === null ? undefined : { ...model, source: model.source ?? undefined }
