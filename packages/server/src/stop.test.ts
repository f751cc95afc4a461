// A stop closes everything, also behind what fails to close: else the folder stays locked, and what was
// deleted stays in the log until the next start.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fakeEmbedder } from './testing/fake-embedder.ts'
import { runService } from './testing/running-service.ts'

test('the store is closed when the model fails to, and whoever stops the service hears of that', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mnemograph-stop-'))
  try {
    const embedder = {
      ...fakeEmbedder(),
      close: () => Promise.reject(new Error('A worker does not end.')),
    }
    const service = await runService({ directory, embedder })
    await expect(service.stop()).rejects.toThrow('A worker does not end.')
    const next = await runService({ directory })
    await next.stop()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
