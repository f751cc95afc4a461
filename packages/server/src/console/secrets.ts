// Random values that open something: shown or sent once, and stored as SHA-256 alone. They cannot
// be guessed, so a slow hash would protect nothing.
import { hash, randomBytes } from 'node:crypto'

const SESSION_BYTES = 32
const LINK_BYTES = 16

/** 256 bits. */
export const createSessionToken = (): string => randomBytes(SESSION_BYTES).toString('base64url')
/** 128 bits: short enough to be copied from a terminal, and valid for a short time. */
export const createLinkToken = (): string => randomBytes(LINK_BYTES).toString('base64url')

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
