// Texts that are recognized in the bytes of files, for tests of what a deletion leaves there.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/** Marks every text and vector of one record; letter case and folding leave it recognizable. */
export const canaryOf = (record: number): string => `canary${String(record).padStart(6, '0')}z`

export function canariesIn(directory: string): Set<string> {
  const found = new Set<string>()
  for (const name of readdirSync(directory)) {
    const bytes = readFileSync(join(directory, name)).toString('latin1')
    for (const [canary] of bytes.matchAll(/canary\d{6}z/gi)) found.add(canary.toLowerCase())
  }
  return found
}

export const expectNone = (canaries: Set<string>, found: Set<string>): void => {
  expect([...canaries].filter((canary) => found.has(canary))).toEqual([])
}

/** Bytes of the canary where a vector would lie. */
export function vectorOf(canary: string): Float32Array {
  const bytes = new Uint8Array(64)
  bytes.set(new TextEncoder().encode(canary.repeat(4)))
  return new Float32Array(bytes.buffer)
}
