// Requests that wait for the model may be many, so they keep their fields and not their bodies. The heap is
// measured after a collection: nothing else shows what is still reachable.
import { expect, test } from 'vitest'
import { collectGarbage } from '../../testing/collect-garbage.ts'
import { heldEmbedder } from '../../testing/held-embedder.ts'
import { RawConnection, rawRequest } from '../../testing/raw-connection.ts'
import { runService } from '../../testing/running-service.ts'

const MIB = 1024 * 1024
const REQUESTS = 8
/** What one caller can have on their way, so that its next one stays unread. */
const LONG_AT_ONCE = 64

/** What is reachable. */
function occupied(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

test('a request that waits for the model keeps its fields alone, not what else its body held', async () => {
  const { embedder, begun, letGo } = heldEmbedder()
  await using service = await runService({ embedder })
  const { key } = await service.newKey()
  const junk = `[${Array.from({ length: 300_000 }, () => '{}').join(',')}]`
  const body = `{"content":"Anna likes tea.","userId":"anna","junk":${junk}}`
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const before = occupied()
  const answers = Array.from({ length: REQUESTS }, () =>
    fetch(`${service.address}/v1/memories`, { method: 'POST', headers, body }),
  )
  await expect.poll(begun).toBe(REQUESTS)
  // Parsed, each of the bodies takes 20 MB.
  expect(occupied() - before).toBeLessThan(REQUESTS * 5 * MIB)
  letGo()
  for (const { status } of await Promise.all(answers)) expect(status).toBe(201)
})

test('a body in chunks is gathered as it comes, however many long ones of its caller are on their way', async () => {
  await using service = await runService()
  const { key } = await service.newKey()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const send = async (framing: Record<string, string>, text: string): Promise<RawConnection> => {
    const connection = await RawConnection.open(service.address)
    await connection.send(rawRequest('POST /v1/memories', { ...headers, ...framing }) + text)
    return connection
  }
  const long = Array.from({ length: LONG_AT_ONCE }, () => send({ 'Content-Length': `${MIB}` }, '{'))
  const stalled = await Promise.all(long)
  const chunks = [...'{"content":"Anna likes tea.","userId":"anna"}', '']
  const inChunks = chunks.map((chunk) => `${chunk.length}\r\n${chunk}\r\n`).join('')
  // Left unread, each of its chunks would take the room of hundreds of bytes.
  const chunked = await send({ 'Transfer-Encoding': 'chunked' }, inChunks)
  expect(await chunked.answer()).toMatchObject({ status: 201 })
  for (const connection of [...stalled, chunked]) connection.close()
})
