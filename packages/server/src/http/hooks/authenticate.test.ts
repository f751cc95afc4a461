// What a caller without a valid key is told of the bucket of its address.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { FAILED_AUTHENTICATIONS_MAX } from '../../contract/plans.ts'
import { RawConnection } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const service = await runService()
afterAll(() => service[Symbol.asyncDispose]())

/** All in one piece, so that they are answered in the same turns. */
async function askTogether(count: number): Promise<string> {
  const { hostname, port } = new URL(service.address)
  const socket = connect(Number(port), hostname)
  const request = 'GET /v1/memories HTTP/1.1\r\nHost: here\r\n'
  const last = `${request}Connection: close\r\n\r\n`
  socket.end(`${request}\r\n`.repeat(count - 1) + last)
  let answers = ''
  socket.on('data', (bytes) => {
    answers += bytes.toString()
  })
  await once(socket, 'close')
  return answers
}

test('of failures at the same moment each is told a number of its own', async () => {
  const count = 12
  const answers = await askTogether(count)
  const remaining = [...answers.matchAll(/x-ratelimit-remaining: (\d+)/gi)].map(([, text]) => text)
  const expected = Array.from({ length: count }, (_, at) => FAILED_AUTHENTICATIONS_MAX - 1 - at)
  expect(remaining).toEqual(expected.map(String))
})

test.each(['/v1/memories', '/import/memories', '/forget/memories', '/mcp'])(
  'a request to %s without a Host is refused with the numbers of its address',
  async (path) => {
    using connection = await RawConnection.open(service.address)
    await connection.send(`POST ${path} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`)
    const { status, headers } = await connection.answer()
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([400, '20'])
  },
)
