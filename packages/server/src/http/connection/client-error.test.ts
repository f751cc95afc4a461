// What is broken on a connection never gets into an answer that has begun, nor cuts off one that is whole.
import { expect, test } from 'vitest'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const CONTENT = JSON.stringify({ content: 'c', userId: 'u' })
const LINES = { 'Content-Type': 'application/x-ndjson' }

test('broken HTTP behind an answer that has begun does not cut it off', async () => {
  const fake = fakeEmbedder()
  const { promise: embedded, resolve: release } = Promise.withResolvers<void>()
  await using slow = await runService({
    embedder: {
      ...fake,
      embedMemory: (content) => embedded.then(() => fake.embedMemory(content)),
    },
  })
  const { key } = await slow.newKey()
  const connection = await RawConnection.open(slow.address)
  const headers = { Authorization: `Bearer ${key}`, ...LINES }
  // The first line is refused at once, the second one waits for the model.
  await connection.send(rawRequest('POST /import/memories', headers, `{}\n${CONTENT}`))
  expect(await connection.answer({ toHead: true })).toMatchObject({ status: 200 })
  await connection.send('GARBAGE\r\n\r\n')
  await new Promise((resolve) => setTimeout(resolve, 100))
  release()
  const rest = await connection.ended()
  expect(rest).toContain('"created":1,"repeated":0,"refused":1')
  expect(rest).toContain('HTTP/1.1 400')
})

test('a body that breaks when its answer has begun ends the connection, and puts nothing into the answer', async () => {
  await using service = await runService()
  const { key } = await service.newKey()
  const connection = await RawConnection.open(service.address)
  const headers = { Authorization: `Bearer ${key}`, 'Transfer-Encoding': 'chunked', ...LINES }
  const head = rawRequest('POST /import/memories', headers)
  await connection.send(`${head}3\r\n{}\n\r\n`)
  expect(await connection.answer({ toHead: true })).toMatchObject({ status: 200 })
  await connection.send('zz\r\n')
  expect(await connection.ended()).not.toContain('HTTP/1.1')
})
