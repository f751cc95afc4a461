// What an owner adds to a key's space in the console: it draws on no quota, a revoked key takes nothing, and
// what is sent again with its Idempotency-Key, since the answer was lost, is made once.
import { ConsoleError } from '../../../console/errors.ts'
import { type Creation, createOnce } from '../../../core/create-once.ts'
import type { Identity } from '../../../core/ids.ts'
import type { Receipt } from '../../../storage/store.ts'
import { idempotencyKeyOf } from '../../idempotency-key.ts'
import type { KeyCall } from '../route.ts'

const FREE = { write: <Result>(work: (receipt: Receipt) => Promise<Result>) => work({}) }

/** The identity of the record, which an earlier request may have made. */
export async function createInConsole(
  { service, key, request }: KeyCall,
  creation: Omit<Creation, 'idempotencyKey' | 'pace'>,
): Promise<Identity> {
  if (key.status === 'revoked') throw new ConsoleError('KEY_REVOKED')
  const maker = { caller: { keyId: key.id, spaceId: key.spaceId }, meter: FREE }
  const { identity } = await createOnce(service, maker, {
    ...creation,
    idempotencyKey: idempotencyKeyOf(request),
  })
  return identity
}
