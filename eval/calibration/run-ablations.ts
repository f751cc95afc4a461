// Computes and prints the table of ablations.
import { readFileSync } from 'node:fs'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { openLocalEmbedder } from '../../packages/server/src/embedding/local/local-embedder.ts'
import { parseLocomo } from '../data/locomo.ts'
import { parseSts } from '../data/sts.ts'
import { decimals, printLine, printTitle } from '../report.ts'
import { type Ablation, ablations } from './ablations.ts'
import { askLong, askPairs, askQuestions } from './asked.ts'

const CELL_WIDTH = 25

export async function runAblations(
  files: { locomo: string; sts: string },
  conversationsMax: number,
): Promise<Record<string, Ablation>> {
  const conversations = parseLocomo(readFileSync(files.locomo, 'utf8')).slice(0, conversationsMax)
  const embedder = await openLocalEmbedder({ folder: modelFolder, workers: 1 })
  try {
    const judges = {
      questions: await askQuestions(conversations, embedder),
      pairs: await askPairs(parseSts(readFileSync(files.sts, 'utf8')), embedder),
      long: await askLong(embedder),
    }
    const table = ablations(judges, embedder.model.calibration)
    print(table)
    return table
  } finally {
    await embedder.close()
  }
}

function print(table: Readonly<Record<string, Ablation>>): void {
  printTitle('What each ingredient is worth: the score without it, or with other weights')
  const [first] = Object.values(table)
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => cell.padEnd(CELL_WIDTH)).join('')
  printLine('', line(Object.keys(first ?? {})))
  for (const [name, figures] of Object.entries(table)) {
    printLine(name, line(Object.values(figures).map((value) => decimals(value))))
  }
}
