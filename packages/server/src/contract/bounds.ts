// The sizes that the contract and its decision records allow, each named once. Lengths of texts are
// counted in Unicode code points; everything outside a bound is refused, never clamped.
// decisions/2026-11-21-field-bounds.md

export const CONTENT_LENGTH_MAX = 10_000
export const QUERY_LENGTH_MAX = 10_000
export const IDENTIFIER_LENGTH_MAX = 256
export const NAME_LENGTH_MAX = 256
export const DESCRIPTION_LENGTH_MAX = 4_000
export const RELATION_TYPE_LENGTH_MAX = 64
export const TAGS_MAX = 50
export const TAG_LENGTH_MAX = 128
export const METADATA_BYTES_MAX = 16 * 1024
export const METADATA_DEPTH_MAX = 32

export const PAGE_MAX = 1_000_000
export const LIST_LIMIT_DEFAULT = 20
export const SEARCH_LIMIT_DEFAULT = 10
export const LIMIT_MAX = 100
export const THRESHOLD_DEFAULT = 0.5

export const BODY_BYTES_MAX = 1024 * 1024
/** Of the address, and the names and values of the headers: they stay below it. */
export const HEADER_BYTES_MAX = 16 * 1024
export const HEADERS_MAX = 1_000
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000
