// The proxy of the compose file, run in front of a real server.
import { once } from 'node:events'
import { get } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fakeEmbedder } from '../packages/server/src/testing/fake-embedder.ts'
import { runService, type TestService } from '../packages/server/src/testing/running-service.ts'
import { hasCaddy, type RunningProxy, startCaddy } from './running/caddy.ts'

const isThere = hasCaddy()
if (!isThere) {
  process.stderr.write(
    'There is no Caddy for the tests of the proxy, so those are left out: scripts/fetch-caddy.sh unpacks one.\n',
  )
}

describe.skipIf(!isThere)('Caddy with the Caddyfile', () => {
  let service: TestService
  let proxy: RunningProxy
  const model = { isAway: false }
  beforeAll(async () => {
    const embedder = { ...fakeEmbedder(), isReady: () => !model.isAway }
    service = await runService({ embedder })
    proxy = await startCaddy(service.address)
  })
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  test('passes every line of an import on, also those that come when the answer has begun', async () => {
    const { key } = await service.newKey()
    const authorization = `Bearer ${key}`
    const count = 2_000

    async function countStored(): Promise<number> {
      const list = await fetch(`${service.address}/v1/memories`, { headers: { authorization } })
      const { pagination }: { pagination: { total: number } } = JSON.parse(await list.text())
      return pagination.total
    }
    async function* lines() {
      for (let number = 1; number <= count; number += 1) {
        const content = `The parcel with the number ${number} is on its way.`
        yield Buffer.from(`${JSON.stringify({ content, userId: 'anna' })}\n`)
        if (number === 1) await expect.poll(countStored).toBe(1)
      }
    }
    const answer = await fetch(`http://localhost:${proxy.port}/import/memories`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-ndjson' },
      body: ReadableStream.from(lines()),
      duplex: 'half',
    })
    const answers = (await answer.text()).trim().split('\n')
    expect(JSON.parse(answers.at(-1) ?? '')).toEqual({
      summary: { created: count, repeated: 0, refused: 0 },
    })
    expect(answers).toHaveLength(count + 1)
  })

  test('asks an instance that is not ready when no other is there, and passes its own words on', async () => {
    const { key } = await service.newKey()
    const ask = async (path: string, json?: object) => {
      const answer = await fetch(`http://localhost:${proxy.port}${path}`, {
        method: json === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: json === undefined ? null : JSON.stringify(json),
      })
      return [answer.status, await answer.json()]
    }
    model.isAway = true
    // Until the proxy has noticed, and a while longer.
    await sleep(5_000)
    expect(await ask('/readyz')).toMatchObject([503, { status: 'unavailable' }])
    expect(await ask('/v1/entities', { name: 'Anna', type: 'PERSON' })).toMatchObject([201, {}])
    expect(await ask('/v1/entities')).toMatchObject([200, { items: [{ name: 'Anna' }] }])
    model.isAway = false
    await expect.poll(() => ask('/readyz')).toMatchObject([200, {}])
  })

  test('tells browsers over https, and over it alone, to use nothing else', async () => {
    await using encrypted = await startCaddy(service.address, 'https')
    const { hostname, port } = new URL(encrypted.publicUrl)
    const told = async () => {
      const request = get({ hostname, port, path: '/livez', rejectUnauthorized: false })
      const [response] = await once(request, 'response')
      response.resume()
      return response.headers['strict-transport-security']
    }
    // Its certificate may still be on the way.
    await expect.poll(told).toBe('max-age=31536000')
    const plain = await fetch(`http://localhost:${encrypted.port}/livez`)
    expect(plain.headers.get('strict-transport-security')).toBeNull()
  })

  test.each(['localhost', '127.0.0.1', '[::1]'])(
    'serves the address %s as well as any other, and nobody the figures',
    async (host) => {
      const address = `http://${host}:${proxy.port}`
      const statuses = ['/livez', '/v1/memories', '/metrics'].map(
        async (path) => (await fetch(`${address}${path}`)).status,
      )
      expect(await Promise.all(statuses)).toEqual([200, 401, 404])
    },
  )
})
