// What monitoring reads: how long requests took, in seconds, by route and by what became of them.
import { METHODS } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { heldEmbedder } from '../../testing/held-embedder.ts'
import { runService } from '../../testing/running-service.ts'

test('a request is counted under its route and status, with the seconds that it took', async () => {
  const { embedder, letGo, begun } = heldEmbedder()
  await using service = await runService({ embedder })
  const call = apiClient(service.address, (await service.newKey()).key)
  const created = call('POST', '/v1/memories', { json: { content: 'c', userId: 'u' } })
  // It takes time from its arrival on, which a busy machine may put off.
  await expect.poll(begun).toBe(1)
  await sleep(100)
  letGo()
  expect(await created).toMatchObject({ status: 201 })
  expect(await call('GET', '/v1/memories/mem_none')).toMatchObject({ status: 404 })
  const metrics = async () => {
    const answer = await fetch(`${service.address}/metrics`)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    return await answer.text()
  }
  const NAME = 'mnemograph_http_request_duration_seconds'
  await expect
    .poll(metrics)
    .toContain(`${NAME}_count{method="GET",route="/v1/memories/:id",status="404"} 1\n`)
  const ofCreate = `${NAME}_sum{method="POST",route="/v1/memories",status="201"} `
  const seconds = Number.parseFloat((await metrics()).split(ofCreate)[1] ?? '')
  expect(seconds).toBeGreaterThan(0.09)
  expect(seconds).toBeLessThan(10)
})

test('methods that no route has are counted as one: each series costs monitoring room', async () => {
  await using service = await runService()
  const used = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST']
  // CONNECT asks for no path, and TRACE is refused by the client.
  const tried = METHODS.filter((method) => method !== 'CONNECT' && method !== 'TRACE')
  for (const method of tried) await fetch(`${service.address}/v1/memories`, { method })
  const counted = async () => {
    const text = await (await fetch(`${service.address}/metrics`)).text()
    const found = text.matchAll(/_seconds_count\{method="([^"]*)",route="\/v1\/memories"/g)
    return [...new Set(Array.from(found, ([, method]) => method))].sort()
  }
  await expect.poll(counted).toEqual([...used, 'other'])
})

test('a request whose caller leaves before the answer is counted too: else those that took too long would be missing', async () => {
  const { embedder, letGo, begun } = heldEmbedder()
  await using service = await runService({ embedder })
  const leaving = new AbortController()
  const asked = fetch(`${service.address}/v1/memories`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${(await service.newKey()).key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ content: 'c', userId: 'u' }),
    signal: leaving.signal,
  })
  await expect.poll(begun).toBe(1)
  leaving.abort()
  await expect(asked).rejects.toThrow()
  letGo()
  const counted = async () => {
    const text = await (await fetch(`${service.address}/metrics`)).text()
    const found = text.matchAll(/_count\{method="POST",route="\/v1\/memories",(.*)\} (.*)/g)
    return Array.from(found, ([, status, count]) => [status, count])
  }
  await expect.poll(counted).toEqual([['status="none"', '1']])
})
