/**
 * Global setup of the run: one service for all case files.
 *
 * With MNEMOGRAPH_ACCEPTANCE_URL and MNEMOGRAPH_ACCEPTANCE_KEY the cases speak to that server and
 * nothing is started; otherwise a server is started on a fresh folder and removed afterwards.
 * `dataDir` says which it was: cases that make keys need the folder. Where a setup before this one
 * provides a PostgreSQL, the folders stand for databases on it.
 */
import type { TestProject } from 'vitest/node'
import { freshDataDir, removeDataDir, startServer } from './server-process.ts'

interface ProvidedService {
  readonly url: string
  /** The key given with a foreign server; null when the suite makes its own keys. */
  readonly key: string | null
  /** The folder of the server that the suite started; null for a foreign server. */
  readonly dataDir: string | null
}

declare module 'vitest' {
  interface ProvidedContext {
    service: ProvidedService
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  const { MNEMOGRAPH_ACCEPTANCE_URL: url, MNEMOGRAPH_ACCEPTANCE_KEY: key } = process.env
  if (url !== undefined) {
    if (key === undefined) {
      throw new Error('MNEMOGRAPH_ACCEPTANCE_URL needs MNEMOGRAPH_ACCEPTANCE_KEY beside it')
    }
    project.provide('service', { url: url.replace(/\/$/, ''), key, dataDir: null })
    return
  }
  const dataDir = await freshDataDir(project.getProvidedContext().postgresUrl)
  const server = await startServer(dataDir).catch(async (error: unknown) => {
    await removeDataDir(dataDir)
    throw error
  })
  project.provide('service', { url: server.url, key: null, dataDir })
  return async () => {
    await server.stop()
    await removeDataDir(dataDir)
  }
}
