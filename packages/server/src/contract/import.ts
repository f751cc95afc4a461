// What an import answers, line by line. It lies outside /v1, whose contract knows no streams.
// decisions/2026-11-21-bulk-import.md
export const IMPORT_PREFIX = '/import'
export const IMPORT_PATH = '/import/memories'
export const IMPORT_MEDIA_TYPE = 'application/x-ndjson'

type ErrorBody = { error: Record<string, string | number> }

/** One for each line that is not blank, in their order. Lines are counted from 1, blank ones too. */
export type LineAnswer =
  /** `repeated`: it was stored before, with the same idempotencyKey. */
  { line: number; id: string; repeated?: true } | ({ line: number } & ErrorBody)

/** The last line of every answer that is whole. */
export type ImportSummary = {
  summary: {
    created: number
    repeated: number
    refused: number
    /** Why the end of the stream was not reached. */
    stopped?: ErrorBody['error']
    /** Of a stopped stream: where to go on. Lines behind it may have been stored. */
    nextLine?: number
  }
}
