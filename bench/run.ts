// `npm run bench`: how fast the embedded store and the service are on this machine, against the goals of
// docs/performance.md and beside floors from the same run. Each row is a file in rows/, each peer one in
// peers/; options.ts has the options.
import { printLine, printTitle } from '../eval/report.ts'
import { createBench, type Row } from './bench.ts'
import { openSample } from './data/sample.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { peersInProcess, peersOverHttp } from './peers/peers.ts'
import { writeDocs } from './report/docs.ts'
import { type Figure, isMet } from './report/figure.ts'
import { describeMachine } from './report/machine.ts'
import { type Report, readReport, writeReport } from './report/report.ts'
import { line } from './report/table.ts'
import { bulkImport } from './rows/bulk-import.ts'
import { embeddedCreates } from './rows/embedded-creates.ts'
import { embedding } from './rows/embedding.ts'
import { endToEnd } from './rows/end-to-end.ts'
import { eventLoop } from './rows/event-loop.ts'
import { footprint } from './rows/footprint.ts'
import { httpCreates } from './rows/http-creates.ts'
import { lists } from './rows/lists.ts'
import { manySpaces } from './rows/many-spaces.ts'
import { recall } from './rows/recall.ts'
import { requests } from './rows/requests.ts'
import { severalSentences } from './rows/several-sentences.ts'
import { storeCreates } from './rows/store-creates.ts'
import { storeSearch } from './rows/store-search.ts'
import { measureSharedStore } from './shared-store/measure.ts'

/** In the order of the goals; rows without a goal come last. */
const ROWS: readonly Row[] = [
  storeSearch,
  severalSentences,
  endToEnd,
  recall,
  manySpaces,
  storeCreates,
  httpCreates,
  embeddedCreates,
  bulkImport,
  lists,
  footprint,
  eventLoop,
  requests,
  embedding,
]

const PEERS: readonly Row[] = [peersInProcess, peersOverHttp]

/** Writes the figures so far after each row, so that they survive when the run is stopped. */
async function measureRows(options: Options): Promise<Report> {
  const { scale, text, json } = options
  const rows = rowsToMeasure(options)
  const [startedAt, startMs] = [new Date().toISOString(), performance.now()]
  const machine = describeMachine()
  printLine('machine', Object.values(machine).join(', '))
  const sample = await openSample(scale.embedded)
  printLine('texts with vectors of the model', String(sample.texts.length))
  const figures: Figure[] = []
  const bench = createBench(scale, sample, (figure) => {
    figures.push(figure)
    process.stdout.write(`${line(figure)}\n`)
  })
  for (const row of rows) {
    printTitle(row.title)
    try {
      const isLate = !PEERS.includes(row) && performance.now() - startMs > scale.totalMs
      if (isLate) throw new Error('the time was up: name it with --only')
      await row.measure(bench, row.title)
    } catch (error) {
      const note = error instanceof Error ? error.message : String(error)
      bench.record({ row: row.title, name: row.key, value: undefined, unit: '', note })
    }
    writeReport(json, report())
  }
  return report()

  function report(): Report {
    const tookS = Math.round((performance.now() - startMs) / 1_000)
    return { version: 1, startedAt, tookS, options: text, machine, figures }
  }
}

/** A peer named by `--only` needs no `--peers`. */
function rowsToMeasure({ only, withPeers }: Options): readonly Row[] {
  if (only === undefined) return withPeers ? [...ROWS, ...PEERS] : ROWS
  return [...ROWS, ...PEERS].filter(({ key }) => only.includes(key))
}

async function main(options: Options): Promise<void> {
  if (options.isPostgres) return await measureSharedStore(options.shared)
  const report = options.from === undefined ? await measureRows(options) : readReport(options.from)
  if (options.from === undefined) {
    const judged = report.figures.map(isMet).filter((met) => met !== undefined)
    printTitle(`${judged.filter(Boolean).length} of ${judged.length} goals met`)
    printLine('seconds', String(report.tookS))
    printLine('figures as JSON', options.json)
  }
  if (options.writesDocs) writeDocs(report)
}

function optionsOrUsage(): Options | undefined {
  const rows = [...ROWS, ...PEERS].map((row) => row.key)
  try {
    return readOptions(process.argv.slice(2), rows)
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    process.exitCode = 2
    return undefined
  }
}

const options = optionsOrUsage()
if (options !== undefined) await main(options)
