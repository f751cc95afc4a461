// Logic beside its file, with the store's suite; the black-box suite over HTTP, once on each store; the console
// in a browser. Without a PostgreSQL the black-box suite runs on the embedded store alone, and a line says so.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { hasPostgres } from './packages/server/src/testing/postgres.ts'
import { keepTemporaryFilesInMemory } from './packages/server/src/testing/temporary-folder.ts'

const SERVERS_OF_THE_TESTS = ['DATABASE_URL', 'TEST_DATABASE_URL']
/** A server that is named by its address keeps its data wherever it does. */
const isForeign = process.env['MNEMOGRAPH_ACCEPTANCE_URL'] !== undefined
const canRunOnPostgres =
  !isForeign && (hasPostgres() || SERVERS_OF_THE_TESTS.some((name) => name in process.env))
if (!canRunOnPostgres) {
  const why = isForeign
    ? 'the server of MNEMOGRAPH_ACCEPTANCE_URL keeps its data where it does'
    : 'it needs a PostgreSQL for the tests'
  process.stderr.write(`acceptance-postgres is left out: ${why}.\n`)
}

keepTemporaryFilesInMemory()

/**
 * Minutes about starts, settings and the end of windows, and what starts a PostgreSQL of its own: on the
 * other store they run with `npm run test:acceptance-postgres`.
 */
const LEFT_TO_THE_EMBEDDED_STORE = ['waiting', 'start', 'settings', 'failover/failover'].map(
  (name) => `acceptance/${name}.test.ts`,
)
/**
 * Hundreds of threads begin and end in one process of the tests, each of which takes the types out of its
 * sources with a WebAssembly module of Node. When two of them compile its way into JavaScript at once, V8
 * now and then ends the process ("Check failed: jit_page.has_value()", in TierUpWasmToJSWrapper). With a
 * budget that nobody uses up it is never compiled.
 */
const WITHOUT_COMPILED_WRAPPERS = ['--wasm-wrapper-tiering-budget=1000000000']
/**
 * The threads of the services that tests start in their own process keep their compiled code here, as the
 * executable's do in a folder of theirs: most of such a start is taking the types out of the sources.
 */
const COMPILED_CODE = {
  NODE_COMPILE_CACHE: fileURLToPath(
    new URL('node_modules/.cache/mnemograph-tests', import.meta.url),
  ),
}
const UNIT = [
  'packages/*/{src,scripts}/**/*.test.ts',
  'eval/**/*.test.ts',
  'bench/**/*.test.ts',
  'scripts/**/*.test.ts',
  'deploy/**/*.test.ts',
]
/**
 * Files of one worker share its process: to begin one for each, and to load the server or the client there
 * anew, takes a fifth of all the time of their tests. Those that replace modules, which others may have loaded, are
 * alone in theirs.
 */
const ALONE = globSync(UNIT, { exclude: ['**/node_modules'] }).filter((file) =>
  /\bvi\.(mock|resetModules)\(/.test(readFileSync(file, 'utf8')),
)
/** What is looked at until it is there may take longer on a busy machine; a second is no bound. */
const PATIENT = { poll: { timeout: 20_000 } }

const unit = {
  globalSetup: ['packages/server/src/testing/postgres-setup.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  pool: 'forks',
  execArgv: WITHOUT_COMPILED_WRAPPERS,
  env: COMPILED_CODE,
  expect: PATIENT,
} satisfies TestProjectInlineConfiguration['test']

export default defineConfig({
  test: {
    // Two more than the cores of the smallest machine: a third of the time tests wait, for servers, windows and
    // time limits.
    maxWorkers: 4,
    projects: [
      {
        test: { ...unit, name: 'unit', include: UNIT, exclude: ALONE, isolate: false },
      },
      {
        test: { ...unit, name: 'unit-alone', include: ALONE },
      },
      {
        test: {
          name: 'acceptance',
          include: ['acceptance/**/*.test.ts'],
          globalSetup: ['acceptance/harness/setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          pool: 'forks',
          isolate: false,
          expect: PATIENT,
        },
      },
      {
        test: {
          name: 'acceptance-postgres',
          include: canRunOnPostgres ? ['acceptance/**/*.test.ts'] : [],
          exclude:
            process.env['ACCEPTANCE_ON_POSTGRES'] === 'all' ? [] : LEFT_TO_THE_EMBEDDED_STORE,
          globalSetup: [
            'packages/server/src/testing/postgres-setup.ts',
            'acceptance/harness/setup.ts',
          ],
          setupFiles: ['acceptance/harness/on-postgres.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          pool: 'forks',
          isolate: false,
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
          isolate: false,
          execArgv: WITHOUT_COMPILED_WRAPPERS,
          env: COMPILED_CODE,
          expect: PATIENT,
        },
      },
    ],
  },
})
