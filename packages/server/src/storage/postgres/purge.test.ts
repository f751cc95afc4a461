// A purge removes what a single deletion removes, from every table, whatever has been counted.
import { expect, inject, test } from 'vitest'
import { newMember } from '../conformance/account-records.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../conformance/records.ts'
import { caseSpace, insertedKey, newKey, storedKey, subjectOf } from '../conformance/subject.ts'
import type { AccountKeyStore, PurgeStep } from '../console-store.ts'
import type { SpaceId } from '../records.ts'
import type { Store } from '../store.ts'
import { beforeCommit } from './testing/before-commit.ts'
import { ownedDatabase } from './testing/owned-database.ts'

const server = inject('postgresUrl')
/** More than one step takes, and enough for some of them to be counted meanwhile. */
const MEMORIES = 230

const MANY_RECORDS = 20_000

/** As long as a memory can be, with as many words as that has room for. */
const LONG_MEMORIES = 40
const LONG = { characters: 10_000, words: 1_500, vocabulary: 20_000 }
/** Far less than it takes to remove them all. */
const SHORT_TIMEOUTS = { connectMs: 2_500, statementMs: 750, lockMs: 750 }

const TABLES = ['memories', 'memory_tags', 'pieces', 'piece_terms', 'idempotency']

/** Of a new account. */
async function accountKeys(store: Store): Promise<AccountKeyStore> {
  const { account } = await newMember(subjectOf(store))
  return store.console.forAccount(account.id)
}

async function purgeRest(keys: AccountKeyStore, id: string): Promise<void> {
  let step: PurgeStep = { isDone: false }
  for (let n = 0; n < 100 && typeof step === 'object' && !step.isDone; n += 1) {
    step = await keys.purge(id, n)
  }
  expect(step).toEqual({ isDone: true })
}

test.skipIf(server === undefined)(
  'after a purge no row of a memory is left, no term is counted, and others keep theirs',
  async () => {
    const { store, generation, ask } = await ownedDatabase(server ?? '')
    const rowsOf = async (space: SpaceId, table: string): Promise<number> => {
      const condition =
        table === 'idempotency'
          ? 'key_id IN (SELECT id FROM keys WHERE space_no = $1)'
          : 'space_no = $1'
      const [row] = await ask(`SELECT count(*) FROM ${table} WHERE ${condition}`, [space])
      return Number(row?.['count'])
    }
    const countedIn = async (space: SpaceId): Promise<number[]> => {
      const rows = await ask('SELECT memories FROM term_counts WHERE space_no = $1', [space])
      return rows.map((row) => Number(row['memories']))
    }
    const keys = await accountKeys(store)
    const fill = async (keyId: string, spaceId: SpaceId): Promise<void> => {
      const space = caseSpace(store, spaceId, generation)
      for (let n = 0; n < MEMORIES; n += 1) {
        const memory = memoryOf({ content: `some words and number ${n}`, tags: ['a', `t${n}`] })
        await space.memories.insert(memory, [pieceOf(memory.content)], {
          ...NO_RECEIPT,
          idempotency: {
            keyId,
            idempotencyKey: `${n}`,
            fingerprint: 'f',
            recordId: memory.id,
            createdAt: 1,
          },
        })
      }
    }
    const mine = newKey()
    await keys.insert(mine)
    const { spaceId } = await storedKey(store.keys, mine)
    const other = await insertedKey(store, newKey())
    await fill(mine.id, spaceId)
    await fill(other.id, other.spaceId)
    const others = new Map<string, number>()
    for (const table of TABLES) {
      others.set(table, await rowsOf(other.spaceId, table))
      expect(await rowsOf(spaceId, table), table).toBe(others.get(table))
    }
    expect(Math.max(...(await countedIn(spaceId)))).toBeGreaterThan(0)

    await keys.revoke(mine.id)
    expect(await keys.purge(mine.id, 1)).toEqual({ isDone: false })
    await purgeRest(keys, mine.id)
    for (const table of TABLES) {
      expect(await rowsOf(spaceId, table), table).toBe(0)
      expect(await rowsOf(other.spaceId, table), table).toBe(others.get(table))
    }
    expect(await rowsOf(spaceId, 'uncounted')).toBe(0)
    expect(await rowsOf(spaceId, 'row_changes')).toBe(0)
    expect(await ask('SELECT total FROM row_counts WHERE space_no = $1', [spaceId])).toEqual([
      { total: '0' },
    ])
    expect(await countedIn(spaceId)).toEqual([])
  },
)

