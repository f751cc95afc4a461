import { termsOfPieces } from '../retrieval/terms.ts'

/** The terms of a memory that is taken as one piece. */
export const termsOfMemory = (content: string): string[] =>
  termsOfPieces(content, [{ start: 0, end: content.length }])[0] ?? []
