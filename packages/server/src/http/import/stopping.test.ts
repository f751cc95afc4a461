// What a stop of the service is to imports that are open: no error, and no reason to stop later than
// other requests would allow. interruptions.test.ts has what their clients are told.
import { afterEach, expect, test } from 'vitest'
import { heldEmbedder } from '../../testing/held-embedder.ts'
import { ImportConnection } from '../../testing/import-client.ts'
import { runService, type TestService } from '../../testing/running-service.ts'

let service: TestService
afterEach(() => service[Symbol.asyncDispose]())

const MEMORIES = [1, 2, 3].map((n) => ({ content: `memory ${n}`, userId: 'u' }))

test('a stop of the service is no error in the log, although it stops the imports that are open', async () => {
  const { embedder, begun, letGo } = heldEmbedder()
  const lines: string[] = []
  const logTo = { write: (line: string) => lines.push(line) }
  service = await runService({ embedder, logTo, settings: { MNEMOGRAPH_LOG_LEVEL: 'warn' } })
  const { key } = await service.newKey()
  const connection = new ImportConnection(service.address, key)
  await connection.sendLines(MEMORIES)
  await expect.poll(begun).toBe(MEMORIES.length)
  const stopped = service.stop()
  letGo()
  expect((await connection.rest()).at(-1)).toMatchObject({ summary: { created: 3, nextLine: 4 } })
  connection.end()
  await stopped
  expect(lines).toEqual([])
})

test('an import whose body had ended before the stop is told nothing of it: there is nothing to go on with', async () => {
  const { embedder, begun, letGo } = heldEmbedder()
  service = await runService({ embedder })
  const { key } = await service.newKey()
  const connection = new ImportConnection(service.address, key)
  await connection.sendLines(MEMORIES)
  connection.end()
  await expect.poll(begun).toBe(MEMORIES.length)
  // The end of the body has arrived.
  await new Promise((resolve) => setTimeout(resolve, 100))
  const stopped = service.stop()
  letGo()
  expect((await connection.rest()).at(-1)).toEqual({
    summary: { created: 3, repeated: 0, refused: 0 },
  })
  await stopped
})

test('a stop waits for what an import has begun as long as for other requests, and no longer', async () => {
  const { embedder, begun, letGo } = heldEmbedder()
  service = await runService({ embedder, timeouts: { drainMs: 200 } })
  const { key } = await service.newKey()
  const connection = new ImportConnection(service.address, key)
  await connection.sendLines(MEMORIES)
  await expect.poll(begun).toBe(MEMORIES.length)
  // Ends, although the model has not answered.
  await service.stop()
  await connection.closed
  letGo()
})
