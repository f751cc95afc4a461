// `npm run bench`: how fast the embedded store and the service are on this machine, against the goals of
// docs/performance.md and beside floors from the same run. This file only wires: each row is a file in
// rows/, each peer one in peers/. `-- --store postgres` measures the shared store instead.
//
//   --quick            less data, under three minutes     --peers        installs and asks the peers too
//   --only KEY,KEY     these rows alone                   --list         names the rows
//   --json FILE        where the figures go               --write-docs   renews docs/performance.md
//   --from FILE        with --write-docs: figures of an earlier run, nothing is measured
//   --memories N       real texts to embed; with --store postgres, memories of the large space
import { parseArgs } from 'node:util'
import { printLine, printTitle } from '../eval/report.ts'
import { createBench, FULL, QUICK, type Row, type Scale } from './bench.ts'
import { cacheFolder } from './data/cache-folder.ts'
import { openSample } from './data/sample.ts'
import type { Figure } from './report/figure.ts'
import { describeMachine } from './report/machine.ts'
import { type Report, readReport, writeReport } from './report/report.ts'
import { line } from './report/table.ts'
import { lists } from './rows/lists.ts'
import { manySpaces } from './rows/many-spaces.ts'
import { recall } from './rows/recall.ts'
import { storeCreates } from './rows/store-creates.ts'
import { severalSentences, storeSearch } from './rows/store-search.ts'

const ROWS: readonly Row[] = [
  storeSearch,
  severalSentences,
  recall,
  manySpaces,
  lists,
  storeCreates,
]

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    sizes: { type: 'string' },
    memories: { type: 'string' },
  },
})

const base = values.quick ? QUICK : FULL
const scale: Scale = {
  ...base,
  embedded: Number(values.memories ?? base.embedded),
  sizes: values.sizes === undefined ? base.sizes : values.sizes.split(',').map(Number),
}
const startedAt = new Date()
const figures: Figure[] = []
const sample = await openSample(scale.embedded)
printLine('texts', String(sample.texts.length))
const bench = createBench(scale, sample, (figure) => {
  figures.push(figure)
  process.stdout.write(`${line(figure)}\n`)
})
for (const row of ROWS) {
  if (values.only !== undefined && !values.only.split(',').includes(row.key)) continue
  printTitle(row.title)
  await row.measure(bench, row.title)
}
