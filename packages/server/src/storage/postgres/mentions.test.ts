import { expect, test } from 'vitest'
import type { SpaceId } from '../records.ts'
import type { Transaction } from './connection/transaction.ts'
import { findMentions } from './mentions.ts'

const SPACE = 1 as SpaceId

test('while long memories are looked through for a name, others get their turns', async () => {
  // One character of these becomes eighteen letters.
  const content = '\ufdfa'.repeat(10_000)
  const row = { id: 'mem_1', content, user_id: 'u', agent_id: null, tags: [], created_at: 1 }
  const rows = JSON.stringify(Array.from({ length: 50 }, () => row))
  const transaction: Transaction = {
    all: async () => JSON.parse(rows),
    one: async () => undefined,
    run: async () => 0,
  }
  let isDone = false
  let turns = 0
  const takeTurn = (): void => {
    turns += 1
    if (!isDone) setImmediate(takeTurn)
  }
  setImmediate(takeTurn)
  const page = { after: undefined, limit: 20 }
  const found = await findMentions((work) => work(transaction), SPACE, 'Zoe', page)
  isDone = true
  // A call reads twelve of them.
  expect(found).toEqual({ items: [], next: '1.mem_1' })
  expect(turns).toBeGreaterThan(2)
})
