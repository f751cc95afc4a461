/**
 * The cases that need real time to pass, all of them waiting during the same minute: windows that
 * open again as their headers said, and connections that are cut because nothing more comes.
 */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { type Answer, numberHeader } from './harness/answer.ts'
import type { Client } from './harness/client.ts'
import { expectError, expectRateLimited } from './harness/errors.ts'
import { issueKey } from './harness/keys.ts'
import {
  dataDir,
  describeAddressed,
  describeManaged,
  freshClient,
  serviceUrl,
} from './harness/service.ts'
import { exchange, freshAddress, ordinaryHeaders, requestText } from './harness/wire.ts'

// All of them at once: the default of 5 would make two minutes of one.
vi.setConfig({ maxConcurrency: 20 })

const MINUTE_AND_MORE = { timeout: 90_000 }
const CUT_WITHIN_MS = 45_000

async function waitAsTold(refused: Answer): Promise<void> {
  await pause(expectRateLimited(refused) * 1000)
}

describe.concurrent('one minute of waiting', () => {
  describeManaged('windows of a key', () => {
    test.each([
      ['read', (client: Client) => client.get('/v1/entities')],
      ['write', (client: Client) => client.post('/v1/entities', {})],
      ['search', (client: Client) => client.post('/v1/memories/search', {})],
    ] as const)(
      'a client that waits as told is served by the %s window again',
      MINUTE_AND_MORE,
      async (_name, draw) => {
        const client = await freshClient({ limits: { read: 2, write: 2, search: 2 } })
        const first = await draw(client)
        await draw(client)
        const refused = await draw(client)
        // Refused attempts in between neither prolong the window nor count in the next one.
        await pause(20_000)
        expectRateLimited(await draw(client))
        const late = await draw(client)
        expect(numberHeader(late, 'x-ratelimit-reset')).toBe(
          numberHeader(refused, 'x-ratelimit-reset'),
        )
        await waitAsTold(late)
        const served = await draw(client)
        expect(served.status).toBe(first.status)
        expect(numberHeader(served, 'x-ratelimit-remaining')).toBe(1)
        const [before, after] = [first, served].map((a) => numberHeader(a, 'x-ratelimit-reset'))
        expect((after ?? 0) - (before ?? 0)).toBeGreaterThanOrEqual(59)
      },
    )

    test('a client that waits for the reset header is served again', MINUTE_AND_MORE, async () => {
      const client = await freshClient({ limits: { read: 1 } })
      const reset = numberHeader(await client.get('/v1/entities'), 'x-ratelimit-reset')
      expectRateLimited(await client.get('/v1/entities'))
      await pause(reset * 1000 - Date.now())
      expect((await client.get('/v1/entities')).status).toBe(200)
    })
  })

  describeAddressed('the window of an address', () => {
    test(
      'after a minute the failures of an address are answered as such again',
      MINUTE_AND_MORE,
      async () => {
        const from = freshAddress()
        const lines = [['Host', 'x'] as const, ['Connection', 'close'] as const]
        const fail = () => exchange(serviceUrl, requestText('GET', '/v1/memories', lines), { from })
        for (let index = 0; index < 20; index += 1) await fail()
        await waitAsTold(await fail())
        expectError(await fail(), 'UNAUTHORIZED')
      },
    )
  })

  describeManaged('connections on which nothing more comes', () => {
    const options = { timeoutMs: CUT_WITHIN_MS }

    test('headers without an end are cut with REQUEST_TIMEOUT', MINUTE_AND_MORE, async () => {
      const start = 'GET /v1/memories HTTP/1.1\r\nHost: x\r\nX-Slow: 1'
      expectError(await exchange(serviceUrl, start, options), 'REQUEST_TIMEOUT')
    })

    test('a body without an end is cut with REQUEST_TIMEOUT', MINUTE_AND_MORE, async () => {
      const { key } = await issueKey(dataDir())
      const lines = ordinaryHeaders(serviceUrl, key)
      lines.push(['Content-Type', 'application/json'], ['Content-Length', '100'])
      const start = requestText('POST', '/v1/memories', lines, '{"content":')
      expectError(await exchange(serviceUrl, start, options), 'REQUEST_TIMEOUT')
    })

    test('headers that drip in slowly are cut as well', MINUTE_AND_MORE, async () => {
      const { hostname, port } = new URL(serviceUrl)
      const socket = connect({ host: hostname, port: Number(port) })
      socket.write('GET /v1/memories HTTP/1.1\r\nHost: x\r\n')
      const drip = setInterval(() => socket.write('X-Drip: 1\r\n'), 1_000)
      const closed = new Promise<boolean>((resolve) => {
        socket.once('close', () => resolve(true))
        socket.on('error', () => resolve(true))
        socket.resume()
      })
      const cut = await Promise.race([closed, pause(CUT_WITHIN_MS, false)])
      clearInterval(drip)
      socket.destroy()
      expect(cut).toBe(true)
    })

    test('a healthy client is served while others stall', MINUTE_AND_MORE, async () => {
      const { hostname, port } = new URL(serviceUrl)
      const stalled = Array.from({ length: 200 }, () => {
        const socket = connect({ host: hostname, port: Number(port) })
        socket.on('error', () => socket.destroy())
        socket.write('GET /v1/memories HTTP/1.1\r\nHo')
        return socket
      })
      const client = await freshClient()
      const startedAt = performance.now()
      for (let index = 0; index < 20; index += 1) {
        expect((await client.get('/v1/entities')).status).toBe(200)
      }
      expect(performance.now() - startedAt).toBeLessThan(10_000)
      for (const socket of stalled) socket.destroy()
    })
  })
})
