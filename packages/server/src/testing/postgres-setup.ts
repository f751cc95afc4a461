// Starts the PostgreSQL that all tests of a run share, each in a database of its own, and says so
// when there is none. DATABASE_URL names another server; it is taken out of the environment, so that
// what runs on the embedded store goes on to do so.
import type { TestProject } from 'vitest/node'
import { type Cluster, hasPostgres, prepareOwner, startCluster } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of an administrator; undefined when there is no server. */
    postgresUrl: string | undefined
  }
}

declare global {
  /** Every project of a run loads this file for itself, and all of them are to share one server. */
  var postgresOfTheRun: { cluster: Promise<Cluster>; users: number } | undefined
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env['DATABASE_URL'] ?? process.env['TEST_DATABASE_URL']
  delete process.env['DATABASE_URL']
  if (named !== undefined) {
    process.env['TEST_DATABASE_URL'] = named
    await prepareOwner(named)
    project.provide('postgresUrl', named)
    return async () => undefined
  }
  if (!hasPostgres()) {
    project.provide('postgresUrl', undefined)
    process.stderr.write(
      'There is no PostgreSQL for the tests, so those of that store are left out: ' +
        'scripts/fetch-postgres.sh unpacks one, or DATABASE_URL names one.\n',
    )
    return async () => undefined
  }
  globalThis.postgresOfTheRun ??= { cluster: start(), users: 0 }
  const shared = globalThis.postgresOfTheRun
  shared.users += 1
  const cluster = await shared.cluster
  project.provide('postgresUrl', cluster.url)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    globalThis.postgresOfTheRun = undefined
    await cluster.remove()
  }
}

async function start(): Promise<Cluster> {
  const cluster = await startCluster()
  await prepareOwner(cluster.url)
  return cluster
}
