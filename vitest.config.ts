import { defineConfig } from 'vitest/config'
import { hasPostgres } from './packages/server/src/testing/postgres.ts'

const SERVERS_OF_THE_TESTS = ['DATABASE_URL', 'TEST_DATABASE_URL']
/** A server that is named by its address keeps its data wherever it does. */
const isForeign = process.env['MNEMOGRAPH_ACCEPTANCE_URL'] !== undefined
const canRunOnPostgres =
  !isForeign && (hasPostgres() || SERVERS_OF_THE_TESTS.some((name) => name in process.env))
if (!canRunOnPostgres) {
  process.stderr.write('acceptance-postgres is left out: it needs a PostgreSQL for the tests.\n')
}

/** What is looked at until it is there may take longer on a busy machine; a second is no bound. */
const PATIENT = { poll: { timeout: 20_000 } }

/**
 * Logic beside its file and the store's suite; the black-box suite over HTTP, on either store; the
 * console in a browser.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/{src,scripts}/**/*.test.ts',
            'eval/**/*.test.ts',
            'scripts/**/*.test.ts',
            'deploy/**/*.test.ts',
          ],
          globalSetup: ['packages/server/src/testing/postgres-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          pool: 'forks',
          expect: PATIENT,
        },
      },
      {
        test: {
          name: 'acceptance',
          include: ['acceptance/**/*.test.ts'],
          globalSetup: ['acceptance/setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          pool: 'forks',
          expect: PATIENT,
        },
      },
      {
        test: {
          name: 'acceptance-postgres',
          include: canRunOnPostgres ? ['acceptance/**/*.test.ts'] : [],
          globalSetup: ['packages/server/src/testing/postgres-setup.ts', 'acceptance/setup.ts'],
          setupFiles: ['acceptance/on-postgres.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          pool: 'forks',
          expect: PATIENT,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['packages/console/browser-tests/**/*.test.ts'],
          globalSetup: ['packages/console/browser-tests/harness/setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          pool: 'forks',
          expect: PATIENT,
        },
      },
    ],
  },
})
