// A store that is read as an archive and filled from one, for the suites of moving and exporting.
import type { ArchiveRecord, ArchiveSource, ArchiveTarget } from '../archive.ts'
import type { Store } from '../store.ts'

/** Where a store lies. It is opened as often as a case wants, and removed by whoever made it. */
export type StorePlace = {
  open(): Promise<Store>
  openSource(): Promise<ArchiveSource>
  openTarget(): Promise<ArchiveTarget>
}

const BATCH = 7

export type Whole = { model: ArchiveSource['model']; records: ArchiveRecord[] }

export async function readAll(place: StorePlace): Promise<Whole> {
  const source = await place.openSource()
  const records = await Array.fromAsync(source.records())
  await source.close()
  return { model: source.model, records }
}

export const inBatches = (records: ArchiveRecord[]): ArchiveRecord[][] =>
  Array.from({ length: Math.ceil(records.length / BATCH) }, (_each, index) =>
    records.slice(index * BATCH, (index + 1) * BATCH),
  )

export async function fill(place: StorePlace, { model, records }: Whole): Promise<void> {
  const target = await place.openTarget()
  await target.begin('archive', model)
  for (const [index, batch] of inBatches(records).entries()) {
    await target.add(batch, { blocks: index + 1, checksum: `sum ${index + 1}` })
  }
  await target.finish()
  await target.close()
}
