// Makes one record for a key, in the way that every create goes: a unit of the quota, an identity, and
// whatever was sent with an Idempotency-Key made once. Requests, the lines of an import and the console share it.
// decisions/2026-11-21-order-of-checks.md, decisions/2026-11-21-idempotency.md
import type { OperationId } from '../contract/operations.ts'
import type { IdempotencyRecord, Pace, SpaceStore } from '../storage/store.ts'
import { fingerprintOf } from './idempotency.ts'
import type { Identity, IdPrefix, Stamp } from './ids.ts'
import type { Caller } from './keys.ts'
import type { Meter } from './limits/admission.ts'
import type { Service } from './service.ts'

/** For whom it is made, and what counts it. */
type Maker = { caller: Pick<Caller, 'keyId' | 'spaceId'>; meter: Pick<Meter, 'write'> }

export type Creation = {
  operation: OperationId
  prefix: IdPrefix
  /** As it was validated: it tells a repetition from another request. */
  input: unknown
  idempotencyKey: string | undefined
  pace?: Pace
  create: (space: SpaceStore, stamp: Stamp) => Promise<void>
}

/**
 * `isRepeated`: the record was made by an earlier request with the same key, and nothing was charged.
 * Throws QUOTA_EXCEEDED and IDEMPOTENCY_KEY_REUSED, and whatever `create` throws.
 */
export async function createOnce(
  { store, identify, idempotency }: Pick<Service, 'store' | 'identify' | 'idempotency'>,
  { caller, meter }: Maker,
  { operation, prefix, input, idempotencyKey, pace, create }: Creation,
): Promise<{ identity: Identity; isRepeated: boolean }> {
  let isRepeated = true
  const make = (repeatable?: Omit<IdempotencyRecord, 'recordId' | 'createdAt'>) =>
    meter.write(async (charged) => {
      const identity = identify(prefix)
      const { id: recordId, createdAt } = identity
      const receipt = {
        ...charged,
        idempotency: repeatable && { ...repeatable, recordId, createdAt },
      }
      await create(store.forSpace(caller.spaceId), { identity, receipt })
      isRepeated = false
      return identity
    })

  if (idempotencyKey === undefined) return { identity: await make(), isRepeated }
  const fingerprint = fingerprintOf(operation, input)
  const repeatable = { keyId: caller.keyId, idempotencyKey, fingerprint }
  const identity = await idempotency.once(repeatable, () => make(repeatable), pace)
  return { identity, isRepeated }
}
