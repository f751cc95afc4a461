// What is timed is a whole success: an answer counts when its last byte is there, a refusal ends the
// measurement, and no item is left out. The server here answers in two parts.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { overConnections, TimedConnection } from './timed-connection.ts'

/** Answers with what it was sent, in two parts, so that an answer arrives in pieces. */
async function echoServer(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      const sent = Buffer.concat(chunks).toString()
      const text = JSON.stringify({ method, url, sent, key: headers.authorization })
      response.writeHead(url === '/missing' ? 404 : 200, {
        'content-length': Buffer.byteLength(text),
      })
      response.write(text.slice(0, 5))
      setImmediate(() => response.end(text.slice(5)))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test('one connection asks one thing after the other and gets whole answers', async () => {
  using connection = await TimedConnection.open(await echoServer(), 'secret')
  const first = await connection.ask('POST', '/one', { text: 'ünïcödé' })
  expect(JSON.parse(first.body)).toEqual({
    method: 'POST',
    url: '/one',
    sent: '{"text":"ünïcödé"}',
    key: 'Bearer secret',
  })
  const second = await connection.ask('GET', '/two')
  expect(JSON.parse(second.body)).toMatchObject({ method: 'GET', url: '/two', sent: '' })
})

test('an answer that is no success stops a measurement', async () => {
  using connection = await TimedConnection.open(await echoServer())
  await expect(connection.ask('GET', '/missing')).rejects.toThrow('answered 404')
})

test('every item is sent once, whatever the number of connections', async () => {
  const url = await echoServer()
  const answered: string[] = []
  const items = Array.from({ length: 20 }, (_, item) => item)
  await overConnections(items, { url, width: 3 }, async (connection, item) => {
    const { body } = await connection.ask('POST', '/', { item })
    answered.push(body)
  })
  const sent = answered.map((body) => JSON.parse(JSON.parse(body).sent).item)
  expect(sent.toSorted((one, other) => one - other)).toEqual(items)
})
