/**
 * `npm run test:crash -- --cycles N [--seed S]`. Prints what happened; exit status 1 when a promise
 * was broken, 2 for bad usage.
 */
import { parseArgs } from 'node:util'
import { crashCycles } from './cycles.ts'

const USAGE = 'usage: npm run test:crash -- [--cycles N] [--seed S]'

function readArguments(): { cycles: number; seed: number } {
  const { values } = parseArgs({
    options: { cycles: { type: 'string', default: '50' }, seed: { type: 'string' } },
  })
  const seed = values.seed ?? String(Date.now() % 1_000_000)
  if (!/^[1-9]\d{0,5}$/.test(values.cycles) || !/^\d{1,9}$/.test(seed)) throw new Error(USAGE)
  return { cycles: Number(values.cycles), seed: Number(seed) }
}

async function run(): Promise<number> {
  const { cycles, seed } = readArguments()
  process.stdout.write(`seed ${seed}\n`)
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`)
  const { violations, ...report } = await crashCycles({ cycles, seed, onProgress })
  process.stdout.write(
    `cycles ${report.cycles}\nacknowledged writes ${report.acknowledged}\n` +
      `unknown that persisted ${report.unknownThatPersisted}\n`,
  )
  for (const [name, found] of Object.entries(violations)) {
    process.stdout.write(`${name} ${found.length}\n`)
    for (const each of found) process.stdout.write(`  ${each}\n`)
  }
  return Object.values(violations).every((found) => found.length === 0) ? 0 : 1
}

run().then(
  (status) => {
    process.exitCode = status
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = error instanceof Error && error.message === USAGE ? 2 : 1
  },
)
