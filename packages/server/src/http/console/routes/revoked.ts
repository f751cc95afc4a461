import { ConsoleError } from '../../../console/errors.ts'
import type { OwnedKey } from '../../../storage/console-store.ts'

/** What a revoked key left can be looked at and removed; nothing is added to it. */
export function refuseRevoked({ status }: OwnedKey): void {
  if (status === 'revoked') throw new ConsoleError('KEY_REVOKED')
}
