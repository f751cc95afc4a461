// A service that sends without an end does not take the memory of the server.
import { expect, onTestFinished, test } from 'vitest'
import { openOpenAiEmbedder } from './openai-embedder.ts'
import { configToReach, startEmbeddingsServer } from './testing/embeddings-server.ts'

test('an answer without an end is given up, and not asked for again', async () => {
  const server = await startEmbeddingsServer()
  onTestFinished(() => server.close())
  const config = configToReach(server, { timeoutMs: 5_000, retries: 1 })
  const embedder = await openOpenAiEmbedder(config)
  onTestFinished(() => embedder.close())
  const left = Promise.withResolvers<number>()
  server.misbehave((_, response) => {
    const piece = Buffer.alloc(1024 * 1024, ' ')
    let pieces = 0
    const send = (): void => {
      do pieces += 1
      while (response.write(piece))
    }
    response.writeHead(200).on('drain', send)
    response.once('close', () => left.resolve(pieces))
    send()
    return true
  })
  server.asked.length = 0
  await expect(embedder.embedQuery('hello')).rejects.toMatchObject({
    cause: { message: 'The embedding service answered with far more than embeddings.' },
  })
  expect(await left.promise).toBeLessThan(200)
  expect(server.asked).toHaveLength(1)
})
