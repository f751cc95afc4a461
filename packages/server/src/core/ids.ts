// Ids of records: a prefix that tells the kind, and a tail that sorts by time, so that records of
// one millisecond keep their order in lists, and cannot be guessed.
// decisions/2026-11-21-ids-sort-by-time.md
import { randomFillSync } from 'node:crypto'
import type { Receipt } from '../storage/store.ts'
import { toBase62 } from './base62.ts'
import type { Clock } from './clock.ts'

/** The last three are the console's: accounts, sessions and one-time links. */
export type IdPrefix = 'mem' | 'ent' | 'rel' | 'key' | 'acc' | 'ses' | 'lnk'

/** What a create assigns to its record. */
export type Identity = { id: string; createdAt: number }

/** The same, with what is committed beside the record. */
export type Stamp = { identity: Identity; receipt: Receipt }

export type Identify = (prefix: IdPrefix) => Identity

const TAIL_LENGTH = 25
const RANDOM_BYTES = 10
/** Random bytes for so many ids are asked for at once: for each by itself they cost most of a create's id. */
const IDS_AT_ONCE = 256
const TIME_BYTES = 6
const COUNTER_BYTES = 2
const COUNTER_END = 2 ** (8 * COUNTER_BYTES)

/** 48 bits of milliseconds, 16 bits that count within one, 80 random bits: 144 bits in base 62. */
export function createIdentify(clock: Clock): Identify {
  let lastMs = 0
  let counter = 0
  const random = randomParts()
  const bytes = Buffer.alloc(TIME_BYTES + COUNTER_BYTES + RANDOM_BYTES)
  return (prefix) => {
    const createdAt = clock.now()
    counter = createdAt === lastMs ? counter + 1 : 0
    lastMs = createdAt
    bytes.writeUIntBE(createdAt + Math.floor(counter / COUNTER_END), 0, TIME_BYTES)
    bytes.writeUIntBE(counter % COUNTER_END, TIME_BYTES, COUNTER_BYTES)
    bytes.set(random(), TIME_BYTES + COUNTER_BYTES)
    return { id: `${prefix}_${toBase62(bytes, TAIL_LENGTH)}`, createdAt }
  }
}

/** Each part is to be read before the next one is asked for. */
function randomParts(): () => Uint8Array {
  const bytes = new Uint8Array(RANDOM_BYTES * IDS_AT_ONCE)
  let used = bytes.length
  return () => {
    if (used === bytes.length) {
      randomFillSync(bytes)
      used = 0
    }
    used += RANDOM_BYTES
    return bytes.subarray(used - RANDOM_BYTES, used)
  }
}
