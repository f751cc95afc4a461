/** What the cases need of the monthly quota: its next reset, and a quick way to use one up. */
import { numberHeader } from './answer.ts'
import type { Client } from './client.ts'

/** The first instant of the next UTC month. */
export function nextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString()
}

export async function quotaUsed(client: Client): Promise<number> {
  return numberHeader(await client.get('/v1/entities?limit=1'), 'x-quota-used')
}

/** Uses the quota up to the last operation by cheap reads; the key must not be rate limited. */
export async function spendQuota(client: Client, leave = 0): Promise<void> {
  const first = await client.get('/v1/memories?limit=1')
  const limit = numberHeader(first, 'x-quota-limit')
  const count = limit - numberHeader(first, 'x-quota-used') - leave
  await inLanes(16, Array.from({ length: count }), async () => {
    const answer = await client.get('/v1/memories?limit=1')
    if (answer.status !== 200) throw new Error(`Spending stopped with ${answer.text}`)
  })
}

/** Works the items off in parallel lanes; the results come in the order of the items. */
export async function inLanes<Item, Result>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}
