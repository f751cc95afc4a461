// A store in memory that an archive is imported into, and that dies after some commits when it is told to.
import type { ArchiveRecord, ArchiveTarget, ImportProgress } from '../../../storage/archive.ts'
import type { VectorModel } from '../../../storage/generation.ts'

export class Target implements ArchiveTarget {
  records: ArchiveRecord[] = []
  model: VectorModel | undefined
  isFinished = false
  diesAfter = Number.POSITIVE_INFINITY
  #archive: string | undefined
  #progress: ImportProgress = { blocks: 0, checksum: '' }

  async begin(archive: string, model: VectorModel | undefined) {
    this.#archive ??= archive
    if (this.#archive !== archive) throw new Error('Another archive.')
    this.model = model
    return { ...this.#progress, isFinished: this.isFinished }
  }

  async add(records: readonly ArchiveRecord[], progress: ImportProgress) {
    if (this.diesAfter === 0) throw new Error('It died.')
    this.diesAfter -= 1
    this.records.push(...records)
    this.#progress = progress
  }

  async finish() {
    this.isFinished = true
  }

  async close() {}
}
