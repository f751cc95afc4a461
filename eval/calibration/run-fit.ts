// `npm run fit -- --locomo FILE --sts FILE [--write]`: derives the weights and borders of the score again,
// and prints what they reach on the data that they were fitted to and on held-out data. With --write it
// stores them in the bundled model's manifest.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { openLocalEmbedder } from '../../packages/server/src/embedding/local/local-embedder.ts'
import { EVERYDAY_SETS } from '../data/everyday.ts'
import { parseLocomo } from '../data/locomo.ts'
import { STATED_PARTS } from '../data/stated-parts.ts'
import { parseSts, SAME } from '../data/sts.ts'
import { decimals, printLine, printTitle } from '../report.ts'
import {
  askEveryday,
  askPairs,
  askQuestions,
  type JudgeEveryday,
  type JudgePairs,
  type JudgeQuestions,
} from './asked.ts'
import type { Calibration } from './evidence.ts'
import { everydayFigures, pairFigures, partFigures, questionFigures } from './figures.ts'
import { fitAsking, fitNameless, fitStating } from './fit.ts'
import { askLanguages, fitScripts, type JudgeLanguages, languageFigures } from './fit-scripts.ts'
import { remembering } from './remembering.ts'

/** A part says the same as its memory to people, hence the rating. */
const PARTS = STATED_PARTS.flatMap(({ memory, parts }) =>
  parts.map((part) => ({ first: memory, second: part, rating: SAME })),
)
const USAGE = 'npm run fit -- --locomo FILE --sts FILE [--write]\n'

const { values } = parseArgs({
  options: {
    locomo: { type: 'string' },
    sts: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
if (values.locomo === undefined || values.sts === undefined) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else {
  await main(values.locomo, values.sts, values.write)
}

async function main(locomo: string, sts: string, writes: boolean): Promise<void> {
  const conversations = parseLocomo(readFileSync(locomo, 'utf8'))
  const embedder = await openLocalEmbedder({ folder: modelFolder, workers: 1 })
  const judgeQuestions = remembering(await askQuestions(conversations, embedder))
  const judgePairs = remembering(await askPairs(parseSts(readFileSync(sts, 'utf8')), embedder))
  const judgeEveryday = remembering(await askEveryday(conversations, embedder))
  const judgeParts = remembering(await askPairs(PARTS, embedder))
  const judgeLanguages = remembering(await askLanguages(embedder))
  await embedder.close()
  const start = embedder.model.calibration
  const printed = (title: string, calibration: Calibration): void =>
    print(title, calibration, {
      judgeQuestions,
      judgeEveryday,
      judgePairs,
      judgeParts,
      judgeLanguages,
    })

  printed('The calibration as it is', start)
  const fitted = fitScripts(
    judgeLanguages,
    fitNameless(
      judgeEveryday,
      fitStating(judgePairs, judgeParts, fitAsking(judgeQuestions, start)),
    ),
  )
  printed('Fitted to all of the data: in-sample', fitted)

  const heldOut = conversations.flatMap(({ id }) => {
    const fold = fitAsking(judgeQuestions, start, ({ conversation }) => conversation !== id)
    return judgeQuestions(fold).filter(({ conversation }) => conversation === id)
  })
  printTitle('Each conversation judged by what was fitted to the others: held out')
  printFigures(questionFigures(heldOut))
  const heldOutSets = EVERYDAY_SETS.flatMap((held) => {
    const fold = fitNameless(judgeEveryday, start, ({ set }) => set !== held)
    return judgeEveryday(fold).filter(({ set }) => set === held)
  })
  printTitle('Each set of everyday questions judged by what was fitted to the others: held out')
  printFigures(everydayFigures(heldOutSets))
  printTitle(
    'Whoever writes in another language judged by what was fitted to the other person: held out',
  )
  for (const held of [0, 1]) {
    const fold = fitScripts(judgeLanguages, start, ({ person }) => person !== held)
    const judged = judgeLanguages(fold).filter(({ person }) => person === held)
    printFigures(languageFigures(judged, fold))
  }
  if (writes) store(fitted)
}

function print(
  title: string,
  calibration: Calibration,
  judges: {
    judgeQuestions: JudgeQuestions
    judgeEveryday: JudgeEveryday
    judgePairs: JudgePairs
    judgeParts: JudgePairs
    judgeLanguages: JudgeLanguages
  },
): void {
  printTitle(title)
  printLine('asking', JSON.stringify(calibration.asking))
  printLine('nameless', JSON.stringify(calibration.nameless))
  printLine('stating', JSON.stringify(calibration.stating))
  printFigures(questionFigures(judges.judgeQuestions(calibration)))
  printFigures(everydayFigures(judges.judgeEveryday(calibration)))
  printFigures(pairFigures(judges.judgePairs(calibration)))
  printFigures(partFigures(judges.judgeParts(calibration)))
  printLine('scripts', JSON.stringify(calibration.scripts))
  printFigures(languageFigures(judges.judgeLanguages(calibration), calibration))
}

function printFigures(figures: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(figures)) printLine(name, decimals(value))
}

/** The manifest's other fields stay as they are; its checksums are those of other files. */
function store(calibration: Calibration): void {
  const file = new URL('manifest.json', modelFolder)
  const manifest = { ...JSON.parse(readFileSync(file, 'utf8')), calibration }
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  printLine('written to', 'the manifest of the bundled model')
}
