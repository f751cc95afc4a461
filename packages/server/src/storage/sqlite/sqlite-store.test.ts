import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { describeStore } from '../conformance/describe-store.ts'
import { openSqliteStore } from './open-store.ts'

const directory = mkdtempSync(join(tmpdir(), 'mnemograph-conformance-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const onDeath = (error: unknown): never => {
  throw error
}

describeStore('the embedded store', () =>
  openSqliteStore({ directory, model: { id: 'test', dimension: 5 }, onDeath }),
)
