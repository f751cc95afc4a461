// A purge removes what a single deletion removes, from every table, whatever has been counted.
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { newDatabase } from '../../testing/postgres.ts'
import { memoryOf, NO_RECEIPT, pieceOf } from '../conformance/records.ts'
import { caseSpace, insertedKey, MODEL, newKey } from '../conformance/subject.ts'
import type { SpaceId } from '../store.ts'
import { openPostgresStore } from './open-store.ts'

const server = inject('postgresUrl')
/** More than one step takes, and enough for some of them to be counted meanwhile. */
const MEMORIES = 230

const TABLES = ['memories', 'memory_tags', 'pieces', 'piece_terms', 'idempotency']

test.skipIf(server === undefined)(
  'after a purge no row of a memory is left, no term is counted, and others keep theirs',
  async () => {
    const { url, drop } = await newDatabase(server ?? '')
    const store = await openPostgresStore({
      url,
      durability: 'required',
      connectionsMax: 4,
      onBackgroundError: (error) => {
        throw error
      },
    })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await store.close()
      await drop()
    })
    await client.query('SET search_path = mnemograph')
    const rowsOf = async (space: SpaceId, table: string): Promise<number> => {
      const condition =
        table === 'idempotency'
          ? 'key_id IN (SELECT id FROM keys WHERE space_no = $1)'
          : 'space_no = $1'
      const { rows } = await client.query<{ count: string }>(
        `SELECT count(*) FROM ${table} WHERE ${condition}`,
        [space],
      )
      return Number(rows[0]?.count)
    }
    const countedIn = async (space: SpaceId): Promise<number[]> => {
      const { rows } = await client.query<{ memories: number }>(
        'SELECT memories FROM term_counts WHERE space_no = $1',
        [space],
      )
      return rows.map(({ memories }) => memories)
    }
    const account = {
      id: 'acc_1',
      email: 'a@example.com',
      plans: [],
      password: 'hash',
      createdAt: 1,
    }
    await store.console.accounts.insert(account, {
      id: 'ses_1',
      accountId: account.id,
      tokenHash: Buffer.from('1'),
      createdAt: 1,
      lastSeenAt: 1,
      endsAt: 1,
      address: '',
      userAgent: '',
    })
    const keys = store.console.forAccount(account.id)
    const { number } = await store.generations.adopt(MODEL)
    const fill = async (keyId: string, spaceId: SpaceId): Promise<void> => {
      const space = caseSpace(store, spaceId, number)
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
    const spaceId = (await store.keys.findByHash(mine.hash))?.spaceId
    if (spaceId === undefined) throw new Error('The key was not stored.')
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
    const steps = [await keys.purge(mine.id, 1), await keys.purge(mine.id, 2)]
    expect(steps).toEqual([{ isDone: false }, { isDone: true }])
    for (const table of TABLES) {
      expect(await rowsOf(spaceId, table), table).toBe(0)
      expect(await rowsOf(other.spaceId, table), table).toBe(others.get(table))
    }
    expect(await rowsOf(spaceId, 'uncounted')).toBe(0)
    expect(new Set(await countedIn(spaceId))).toEqual(new Set([0]))
  },
)
