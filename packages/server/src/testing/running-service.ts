// A whole service for a test: real store in a folder of its own, real HTTP on a free port, and a
// fake model unless the test brings another.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../config.ts'
import type { Plan } from '../contract/plans.ts'
import { RATE_LIMIT_NONE } from '../contract/plans.ts'
import { createKey } from '../core/keys.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { type Running, type Substitutes, start } from '../main.ts'
import type { KeyRecord } from '../storage/records.ts'
import { fakeEmbedder } from './fake-embedder.ts'

export const UNLIMITED: KeyRecord['limits'] = {
  read: RATE_LIMIT_NONE,
  write: RATE_LIMIT_NONE,
  search: RATE_LIMIT_NONE,
}

/** Tests sign in often, and none of them is about the price of it. */
const CHEAP = { log2N: 4, r: 1, p: 1 }

export type TestService = Running & {
  directory: string
  /** A key with a space of its own; unlimited unless said otherwise. */
  newKey(options?: {
    plan?: Plan
    limits?: KeyRecord['limits']
  }): Promise<{ id: string; key: string }>
  /** Stops the service and removes its folder. */
  [Symbol.asyncDispose](): Promise<void>
}

export async function runService(
  substitutes: Omit<Substitutes, 'embedder'> & {
    /** Null for the one that the settings name. */
    embedder?: Embedder | null
    directory?: string
    settings?: Record<string, string>
  } = {},
): Promise<TestService> {
  const { embedder = fakeEmbedder(), ...rest } = substitutes
  const given = substitutes.directory
  const directory = given ?? mkdtempSync(join(tmpdir(), 'mnemograph-test-'))
  const remove = (): void => rmSync(directory, { recursive: true, force: true })
  const config = readConfig({
    PORT: '0',
    MNEMOGRAPH_DATA_DIR: directory,
    MNEMOGRAPH_LOG_LEVEL: 'silent',
    ...substitutes.settings,
  })
  const running = await start(
    config,
    (error) => {
      throw error
    },
    { passwordCost: CHEAP, ...rest, ...(embedder === null ? {} : { embedder }) },
  ).catch((error: unknown) => {
    if (given === undefined) remove()
    throw error
  })
  const { store, identify } = running.service
  return {
    ...running,
    directory,
    newKey: ({ plan = 'enterprise', limits = UNLIMITED } = {}) =>
      createKey({ keys: store.keys, identify }, { name: 'test', plan, limits }),
    async [Symbol.asyncDispose]() {
      await running.stop()
      remove()
    },
  }
}
