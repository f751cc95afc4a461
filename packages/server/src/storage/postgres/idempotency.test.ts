// Records of creates serve every instance, so no instance whose clock is ahead decides alone that one has run
// out: it is found, it is not written over, and it stays. Those that ran out are removed however many there are.
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

test.skipIf(server === undefined)(
  'an instance whose clock is days ahead repeats what another one has answered, and makes nothing a second time',
  async () => {
    const { store } = await ownedDatabase(server ?? '')
    const { id: keyId, spaceId } = await insertedKey(store, newKey())
    const { entities } = store.forSpace(spaceId)
    const [first, second] = [entityOf(), entityOf()]
    const now = Date.now()
    const record = { keyId, idempotencyKey: 'once', fingerprint: 'f' }
    const made = { ...record, recordId: first.id, createdAt: now - HOUR_MS }
    await entities.insert(first, { idempotency: made })
    const daysAhead = now + 3 * IDEMPOTENCY_TTL_MS
    expect(
      await store.idempotency.find(keyId, record.idempotencyKey, daysAhead - IDEMPOTENCY_TTL_MS),
    ).toEqual(made)
    const again = { ...record, recordId: second.id, createdAt: daysAhead }
    await expect(entities.insert(second, { idempotency: again })).rejects.toMatchObject({
      kind: 'repeated',
    })
    expect(await entities.find(second.id)).toBeUndefined()
  },
)

test.skipIf(server === undefined)(
  'records that ran out are removed, although there are more than one statement can remove',
  async () => {
    const { store, ask } = await ownedDatabase(server ?? '')
    const { id: keyId } = await insertedKey(store, newKey())
    // Together they take longer than a statement may.
    const [count, sleepSeconds] = [5_000, 0.0008]
    await ask(
      `INSERT INTO idempotency SELECT $1, n, 'f', 'ent_1', n FROM generate_series(1, $2::int) AS n`,
      [keyId, count],
    )
    await ask(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM pg_sleep(${sleepSeconds}); RETURN OLD; END $$;
       CREATE TRIGGER slow BEFORE DELETE ON idempotency FOR EACH ROW EXECUTE FUNCTION slow()`,
    )
    await store.idempotency.expire(count + 1)
    expect(await ask('SELECT * FROM idempotency')).toEqual([])
  },
)

test.skipIf(server === undefined)(
  'a store that is closed while it forgets leaves the rest for another time, which is no failure',
  async () => {
    const { store, ask } = await ownedDatabase(server ?? '')
    const { id } = await insertedKey(store, newKey())
    await ask(
      `INSERT INTO idempotency (key_id, idempotency_key, fingerprint, record_id, created_at)
       SELECT $1, number, 'f', 'ent_1', 1 FROM generate_series(1, 20000) AS number`,
      [id],
    )
    // A step takes a third of a second, so that there are always others to leave.
    await ask(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM pg_sleep(0.0003); RETURN OLD; END $$;
       CREATE TRIGGER slow BEFORE DELETE ON idempotency FOR EACH ROW EXECUTE FUNCTION slow()`,
    )
    const expiry = store.idempotency.expire(2)
    await store.check()
    await store.close()
    await expiry
    const [left] = await ask('SELECT count(*)::int AS count FROM idempotency')
    expect(Number(left?.['count'])).toBeGreaterThan(0)
  },
)
