/**
 * Exactness when everything comes at once: limits and quotas neither let one too many through nor
 * lose one, and what was answered with success is there.
 */
import { expect, test } from 'vitest'
import { type Answer, numberHeader } from './harness/answer.ts'
import type { Client } from './harness/client.ts'
import {
  callOperation,
  createEntity,
  createMemory,
  createRecords,
  operations,
  someUser,
} from './harness/operations.ts'
import { inLanes, quotaUsed } from './harness/quota.ts'
import { entityPageOf, memoryPageOf, relationPageOf, searchResultsOf } from './harness/records.ts'
import { describeManaged, freshClient } from './harness/service.ts'

const count = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

async function totalOf(client: Client, noun: 'memories' | 'entities' | 'relations') {
  const { body } = await client.get(`/v1/${noun}`)
  const pageOf = { memories: memoryPageOf, entities: entityPageOf, relations: relationPageOf }
  return pageOf[noun](body).pagination.total
}

describeManaged('many requests at the same moment', () => {
  test('500 parallel writes on a fresh key give exactly 50 successes', async () => {
    const client = await freshClient({ plan: 'free', limits: 'default' })
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        client.post('/v1/memories', { content: `Parallel note ${index}.`, userId: 'u' }),
      ),
    )
    expect([count(answers, 201), count(answers, 429)]).toEqual([50, 450])
    const created = answers.filter((answer) => answer.status === 201)
    const left = created.map((answer) => numberHeader(answer, 'x-ratelimit-remaining'))
    expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 50 }, (_, i) => 49 - i))
    const used = created.map((answer) => numberHeader(answer, 'x-quota-used'))
    expect(used.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
    expect(await totalOf(client, 'memories')).toBe(50)
  })

  test('parallel reads and searches pass exactly as often as their limits allow', async () => {
    const client = await freshClient({ plan: 'free', limits: 'default' })
    const [reads, searches] = await Promise.all([
      Promise.all(Array.from({ length: 300 }, () => client.get('/v1/memories'))),
      Promise.all(
        Array.from({ length: 100 }, () => client.post('/v1/memories/search', { query: 'x' })),
      ),
    ])
    expect([count(reads, 200), count(reads, 429)]).toEqual([100, 200])
    expect([count(searches, 200), count(searches, 429)]).toEqual([30, 70])
    const used = [...reads, ...searches].map((answer) => numberHeader(answer, 'x-quota-used'))
    expect(Math.max(...used)).toBe(130)
  })

  test('5,000 parallel mixed operations on a plan of 1,000 give exactly 1,000 successes', async () => {
    const client = await freshClient({ plan: 'free' })
    const prepared = await createRecords(client)
    const entity = { name: 'Mixed', type: 'OTHER' }
    const link = { sourceId: prepared.source.id, targetId: prepared.target.id, type: 'MIXED' }
    const kinds: readonly (() => Promise<Answer>)[] = [
      () => client.get('/v1/memories?limit=1'),
      () => client.get(`/v1/memories/${prepared.memory.id}`),
      () => client.get(`/v1/entities/${prepared.source.id}`),
      () => client.get(`/v1/relations/${prepared.relation.id}`),
      () => client.get('/v1/memories/mem_none'),
      () => client.post('/v1/entities', entity),
      () => client.post('/v1/entities', {}),
      () => client.post('/v1/relations', link),
      () => client.delete('/v1/entities/ent_none'),
      () => client.get('/v1/entities'),
    ]
    const slow = [
      () => client.post('/v1/memories', { content: 'A mixed memory.', userId: 'u' }),
      () => client.post('/v1/memories/search', { query: 'mixed' }),
    ]
    const calls = Array.from({ length: 5_000 }, (_, index) => {
      const call = index % 25 === 24 ? slow[(index / 25) & 1] : kinds[index % kinds.length]
      return call ?? expect.fail()
    })
    const free = calls.filter((call) => call === kinds[9])
    const answers = await inLanes(250, calls, (call) => call())
    // The four preparations are the first of the thousand; the free lists succeed beside them.
    const successes = answers.filter((answer) => answer.status < 300).length
    expect(successes - free.length + 4).toBe(1_000)
    for (const answer of answers) expect([200, 201, 400, 403, 404]).toContain(answer.status)
    expect(await quotaUsed(client)).toBe(1_000)
  })

  test('counts and totals agree after parallel creates and deletes of every kind', async () => {
    const client = await freshClient({ plan: 'free' })
    const sets = await Promise.all(Array.from({ length: 12 }, () => createRecords(client)))
    const deletions = operations.filter((row) => row.method === 'DELETE')
    const doomed = sets.slice(0, 6).flatMap((set) => deletions.map((row) => ({ row, set })))
    const answers = await Promise.all(doomed.map(({ row, set }) => callOperation(row, client, set)))
    const deleted = count(answers, 200)
    // A relation may be gone with its entity before its own delete comes.
    expect(deleted + count(answers, 404)).toBe(18)
    expect(await quotaUsed(client)).toBe(12 * 4 + deleted)
    expect(await totalOf(client, 'memories')).toBe(6)
    expect(await totalOf(client, 'entities')).toBe(18)
    expect(await totalOf(client, 'relations')).toBe(6)
  })

  test('one of many parallel deletes of a record succeeds', async () => {
    const client = await freshClient()
    const memory = await createMemory(client, { content: 'Contested.', userId: 'u' })
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => client.delete(`/v1/memories/${memory.id}`)),
    )
    expect([count(answers, 200), count(answers, 404)]).toEqual([1, 29])
  })

  test('a relation never outlives an entity that is deleted at the same moment', async () => {
    const client = await freshClient()
    for (let round = 0; round < 5; round += 1) {
      const [left, right] = [await createEntity(client, 'L'), await createEntity(client, 'R')]
      const body = { sourceId: left.id, targetId: right.id, type: 'KNOWS' }
      const links = Array.from({ length: 10 }, () => client.post('/v1/relations', body))
      const [deletion, ...made] = await Promise.all([
        client.delete(`/v1/entities/${right.id}`),
        ...links,
      ])
      expect(deletion.status).toBe(200)
      expect(count(made, 201) + count(made, 404)).toBe(10)
      const list = relationPageOf((await client.get(`/v1/relations?sourceId=${left.id}`)).body)
      expect(list.pagination.total).toBe(0)
    }
  })

  test('every memory of a parallel burst is listed and found at once', async () => {
    const client = await freshClient()
    const userId = someUser()
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        createMemory(client, { content: `Burst number ${index}.`, userId }),
      ),
    )
    const ids = made.map((memory) => memory.id).sort()
    const list = memoryPageOf((await client.get(`/v1/memories?userId=${userId}&limit=100`)).body)
    expect(list.items.map((item) => item.id).sort()).toEqual(ids)
    const body = { query: 'Burst', userId, threshold: 0, limit: 100 }
    const found = searchResultsOf((await client.post('/v1/memories/search', body)).body)
    expect(found.map((item) => item.id).sort()).toEqual(ids)
  })
})
