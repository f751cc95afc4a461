/**
 * Which store the run is on, and `describeOn` for the few cases that are about one of them. A case
 * itself does not know: whatever callers can see is the same on both.
 */
import { describe, inject } from 'vitest'

type StoreKind = 'embedded' | 'postgres'

const onPostgres = inject('postgresUrl') !== undefined
const storeOfRun: StoreKind = onPostgres ? 'postgres' : 'embedded'

/** `describe` for cases about one store; on the other they are skipped and say why. */
export function describeOn(store: StoreKind, reason: string, cases: () => void): void {
  if (store === storeOfRun) describe(`on the ${store} store: ${reason}`, cases)
  else describe.skip(`(skipped: only on the ${store} store: ${reason})`, cases)
}
