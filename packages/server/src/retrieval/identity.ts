// The same text, told by its characters. A model may not see it: with one prefix for queries and
// another for passages, the two have different vectors.
import { hash } from 'node:crypto'

/** 96 bits, so that no two of all memories anywhere are mixed up. */
const CHARACTERS = 16

/** In front of an identity among terms. No word contains this sign. */
export const IDENTITY_MARK = '='

/** Kept among the terms of a memory, in its first piece. */
export const identityOf = (text: string): string =>
  `${IDENTITY_MARK}${hash('sha256', text, 'base64url').slice(0, CHARACTERS)}`
