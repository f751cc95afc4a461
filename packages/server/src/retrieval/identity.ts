// The same text, told by its characters. A model may not see it: with one prefix for queries and
// another for passages, the two have different vectors.
import { hash } from 'node:crypto'

/** 96 bits, so that no two of all memories anywhere are mixed up. */
const CHARACTERS = 16

/** Kept among the terms of a memory, in its first piece. No word contains the sign in front. */
export const identityOf = (text: string): string =>
  `=${hash('sha256', text, 'base64url').slice(0, CHARACTERS)}`
