import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf } from '../conformance/records.ts'
import { insertedKey, newKey } from '../conformance/subject.ts'
import { ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')

const MONTH = '2027-01'

/** Notes at each commit that changes the table whether it waits for the disk. */
const WATCH = (table: string): string => `
  CREATE CONSTRAINT TRIGGER watched AFTER INSERT OR UPDATE ON ${table}
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_commit('${table}')`

test.skipIf(server === undefined)(
  'the charge of a read does not wait for the disk, and every other commit of its connection does',
  async () => {
    const { store, ask, generation } = await ownedDatabase(server ?? '')
    const { spaceId, ...key } = await insertedKey(store, newKey())
    await ask('CREATE TABLE commits (number serial, changed text, waits text)')
    await ask(`CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path FROM CURRENT AS $$ BEGIN
        INSERT INTO commits (changed, waits)
        VALUES (TG_ARGV[0], current_setting('synchronous_commit'));
        RETURN NULL;
      END $$`)
    for (const table of ['usage', 'memories', 'entities']) await ask(WATCH(table))
    const { memories, entities } = store.forSpace(spaceId)
    const charge = { keyId: key.id, month: MONTH, limit: 9 }
    const memory = memoryOf()
    // One after the other: all on the connection that the pool has had back last.
    expect(await store.sharedLimits?.charge(charge)).toBe(1)
    await memories.insert(memory, [pieceOf(memory.content)], { charge }, generation)
    expect(await store.sharedLimits?.charge(charge)).toBe(3)
    await entities.insert(entityOf(), NO_RECEIPT)
    expect(await ask('SELECT changed, waits FROM commits ORDER BY number')).toEqual([
      { changed: 'usage', waits: 'off' },
      { changed: 'memories', waits: 'on' },
      { changed: 'usage', waits: 'on' },
      { changed: 'usage', waits: 'off' },
      { changed: 'entities', waits: 'on' },
    ])
  },
)

test.skipIf(server === undefined)(
  'a flush that waits for the row of a month holds no row of a key, which the other flush takes next',
  async () => {
    const { store, ask } = await ownedDatabase(server ?? '')
    const { id: keyId } = await insertedKey(store, newKey())
    const deltas = ['2026-12', MONTH].map((month) => ({
      keyId,
      month,
      operations: 1,
      lastUsedAt: 1,
    }))
    await store.usage.add(deltas)
    // As a flush of another instance does, which has nothing of the month before.
    await ask(`BEGIN; UPDATE usage SET operations = 9 WHERE month = '${MONTH}'`)
    const added = store.usage.add(deltas)
    const waiting = async () => {
      await ask('SELECT pg_stat_clear_snapshot()')
      return ask(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    }
    await expect.poll(waiting).toHaveLength(1)
    await ask(`SELECT FROM keys WHERE id = '${keyId}' FOR NO KEY UPDATE NOWAIT`)
    await ask('COMMIT')
    await added
    expect(await store.usage.read({ keyId, month: MONTH })).toBe(10)
  },
)

test.skipIf(server === undefined)(
  'a flush that has something of a key that a failover has lost brings what it has of the others',
  async () => {
    const { store, ask } = await ownedDatabase(server ?? '')
    const [kept, lost] = [await insertedKey(store, newKey()), await insertedKey(store, newKey())]
    const both = [kept, lost].map(({ id: keyId }) => ({ keyId, month: MONTH, day: `${MONTH}-01` }))
    const deltas = both.map(({ keyId, month }) => ({ keyId, month, operations: 2, lastUsedAt: 5 }))
    const counts = both.map(({ keyId, day }) => ({ keyId, day, kind: 'memories.get', count: 3 }))
    await ask('DELETE FROM keys WHERE id = $1', [lost.id])
    await store.usage.add(deltas, counts)
    expect(await ask('SELECT key_id, operations::int FROM usage')).toEqual([
      { key_id: kept.id, operations: 2 },
    ])
    expect(await ask('SELECT key_id, count::int FROM statistics')).toEqual([
      { key_id: kept.id, count: 3 },
    ])
  },
)

test.skipIf(server === undefined)(
  'a flush goes a few times to the database, however many keys were used, and notes the last use of each',
  async () => {
    const { store, ask } = await ownedDatabase(server ?? '')
    const keys = await Promise.all(Array.from({ length: 150 }, () => insertedKey(store, newKey())))
    const deltas = keys.flatMap(({ id: keyId }, n) => [
      { keyId, month: '2026-12', operations: 1, lastUsedAt: n + 2 },
      { keyId, month: MONTH, operations: n % 2, lastUsedAt: n + 1 },
    ])
    const counts = keys.flatMap(({ id: keyId }) =>
      ['memories.get', 'memories.list'].map((kind) => ({
        keyId,
        day: `${MONTH}-01`,
        kind,
        count: 3,
      })),
    )
    await store.usage.add(deltas, counts)
    const query = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => query.mockRestore())
    await store.usage.add(deltas, counts)
    expect(query.mock.calls.length).toBeLessThan(10)
    expect(
      await ask(
        'SELECT month, sum(operations)::int AS sum FROM usage GROUP BY month ORDER BY month',
      ),
    ).toEqual([
      { month: '2026-12', sum: 300 },
      { month: MONTH, sum: 150 },
    ])
    expect(await ask('SELECT count(*)::int, sum(count)::int FROM statistics')).toEqual([
      { count: 300, sum: 1_800 },
    ])
    const lastUses = await ask('SELECT last_used_at::int AS at FROM keys ORDER BY last_used_at')
    expect(lastUses).toEqual(keys.map((_, n) => ({ at: n + 2 })))
  },
)
