// `npm run eval`: measures the quality of search over HTTP, on a server of its own unless one is named,
// beside baselines on the same texts. EVALUATION.md says what the figures mean.
import { writeFileSync } from 'node:fs'
import { openBaselines } from './baselines/open-baselines.ts'
import { runAblations } from './calibration/run-ablations.ts'
import { MeasuringClient } from './client.ts'
import {
  evaluateEveryday,
  evaluateExact,
  evaluateLanguages,
  evaluateLatency,
  evaluateLocomo,
  evaluateLong,
  evaluateStatedParts,
  evaluateSts,
  type Setting,
} from './evaluation.ts'
import { type LocalService, startLocalService } from './local-service.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { measureRegression } from './regression/measure-regression.ts'
import { missesOf, regressionTable } from './regression/report-regression.ts'
import { printTitle } from './report.ts'
import { ServiceRetriever } from './service-retriever.ts'

async function main(options: Options): Promise<void> {
  const own = options.server === undefined ? await startLocalService() : undefined
  const baselines = options.quick || options.regression ? undefined : await openBaselines()
  try {
    const newService = () => new ServiceRetriever(new MeasuringClient(emptySpace(options, own)))
    const figures = await evaluate({ newService, baselines }, options)
    if (options.json !== undefined) {
      writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`)
    }
  } finally {
    await baselines?.close()
    await own?.stop()
  }
}

/** A server of our own has a new space each time; one that was named has just the space of its key. */
function emptySpace({ server }: Options, own?: LocalService): { url: string; key: string } {
  if (own !== undefined) return { url: own.url, key: own.newKey() }
  if (server === undefined) throw new Error('There is no server to measure.')
  return server
}

async function evaluate(setting: Setting, options: Options): Promise<object> {
  if (options.regression) return evaluateRegression(setting)
  const { locomo, sts, conversationsMax, rewordings } = options
  return {
    ...(locomo !== undefined && {
      locomo: await evaluateLocomo(setting, { file: locomo, conversationsMax, rewordings }),
    }),
    ...(sts !== undefined && { sts: await evaluateSts(setting, sts) }),
    personal: await evaluateEveryday(setting, 'personal'),
    work: await evaluateEveryday(setting, 'work'),
    firstTrials: await evaluateEveryday(setting, 'first-trials'),
    languages: await evaluateLanguages(setting),
    exact: await evaluateExact(setting),
    long: await evaluateLong(setting, 'sentences'),
    dictated: await evaluateLong(setting, 'dictated'),
    statedParts: await evaluateStatedParts(setting),
    ...(setting.baselines !== undefined && {
      latency: await evaluateLatency(setting.newService(), setting.baselines),
    }),
    regression: await evaluateRegression(setting),
    ...(setting.baselines !== undefined &&
      locomo !== undefined &&
      sts !== undefined && {
        ablations: await runAblations({ locomo, sts }, conversationsMax),
      }),
  }
}

async function evaluateRegression({ newService }: Setting): Promise<object> {
  const regression = await measureRegression(newService())
  printTitle('Regression set')
  process.stdout.write(`${[regressionTable(regression), ...missesOf(regression)].join('\n')}\n`)
  return regression
}

function optionsOrUsage(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`eval: ${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    process.exitCode = 2
    return undefined
  }
}

const options = optionsOrUsage()
if (options !== undefined) await main(options)
