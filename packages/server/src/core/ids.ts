// Ids of records: a prefix that tells the kind, and a tail that sorts by time, so that records of
// one millisecond keep their order in lists, and cannot be guessed.
// decisions/2026-11-21-ids-sort-by-time.md
import { randomBytes } from 'node:crypto'
import { bytesToBigInt, toBase62 } from './base62.ts'
import type { Clock } from './clock.ts'

/** The last three are the console's: accounts, sessions and one-time links. */
export type IdPrefix = 'mem' | 'ent' | 'rel' | 'key' | 'acc' | 'ses' | 'lnk'

/** What a create assigns to its record. */
export type Identity = { id: string; createdAt: number }

export type Identify = (prefix: IdPrefix) => Identity

const TAIL_LENGTH = 25
const RANDOM_BYTES = 10
const COUNTER_BITS = 16n

/** 48 bits of milliseconds, 16 bits that count within one, 80 random bits: 144 bits in base 62. */
export function createIdentify(clock: Clock): Identify {
  let lastMs = 0
  let counter = 0n
  return (prefix) => {
    const createdAt = clock.now()
    counter = createdAt === lastMs ? counter + 1n : 0n
    lastMs = createdAt
    const time = (BigInt(createdAt) << COUNTER_BITS) | (counter & ((1n << COUNTER_BITS) - 1n))
    const tail = (time << BigInt(RANDOM_BYTES * 8)) | bytesToBigInt(randomBytes(RANDOM_BYTES))
    return { id: `${prefix}_${toBase62(tail, TAIL_LENGTH)}`, createdAt }
  }
}
