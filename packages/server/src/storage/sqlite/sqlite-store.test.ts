import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { describeStore } from '../conformance/describe-store.ts'
import { openSqliteStore } from './open-store.ts'
import { openSqliteReembedding } from './reembedding/open-reembedding.ts'

const folder = mkdtempSync(join(tmpdir(), 'mnemograph-conformance-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const onDeath = (error: unknown): never => {
  throw error
}

describeStore('the embedded store', async () => {
  const directory = mkdtempSync(join(folder, 'store-'))
  return {
    store: await openSqliteStore({ directory, onDeath }),
    openReembedding: async () => openSqliteReembedding(directory),
  }
})