test.skipIf(server === undefined)(
  'a space of long memories is purged, although they take longer than a statement and a step may',
  async () => {
    const { store, generation, ask } = await ownedDatabase(server ?? '', SHORT_TIMEOUTS)
    const keys = await accountKeys(store)
    const mine = newKey()
    await keys.insert(mine)
    const { spaceId } = await storedKey(store.keys, mine)
    const space = caseSpace(store, spaceId, generation)
    const memories = Array.from({ length: LONG_MEMORIES }, (_, n) => longMemory(n))
    for (const memory of memories) {
      await space.memories.insert(memory, [pieceOf(memory.content)], NO_RECEIPT)
    }
    await ask(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM pg_sleep(0.03); RETURN OLD; END $$;
       CREATE TRIGGER slow BEFORE DELETE ON memories FOR EACH ROW EXECUTE FUNCTION slow()`,
    )
    await keys.revoke(mine.id)
    expect(await keys.purge(mine.id, 1), 'a step ends by the clock').toEqual({ isDone: false })
    await purgeRest(keys, mine.id)
    const rows = await ask('SELECT 1 FROM memories UNION ALL SELECT 1 FROM piece_terms')
    expect(rows).toEqual([])
  },
)

test.skipIf(server === undefined)(
  'a space that was imported a moment ago is purged, although its records of creates are more than a statement can remove',
  async () => {
    const { store, ask } = await ownedDatabase(server ?? '')
    const keys = await accountKeys(store)
    const mine = newKey()
    await keys.insert(mine)
    await ask(
      `INSERT INTO idempotency SELECT $1, n, 'f', 'mem_1', n FROM generate_series(1, 5000) AS n`,
      [mine.id],
    )
    await ask(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM pg_sleep(0.0008); RETURN OLD; END $$;
       CREATE TRIGGER slow BEFORE DELETE ON idempotency FOR EACH ROW EXECUTE FUNCTION slow()`,
    )
    await keys.revoke(mine.id)
    await purgeRest(keys, mine.id)
    expect(await ask('SELECT * FROM idempotency')).toEqual([])
  },
)

test.skipIf(server === undefined)(
  'a step of a purge looks up what it removes, and does not read what others have',
  async () => {
    const { store, newSpace, ask } = await ownedDatabase(server ?? '')
    const keys = await accountKeys(store)
    const mine = newKey()
    await keys.insert(mine)
    const { spaceId } = await storedKey(store.keys, mine)
    // Few spaces with many records: of each the planner would rather read all that there are.
    for (const [space, most] of [
      [spaceId, 50],
      [await newSpace(), MANY_RECORDS],
    ]) {
      await ask(
        `INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
           SELECT $1, 'ent_' || no, 'Anna', 'anna', 'PERSON', no FROM generate_series(1, $2::int) AS no`,
        [space, most],
      )
      await ask(
        `INSERT INTO relations (space_no, id, source_id, target_id, type, created_at)
           SELECT space_no, 'rel_' || created_at, id, id, 'KNOWS', created_at FROM entities
           WHERE space_no = $1`,
        [space],
      )
      await ask(
        `INSERT INTO memories (space_no, id, content, user_id, tags, created_at)
           SELECT $1, 'mem_' || no, 'Tea', 'u', '{}', no FROM generate_series(1, $2::int) AS no`,
        [space, MANY_RECORDS],
      )
    }
    await ask('ANALYZE relations, entities, memories')
    await keys.revoke(mine.id)
    const whole = () =>
      ask(
        `SELECT relname, seq_tup_read FROM pg_stat_user_tables
         WHERE relname ~ '^(entities|relations|memories)' ORDER BY relname`,
      )
    const before = await whole()
    for (let n = 0; n < 3; n += 1) expect(await keys.purge(mine.id, n)).toEqual({ isDone: false })
    await store.close()
    // A session has told all that it did when it has ended.
    const others = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
    await expect.poll(() => ask(others)).toEqual([])
    expect(await whole()).toEqual(before)
  },
)

/** Its words are those of a language by their number alone: some are in all, most in few. */
function longMemory(n: number) {
  const words = Array.from({ length: LONG.words }, (_, place) => {
    const share = ((n * LONG.words + place) * 0.618_033_988_75) % 1
    return `w${Math.floor(share ** 2 * LONG.vocabulary).toString(36)}`.padEnd(6, 'x')
  })
  return memoryOf({ content: words.join(' ').slice(0, LONG.characters) })
}

test.skipIf(server === undefined)(
  'a purge beside the deletion of one of its records is done when nothing is left',
  async () => {
    const { store, ask, options } = await ownedDatabase(server ?? '')
    const keys = await accountKeys(store)
    const key = newKey()
    await keys.insert(key)
    const { id, spaceId } = await storedKey(store.keys, key)
    await keys.revoke(id)
    await ask(
      `INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
       SELECT $1, 'ent_' || 1000 + n, 'Anna', 'anna', 'PERSON', n FROM generate_series(1, 300) AS n`,
      [spaceId],
    )
    const deleted = `SET ROLE mnemograph_maintenance; DELETE FROM entities WHERE id = 'ent_1100'`
    expect(await beforeCommit(options.url, deleted, () => keys.purge(id, 1))).toEqual({
      isDone: false,
    })
    expect(await keys.purge(id, 1)).toEqual({ isDone: true })
    expect(await ask('SELECT FROM entities WHERE space_no = $1', [spaceId])).toEqual([])
  },
)
