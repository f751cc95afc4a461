// The form of an API key: a prefix that secret scanners can look for, 256 random bits, and a
// checksum, so that a typing error or junk is refused without asking the database. Only the
// SHA-256 is ever stored: 256 random bits cannot be guessed, so a slow hash would protect nothing.
// decisions/2026-11-21-authentication.md
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { toBase62 } from './base62.ts'

const KEY_PREFIX = 'mng_'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORM = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

export function createApiKey(): string {
  const secret = toBase62(randomBytes(32), SECRET_LENGTH)
  return `${KEY_PREFIX}${secret}${checksumOf(secret)}`
}

/** What may be shown of a key: 24 of its 256 random bits, enough for its owner to know it again. */
export const prefixOf = (key: string): string => key.slice(0, KEY_PREFIX.length + 4)

export function isApiKey(text: string): boolean {
  if (!FORM.test(text)) return false
  const secret = text.slice(KEY_PREFIX.length, KEY_PREFIX.length + SECRET_LENGTH)
  return text.endsWith(checksumOf(secret))
}

export const hashApiKey = (key: string): Buffer => hash('sha256', key, 'buffer')

function checksumOf(secret: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(secret))
  return toBase62(bytes, CHECKSUM_LENGTH)
}
