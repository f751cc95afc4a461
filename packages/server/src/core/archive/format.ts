// An archive: one JSON object a line. The first line says what it is; then come the records in the
// order of ARCHIVE_KINDS, in blocks that each end with a checksum of every byte before it; the last
// line says how many records there were. So a reader knows before it uses a record that it is as it
// was written, finds damage within the block where it is, and notices when the end is missing.
// decisions/2026-11-21-moving.md
import { createHash, type Hash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { ARCHIVE_KINDS } from '../../storage/archive.ts'

export const ARCHIVE_FORMAT = 'mnemograph-archive'
/** What its header begins with, and so the file. */
export const ARCHIVE_START = `{"format":"${ARCHIVE_FORMAT}",`
/** Raised whenever an older reader would misunderstand what is written. */
export const ARCHIVE_VERSION = 1

/** A block is complete with the record that reaches one of these. */
export const BLOCK_RECORDS_MAX = 500
export const BLOCK_CHARACTERS_MAX = 4 * 1024 * 1024

const Count = Type.Integer({ minimum: 0 })

const Source = Type.Union([
  Type.Object({ kind: Type.Literal('bundled') }),
  Type.Object({ kind: Type.Literal('local'), folder: Type.String() }),
  Type.Object({ kind: Type.Literal('openai'), baseUrl: Type.String(), model: Type.String() }),
])

export const ArchiveHeader = Type.Object({
  format: Type.Literal(ARCHIVE_FORMAT),
  version: Type.Literal(ARCHIVE_VERSION),
  /** Of this archive: an interrupted import goes on with no other one. */
  id: Type.String({ minLength: 1 }),
  createdAt: Type.String(),
  /** Null in a store that has no vectors yet. */
  model: Type.Union([
    Type.Null(),
    Type.Object({
      id: Type.String(),
      dimension: Type.Integer({ minimum: 1 }),
      piecesVersion: Type.Integer({ minimum: 1 }),
      /** Null when the store was made before it was noted. */
      source: Type.Union([Type.Null(), Source]),
    }),
  ]),
  /** When it was begun, for the display of progress: what was deleted meanwhile may be missing. */
  counts: Type.Record(Type.Enum(ARCHIVE_KINDS), Count),
})
export type ArchiveHeader = Static<typeof ArchiveHeader>

/** The file cannot be used as an archive. The message says where and why, without any text of it. */
export class ArchiveProblem extends Error {
  override readonly name = 'ArchiveProblem'
}

/** It does not even begin as one: another kind of file, perhaps. */
export class NotAnArchive extends ArchiveProblem {}

/** Nothing is wrong with it, but it takes another version of the service to read it. */
export class OtherVersion extends ArchiveProblem {}

/** SHA-256 of everything so far. The lines that state it are part of what comes after them. */
export class RunningChecksum {
  readonly #hash: Hash = createHash('sha256')

  add(bytes: Uint8Array | string): void {
    this.#hash.update(bytes)
  }

  value(): string {
    return this.#hash.copy().digest('hex')
  }
}

/** How the lines begin that are not records, which no record begins like. */
export const CHECKSUM_START = '{"kind":"checksum",'
export const END_START = '{"kind":"end",'

/** `lines` counts those before this one. */
export const checksumLine = (lines: number, sha256: string): string =>
  `${CHECKSUM_START}"lines":${lines},"sha256":"${sha256}"}`

export const endLine = (records: number, sha256: string): string =>
  `${END_START}"records":${records},"sha256":"${sha256}"}`
