// A stop closes everything, also behind what fails to close: else the folder stays locked, and what was
// deleted stays in the log until the next start.
import { expect, test } from 'vitest'
import { fakeEmbedder } from './testing/fake-embedder.ts'
import { newFolder } from './testing/new-folder.ts'
import { runService } from './testing/running-service.ts'

const thatDoesNotClose = () => ({
  ...fakeEmbedder(),
  close: () => Promise.reject(new Error('A worker does not end.')),
})

test('the store is closed when the model fails to, and whoever stops the service hears of that', async () => {
  const directory = newFolder()
  const service = await runService({ directory, embedder: thatDoesNotClose() })
  await expect(service.stop()).rejects.toThrow('A worker does not end.')
  const next = await runService({ directory })
  await next.stop()
})

test('a start that fails says why, also when the model fails to close after it', async () => {
  const start = runService({
    directory: newFolder(),
    embedder: thatDoesNotClose(),
    // Of a documentation network: no machine has it.
    settings: { HOST: '192.0.2.1' },
  })
  await expect(start).rejects.toThrow('EADDRNOTAVAIL')
})
