/**
 * `npm run test:failover -- [--restarts N] [--promotions N] [--seed S]`. Prints what happened; exit
 * status 1 when a promise was broken, 2 when it could not run.
 */
import { parseArgs } from 'node:util'
import { promotion } from './promotion.ts'
import { isClean, type Report, toText } from './report.ts'
import { restarts } from './restarts.ts'

const USAGE = 'usage: npm run test:failover -- [--restarts N] [--promotions N] [--seed S]'

function readArguments(): { times: number; promotions: number; seed: number } {
  const { values } = parseArgs({
    options: {
      restarts: { type: 'string', default: '20' },
      promotions: { type: 'string', default: '5' },
      seed: { type: 'string' },
    },
  })
  const seed = values.seed ?? String(Date.now() % 100_000)
  for (const text of [values.restarts, values.promotions, seed]) {
    if (!/^\d{1,5}$/.test(text)) throw new Error(USAGE)
  }
  return {
    times: Number(values.restarts),
    promotions: Number(values.promotions),
    seed: Number(seed),
  }
}

async function run(): Promise<number> {
  const { times, promotions, seed } = readArguments()
  process.stdout.write(`seed ${seed}\n`)
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`)
  const reports: Report[] = []
  const tell = (what: string, report: Report): void => {
    reports.push(report)
    process.stdout.write(`${what}\n${toText(report)}`)
  }
  if (times > 0) {
    tell(`${times} restarts of PostgreSQL`, await restarts({ times, seed, onProgress }))
  }
  for (let trial = 1; trial <= promotions; trial += 1) {
    tell(`promotion ${trial} of ${promotions}`, await promotion(seed + trial))
  }
  return reports.every(isClean) ? 0 : 1
}

run().then(
  (status) => {
    process.exitCode = status
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  },
)
