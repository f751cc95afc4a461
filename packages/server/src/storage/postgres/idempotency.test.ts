// Records of creates serve every instance, so no instance's clock decides alone that one has run out.
import { expect, inject, test } from 'vitest'
import { IDEMPOTENCY_TTL_MS } from '../../contract/bounds.ts'
import { entityOf } from '../conformance/records.ts'
import { insertedKey, newKey } from '../conformance/subject.ts'
import { ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')
const HOUR_MS = 60 * 60 * 1000

test.skipIf(server === undefined)(
  'an instance whose clock is days ahead forgets no record that others still need',
  async () => {
    const { store } = await ownedDatabase(server ?? '')
    const { id: keyId, spaceId } = await insertedKey(store, newKey())
    const now = Date.now()
    const made = async (idempotencyKey: string, createdAt: number): Promise<void> => {
      const idempotency = { keyId, idempotencyKey, fingerprint: 'f', recordId: 'ent_1', createdAt }
      await store.forSpace(spaceId).entities.insert(entityOf(), { idempotency })
    }
    await made('young', now - IDEMPOTENCY_TTL_MS + HOUR_MS)
    await made('old', now - IDEMPOTENCY_TTL_MS - HOUR_MS)
    const daysAhead = now + 3 * IDEMPOTENCY_TTL_MS
    await store.idempotency.expire(daysAhead - IDEMPOTENCY_TTL_MS)
    const found = async (name: string) =>
      (await store.idempotency.find(keyId, name, 0)) !== undefined
    expect([await found('young'), await found('old')]).toEqual([true, false])
  },
)
