/**
 * The gate before each operation, by table: all thirteen against a missing, an invalid and a
 * revoked key, a spent rate window, a spent quota, and the headers of a success. An operation
 * added to the table is covered by being there.
 */
import { beforeAll, expect, test } from 'vitest'
import { type Answer, header, numberHeader } from './harness/answer.ts'
import type { Client } from './harness/client.ts'
import { observe } from './harness/conformance.ts'
import { expectError, expectRateLimited } from './harness/errors.ts'
import { issueKey, revokeKey } from './harness/keys.ts'
import {
  callOperation,
  createRecords,
  defaultLimits,
  type Operation,
  operations,
  pathOf,
  type Records,
  validBody,
} from './harness/operations.ts'
import { nextMonth, spendQuota } from './harness/quota.ts'
import {
  dataDir,
  describeAddressed,
  describeManaged,
  freshClient,
  serviceUrl,
} from './harness/service.ts'
import { exchange, freshAddress, requestText } from './harness/wire.ts'

let client: Client
let records: Records

describeAddressed('authentication before every operation', () => {
  const revoked = { key: '' }
  beforeAll(async () => {
    client = await freshClient()
    records = await createRecords(client)
    const issued = await issueKey(dataDir())
    await revokeKey(dataDir(), issued.id)
    revoked.key = issued.key
  })

  async function refused(row: Operation, authorization?: string): Promise<Answer> {
    const path = pathOf(row, 'mem_any')
    const body = row.method === 'POST' ? JSON.stringify(validBody(row, records)) : ''
    const lines: [string, string][] = [['Host', new URL(serviceUrl).host]]
    if (authorization !== undefined) lines.push(['Authorization', authorization])
    lines.push(['Content-Type', 'application/json'], ['Connection', 'close'])
    lines.push(['Content-Length', `${Buffer.byteLength(body)}`])
    const text = requestText(row.method, path, lines, body)
    const answer = await exchange(serviceUrl, text, { from: freshAddress() })
    await observe(serviceUrl, row.method, path, answer)
    return answer
  }

  test.each(operations)('$id without a header is UNAUTHORIZED', async (row) => {
    expectError(await refused(row), 'UNAUTHORIZED')
  })

  test.each(operations)('$id with an invalid key is INVALID_API_KEY', async (row) => {
    expectError(await refused(row, 'Bearer mng_invalid'), 'INVALID_API_KEY')
  })

  test.each(operations)('$id with a revoked key is API_KEY_REVOKED', async (row) => {
    expectError(await refused(row, `Bearer ${revoked.key}`), 'API_KEY_REVOKED')
  })
})

describeManaged('rate limit and quota before every operation', () => {
  let spent: Client
  let kept: Records
  let limited: Client
  let plain: Client

  beforeAll(async () => {
    client = await freshClient()
    records = await createRecords(client)
    spent = await freshClient({ plan: 'free' })
    kept = await createRecords(spent)
    await spendQuota(spent)
    limited = await freshClient({ limits: { read: 1, write: 1, search: 1 } })
    await limited.get('/v1/entities')
    await limited.post('/v1/memories', {})
    await limited.post('/v1/memories/search', {})
    plain = await freshClient({ plan: 'free', limits: 'default' })
  })

  test.each(operations)('$id over its rate limit is refused with 429', async (row) => {
    const answer = await callOperation(row, limited, records)
    expectRateLimited(answer)
    expect(header(answer, 'x-ratelimit-limit')).toBe('1')
    expect(header(answer, 'x-ratelimit-remaining')).toBe('0')
    expect(numberHeader(answer, 'x-quota-used')).toBe(0)
  })

  test.each(operations.filter((row) => row.counted))(
    '$id over the quota is refused with 403 and changes nothing',
    async (row) => {
      const lists = async (): Promise<string[]> => [
        (await spent.get('/v1/entities')).text,
        (await spent.get('/v1/relations')).text,
      ]
      const before = await lists()
      const answer = await callOperation(row, spent, kept)
      const resetAt = nextMonth(new Date())
      expectError(answer, 'QUOTA_EXCEEDED', { currentUsage: 1000, limit: 1000, resetAt })
      expect(header(answer, 'x-quota-used')).toBe('1000')
      expect(before.join()).toContain(kept.relation.id)
      expect(await lists()).toEqual(before)
    },
  )

  test.each(operations.filter((row) => !row.counted))(
    '$id is served although the quota is spent',
    async (row) => {
      expect((await callOperation(row, spent, kept)).status).toBe(200)
    },
  )

  test.each(operations)('$id answers with its rate class and counts as decided', async (row) => {
    const ownRecords = await createRecords(client)
    const before = numberHeader(await client.get('/v1/entities'), 'x-quota-used')
    const answer = await callOperation(row, client, ownRecords)
    expect(answer.status).toBe(row.success)
    expect(header(answer, 'content-type')).toMatch(/^application\/json/)
    expect(numberHeader(answer, 'x-quota-used')).toBe(before + (row.counted ? 1 : 0))
    expect(header(answer, 'x-quota-reset')).toBe(nextMonth(new Date()))
    // The same operation by a key with the default limits draws on the class of the table,
    // whatever it answers: here the records are another key's.
    const refused = await callOperation(row, plain, ownRecords)
    expect(numberHeader(refused, 'x-ratelimit-limit')).toBe(defaultLimits[row.rateClass])
  })

  test.each(operations.filter((row) => row.missing !== undefined))(
    '$id of a record that does not exist answers 404 with its own code',
    async (row) => {
      for (const id of [`${row.path.slice(4, 7)}_${'0'.repeat(26)}`, 'nonsense']) {
        const answer = await client.call(row.method, pathOf(row, id))
        if (row.missing !== undefined) expectError(answer, row.missing)
      }
    },
  )
})
