import { termsOfQuery } from '../retrieval/query-terms.ts'
import { termsOfPieces } from '../retrieval/terms.ts'

/** The terms of a memory that is taken as one piece. */
export const termsOfMemory = (content: string): string[] =>
  termsOfPieces(content, [{ start: 0, end: content.length }])[0] ?? []

/** Whether every term of the query is there, in one of its forms. */
export function isWhollyIn(memory: string, query: string): boolean {
  const there = new Set(termsOfMemory(memory))
  return termsOfQuery(query).every(({ term, alternatives }) =>
    [term, ...alternatives].some((form) => there.has(form)),
  )
}
