// Turns what PostgreSQL and its client throw into what the store promises to throw.
import { errorCodeOf } from '../../error-code.ts'
import { StoreError } from '../store.ts'

/** Nothing of the transaction is stored, and doing it again may succeed. */
export const isRolledBack = (error: unknown): boolean => /^(40001|40P01)$/.test(errorCodeOf(error))

/** A statement took longer than it may. */
export const isTimeout = (error: unknown): boolean => errorCodeOf(error) === '57014'

// Connections and resources, operator intervention, a disk that fails, locks that were waited for too long,
// conflicts that repetition did not solve, a primary that has become a standby, and a transaction that the
// server ended because nothing came for long, as of a process that stood still. Internal errors (XX000) as
// well: those that are known, such as "tuple concurrently updated", pass with what others do at the same time.
const AWAY = /^(08|53|57|58|55P03|40|25006|25P03|XX000)/
// Of ERR_…, which Node gives to bugs, those of TLS alone: what comes is not what was sent.
const NETWORK = /^(E[A-Z]+|EAI_AGAIN|ERR_SSL_\w+)$/

/** What `refuse` of the schema says. */
const REFUSALS: Record<string, StoreError['kind']> = {
  MG001: 'exhausted',
  MG002: 'repeated',
  MG003: 'outdated',
  MG004: 'purged',
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const code = errorCodeOf(error)
  const refusal = REFUSALS[code]
  if (refusal !== undefined) return new StoreError(refusal, error)
  if (code === '53100') return new StoreError('full', error)
  if (AWAY.test(code) || NETWORK.test(code)) return new StoreError('unavailable', error)
  // The client's own errors carry no code: connections that ended or did not come about.
  if (code === '' && error instanceof Error && isOfConnection(error)) {
    return new StoreError('unavailable', error)
  }
  return new StoreError('fault', error)
}

const isOfConnection = ({ message }: Error): boolean =>
  /connection|timeout|terminated|not queryable/i.test(message)
