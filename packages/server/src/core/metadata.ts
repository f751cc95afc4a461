// Metadata is stored as the compact JSON that came in, and comes back from it: as a text it keeps
// what a database's own JSON type would reorder or round.
// decisions/2026-11-21-metadata-round-trip.md

type Metadata = Record<string, unknown>

export const metadataText = (metadata: Metadata | null | undefined): string | undefined =>
  metadata ? JSON.stringify(metadata) : undefined

/** The field of an answer; nothing when the caller gave none. */
export const metadataOf = (text: string | undefined): { metadata?: Metadata } =>
  text === undefined ? {} : { metadata: JSON.parse(text) }
