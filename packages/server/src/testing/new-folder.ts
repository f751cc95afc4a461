// A folder that lives as long as the test that makes it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mnemograph-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
