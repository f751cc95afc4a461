// Requests that wait for the model may be many, so they keep their fields and not their bodies. The heap is
// measured after a collection: nothing else shows what is still reachable.
import { expect, test } from 'vitest'
import { collectGarbage } from '../../testing/collect-garbage.ts'
import { heldEmbedder } from '../../testing/held-embedder.ts'
import { runService } from '../../testing/running-service.ts'

const MIB = 1024 * 1024
const REQUESTS = 8

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
