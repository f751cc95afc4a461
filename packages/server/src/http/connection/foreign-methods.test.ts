// What Node reads and calls a request, although it is none of HTTP, is refused without a trace.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

const logged: string[] = []
let service: TestService
beforeAll(async () => {
  const logTo = { write: (line: string) => logged.push(line) }
  service = await runService({ logTo, settings: { MNEMOGRAPH_LOG_LEVEL: 'info' } })
})
afterAll(() => service[Symbol.asyncDispose]())

test.each([
  ['RTSP/1.0', ''],
  ['RTSP/1.1', 'Expect: 100-continue\r\n'],
])(
  'a request of %s is refused behind what came before it, and nothing behind it is done',
  async (version, header) => {
    logged.length = 0
    const connection = await RawConnection.open(service.address)
    const foreign = `DESCRIBE / ${version}\r\nHost: x\r\n${header}\r\n`
    await connection.send(
      rawRequest('GET /openapi.json', {}) + foreign + rawRequest('GET /docs', {}),
    )
    expect(await connection.answer()).toMatchObject({ status: 200 })
    const refusal = await connection.answer()
    expect(refusal.status).toBe(400)
    expect(JSON.parse(refusal.body).error.code).toBe('BAD_REQUEST')
    connection.close()
    expect(logged.map((line) => JSON.parse(line).route)).toEqual(['/openapi.json'])
  },
)
