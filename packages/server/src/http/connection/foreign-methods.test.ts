// What Node reads and calls a request, although it is none of HTTP, is refused without a trace.
import { afterAll, expect, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const logged: string[] = []
const logTo = { write: (line: string) => logged.push(line) }
const service = await runService({ logTo, settings: { MNEMOGRAPH_LOG_LEVEL: 'info' } })
afterAll(() => service[Symbol.asyncDispose]())

test.each([
  ['RTSP/1.0', ''],
  ['RTSP/1.1', 'Expect: 100-continue\r\n'],
])(
  'a request of %s is refused behind what came before it, and nothing behind it is done',
  async (version, header) => {
    logged.length = 0
    const { key } = await service.newKey()
    const entity = (name: string) => ({ name, type: 'PERSON' })
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const behind = rawRequest('POST /v1/entities', headers, JSON.stringify(entity('Behind')))
    using connection = await RawConnection.open(service.address)
    const foreign = `DESCRIBE / ${version}\r\nHost: x\r\n${header}\r\n`
    await connection.send(rawRequest('GET /openapi.json', {}) + foreign + behind)
    expect(await connection.answer()).toMatchObject({ status: 200 })
    const refusal = await connection.answer()
    expect(refusal.status).toBe(400)
    expect(JSON.parse(refusal.body).error.code).toBe('BAD_REQUEST')
    expect(logged.map((line) => JSON.parse(line).route)).toEqual(['/openapi.json'])
    // Written after whatever was taken before.
    const call = apiClient(service.address, key)
    await call('POST', '/v1/entities', { json: entity('Later') })
    expect((await call('GET', '/v1/entities')).body).toMatchObject({ pagination: { total: 1 } })
  },
)
