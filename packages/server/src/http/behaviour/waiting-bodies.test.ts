// Requests that wait for the model may be many, so they keep their fields and not their bodies. The heap is
// measured after a collection: nothing else shows what is still reachable.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { fakeEmbedder } from '../../testing/fake-embedder.ts'
import { runService } from '../../testing/running-service.ts'

const MIB = 1024 * 1024
const REQUESTS = 8

/** What is reachable. */
function occupied(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  return process.memoryUsage().heapUsed
}

test('a request that waits for the model keeps its fields alone, not what else its body held', async () => {
  const { promise: turn, resolve: giveTurn } = Promise.withResolvers<void>()
  const model = fakeEmbedder()
  let waiting = 0
  await using service = await runService({
    embedder: {
      ...model,
      async embedMemory(...asked) {
        waiting += 1
        await turn
        return model.embedMemory(...asked)
      },
    },
  })
  const { key } = await service.newKey()
  const junk = `[${Array.from({ length: 300_000 }, () => '{}').join(',')}]`
  const body = `{"content":"Anna likes tea.","userId":"anna","junk":${junk}}`
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const before = occupied()
  const answers = Array.from({ length: REQUESTS }, () =>
    fetch(`${service.address}/v1/memories`, { method: 'POST', headers, body }),
  )
  await expect.poll(() => waiting).toBe(REQUESTS)
  // Parsed, each of the bodies takes 20 MB.
  expect(occupied() - before).toBeLessThan(REQUESTS * 5 * MIB)
  giveTurn()
  for (const { status } of await Promise.all(answers)) expect(status).toBe(201)
})
