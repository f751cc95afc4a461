// Ids of records: a prefix that tells the kind, and a tail that sorts by time, so that records of
// one millisecond keep their order in lists, and cannot be guessed.
// decisions/2026-11-21-ids-sort-by-time.md
import { randomFillSync } from 'node:crypto'
import { bytesToBigInt, toBase62 } from './base62.ts'
import type { Clock } from './clock.ts'

/** The last three are the console's: accounts, sessions and one-time links. */
export type IdPrefix = 'mem' | 'ent' | 'rel' | 'key' | 'acc' | 'ses' | 'lnk'

/** What a create assigns to its record. */
export type Identity = { id: string; createdAt: number }

export type Identify = (prefix: IdPrefix) => Identity

const TAIL_LENGTH = 25
const RANDOM_BYTES = 10
/** Random bytes for so many ids are asked for at once: for each by itself they cost most of a create's id. */
const IDS_AT_ONCE = 256
const COUNTER_BITS = 16n

/** 48 bits of milliseconds, 16 bits that count within one, 80 random bits: 144 bits in base 62. */
export function createIdentify(clock: Clock): Identify {
  let lastMs = 0
  let counter = 0n
  const random = randomBits()
  return (prefix) => {
    const createdAt = clock.now()
    counter = createdAt === lastMs ? counter + 1n : 0n
    lastMs = createdAt
    const time = (BigInt(createdAt) << COUNTER_BITS) + counter
    const tail = (time << BigInt(RANDOM_BYTES * 8)) | random()
    return { id: `${prefix}_${toBase62(tail, TAIL_LENGTH)}`, createdAt }
  }
}

function randomBits(): () => bigint {
  const bytes = new Uint8Array(RANDOM_BYTES * IDS_AT_ONCE)
  let used = bytes.length
  return () => {
    if (used === bytes.length) {
      randomFillSync(bytes)
      used = 0
    }
    used += RANDOM_BYTES
    return bytesToBigInt(bytes.subarray(used - RANDOM_BYTES, used))
  }
}
