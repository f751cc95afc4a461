import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('./compile-ahead.ts', import.meta.url))
const cache = new URL('../../../node_modules/.cache/mnemograph/', import.meta.url)

test('compiling ahead leaves compiled code beside the packages, and no data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mnemograph-test-'))
  try {
    const { status, stderr } = spawnSync(process.execPath, [script], {
      env: { PATH: process.env['PATH'], TMPDIR: folder },
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
    expect(readdirSync(folder)).toEqual([])
    // A folder for the version of Node and the user.
    expect(readdirSync(cache)).not.toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
