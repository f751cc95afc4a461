// Rate limits and quotas that hold over all instances of the server: the windows lie in the database
// that they share. Part of storage/store.ts; decisions/2026-11-21-limits-across-instances.md
import type { AdmissionClass } from '../contract/operations.ts'
import type { KeyMonth, KeyRecord } from './records.ts'

/** What one request needs to know before it is served, found out in one round trip. */
export interface SharedLimits {
  /**
   * Finds the key and, when it is active, draws one request on its window of the class. A request
   * that finds the window full neither counts nor extends it. Undefined when no key has the hash.
   * Sees what any instance committed before the call, such as a revocation.
   */
  admit(request: AdmissionRequest): Promise<StoreAdmission | undefined>
  /**
   * Counts one operation that no write commits. What the month has used with it, as the store's usage would tell;
   * undefined, and not counted, beyond the limit. Exact at once, but a crash may forget the last ones.
   */
  charge(charge: Charge): Promise<number | undefined>
  /** By the database's clock, as windows and months go. */
  nowMs(): Promise<number>
}

/** One operation of a month. */
export type Charge = KeyMonth & {
  /** Operations that the month has room for; without it nothing is refused. */
  limit?: number | undefined
}

export type AdmissionRequest = {
  /** SHA-256 of the key. */
  hash: Buffer
  rateClass: AdmissionClass
  /** For a key that has no limit of its own for the class. */
  limitDefault: number
  windowMs: number
  /** Where it comes from: whose keys are not known waits for others of the same network. */
  network?: string | undefined
}

export type StoreAdmission = {
  key: KeyRecord
  /** Undefined when the key is revoked. */
  window: SharedWindow | undefined
  /** By the database's clock. */
  nowMs: number
  /** The UTC month of that moment, as `YYYY-MM`. */
  month: string
  /** Operations of the month, those of the keys that it replaced included. */
  used: number
}

export type SharedWindow = {
  isAllowed: boolean
  limit: number
  hits: number
  /** By the database's clock: the first millisecond after the window. */
  endsAtMs: number
}
