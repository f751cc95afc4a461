// A transaction whose BEGIN fails, as one that is cancelled or waits too long does. Its statements travel
// right behind it, and without a transaction each would commit by itself: an operation that was charged and
// not done, or an Idempotency-Key that repeats the answer of a create that never was.
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { newDatabase, type TestDatabase } from '../../testing/postgres.ts'
import { type Forwarder, startForwarder } from '../../testing/postgres-forwarder.ts'
import {
  entityOf,
  FIRST_PAGE,
  memoryOf,
  NO_RECEIPT,
  pieceOf,
  relationOf,
} from '../conformance/records.ts'
import { insertedKey, MODEL, newKey } from '../conformance/subject.ts'
import type { SpaceId } from '../records.ts'
import type { Receipt, SpaceStore, Store } from '../store.ts'
import { Database } from './connection/database.ts'
import { prepared } from './connection/transaction.ts'
import { openStoreAt } from './testing/open-store-at.ts'

const server = inject('postgresUrl')
const MONTH = '2026-11'
const ADD_USAGE = prepared('INSERT INTO usage (key_id, month, operations) VALUES ($1, $2, 1)')
const CHARGE_AGAIN = prepared('UPDATE usage SET operations = operations + 1 WHERE key_id = $1')

describe.skipIf(server === undefined)('a transaction that does not begin', () => {
  let testDatabase: TestDatabase
  let forwarder: Forwarder
  let near: Store
  let far: Store
  let database: Database
  let keyId: string
  let spaceId: SpaceId
  let generation: number

  beforeAll(async () => {
    testDatabase = await newDatabase(server ?? '')
    forwarder = await startForwarder(testDatabase.url)
    near = await openStoreAt(testDatabase.url, 2)
    far = await openStoreAt(forwarder.url, 1)
    database = new Database({ url: forwarder.url, role: 'mnemograph_service', connectionsMax: 1 })
    generation = (await near.generations.adopt(MODEL)).number
  })
  afterAll(async () => {
    await database?.close()
    await far?.close()
    await near?.close()
    await forwarder?.close()
    await testDatabase?.drop()
  })
  beforeEach(async () => {
    ;({ id: keyId, spaceId } = await insertedKey(near, newKey()))
  })

  const [memory, another] = [memoryOf(), memoryOf()]
  const [entity, other] = [entityOf(), entityOf()]
  const relation = relationOf({ sourceId: entity.id, targetId: entity.id })
  const insert = (store: SpaceStore, made: typeof memory, receipt: Receipt) =>
    store.memories.insert(made, [pieceOf(made.content)], receipt, generation)

  test.each<{ name: string; write: (store: SpaceStore, receipt: Receipt) => Promise<unknown> }>([
    { name: 'a create of a memory', write: (store, receipt) => insert(store, another, receipt) },
    {
      name: 'a create of an entity',
      write: (store, receipt) => store.entities.insert(other, receipt),
    },
    {
      name: 'a create of a relation',
      write: (store, receipt) =>
        store.relations.insert(relationOf({ sourceId: entity.id, targetId: entity.id }), receipt),
    },
    {
      name: 'a deletion of a memory',
      write: (store, receipt) => store.memories.remove(memory.id, receipt),
    },
    {
      name: 'a deletion of an entity',
      write: (store, receipt) => store.entities.remove(entity.id, receipt),
    },
  ])('leaves nothing of $name, neither a charge nor an Idempotency-Key', async ({ write }) => {
    const own = near.forSpace(spaceId)
    await insert(own, memory, NO_RECEIPT)
    await own.entities.insert(entity, NO_RECEIPT)
    await own.relations.insert(relation, NO_RECEIPT)
    // The connection has been in a transaction over a space before.
    await far.forSpace(spaceId).memories.find(memory.id)
    const idempotency = {
      keyId,
      idempotencyKey: 'once',
      fingerprint: 'f',
      recordId: 'r',
      createdAt: Date.now(),
    }
    forwarder.spoilNextBegin()
    const charge = { keyId, month: MONTH }
    await expect(write(far.forSpace(spaceId), { charge, idempotency })).rejects.toThrow()
    expect(await near.usage.read(charge)).toBe(0)
    expect(await near.idempotency.find(keyId, 'once', 0)).toBeUndefined()
    const totals = [own.memories, own.entities, own.relations].map(
      async (records) => (await records.page({}, FIRST_PAGE)).total,
    )
    expect(await Promise.all(totals)).toEqual([1, 1, 1])
  })

  test('leaves nothing where no policy guards it', async () => {
    await database.transaction((transaction) => transaction.run(ADD_USAGE, [keyId, '2026-10']))
    forwarder.spoilNextBegin()
    const spoiled = database.transaction(async (transaction) => {
      await transaction.run(ADD_USAGE, [keyId, MONTH])
      for (let times = 0; times < 5; times += 1) await transaction.run(CHARGE_AGAIN, [keyId])
    })
    await expect(spoiled).rejects.toThrow()
    const used = ['2026-10', MONTH].map((month) => near.usage.read({ keyId, month }))
    expect(await Promise.all(used)).toEqual([1, 0])
  })

  test('sends nothing of a space into what the connection does next', async () => {
    await near.sharedLimits?.charge({ keyId, month: MONTH })
    forwarder.spoilNextBegin()
    const spoiled = database.inSpace(spaceId, async (transaction) => {
      await transaction.run(prepared('SELECT 1'), [])
      await transaction.run(CHARGE_AGAIN, [keyId])
    })
    await expect(spoiled).rejects.toThrow()
    // Behind whatever was sent.
    await database.transaction((transaction) => transaction.run(prepared('SELECT 1'), []))
    expect(await near.usage.read({ keyId, month: MONTH })).toBe(1)
  })
})
