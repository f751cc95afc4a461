// How fast texts become vectors: what one text takes and how many a second, by length, beside the
// bare runtime on the same tokens (the floor) in turns, so that both meet the same noise. A text
// that is longer than a piece is embedded in pieces by all workers, the floor in one run.
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { InferenceSession } from 'onnxruntime-node'
import { inFlight } from '../eval/client.ts'
import { ordinarySentences } from '../eval/long-texts.ts'
import { percentile } from '../eval/metrics.ts'
import { decimals, latencies, printLine, printTitle } from '../eval/report.ts'
import type { Embedder } from '../packages/server/src/embedding/embedder.ts'
import { openLocalEmbedder } from '../packages/server/src/embedding/local/local-embedder.ts'
import { readManifest } from '../packages/server/src/embedding/local/manifest.ts'
import { findModelFiles } from '../packages/server/src/embedding/local/model-files.ts'
import { tokenInputs } from '../packages/server/src/embedding/local/token-inputs.ts'
import {
  openTokenReader,
  type TokenReader,
} from '../packages/server/src/embedding/local/token-reader.ts'
import { withRememberedQueries } from '../packages/server/src/embedding/remembered-queries.ts'

const LENGTHS = [
  { tokens: 16, texts: 200 },
  { tokens: 64, texts: 100 },
  { tokens: 128, texts: 60 },
  { tokens: 512, texts: 20 },
] as const
const REPETITIONS = 1_000
/** Of the tokens that the model reads, two are its own. */
const SPECIAL_TOKENS = 2

type Run = (text: string) => Promise<unknown>

export async function measureEmbedding(workers: number): Promise<void> {
  printTitle(`Embedding, ${workers} workers of one thread each`)
  const manifest = readManifest(modelFolder)
  const files = await findModelFiles(modelFolder, manifest)
  const reader = openTokenReader(files.tokenizer, manifest)
  const bare = await bareRuntime(files.model, reader)
  const embedder = await openLocalEmbedder({ folder: modelFolder, workers })
  try {
    const textOf = textsOf(reader)
    for (const { tokens, texts } of LENGTHS) {
      const some = Array.from({ length: texts }, () => textOf(tokens))
      await measureLength({ tokens, texts: some, bare, embedder, workers })
    }
    await measureRepeatedQuery(embedder, textOf(16))
  } finally {
    await embedder.close()
  }
}

async function bareRuntime(model: string, reader: TokenReader): Promise<Run> {
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  })
  return (text) => session.run(tokenInputs(session, reader.idsOf(text, 'passage')))
}

/** Ordinary words, no two texts alike, of exactly so many tokens for the model. */
function textsOf(reader: TokenReader): (tokens: number) => string {
  const words = ordinarySentences(300_000, 11).join(' ').split(' ').values()
  return (tokens) => {
    const chosen: string[] = []
    let missing = tokens - SPECIAL_TOKENS
    for (const word of words.take(missing)) {
      const length = reader.countTokens(word)
      if (length > missing) break
      chosen.push(word)
      missing -= length
    }
    return [...chosen, ...new Array<string>(missing).fill('and')].join(' ')
  }
}

type Measured = {
  tokens: number
  texts: string[]
  bare: Run
  embedder: Embedder
  workers: number
}

async function measureLength({ tokens, texts, bare, embedder, workers }: Measured): Promise<void> {
  const embed: Run = (text) => embedder.embedMemory(text)
  const floor: number[] = []
  const alone: number[] = []
  for (const text of texts) {
    floor.push(await timed(bare, text))
    alone.push(await timed(embed, text))
  }
  const start = performance.now()
  await inFlight(texts, workers, embed)
  const perSecond = texts.length / ((performance.now() - start) / 1000)
  const ratio = percentile(alone, 0.5) / percentile(floor, 0.5)
  printLine(`${tokens} tokens, floor: the bare runtime`, latencies(floor))
  printLine(
    `${tokens} tokens, one text at a time`,
    `${latencies(alone)}  ${decimals(ratio, 2)} x its floor`,
  )
  printLine(`${tokens} tokens, a text for each worker`, `${decimals(perSecond, 0)} texts a second`)
}

async function measureRepeatedQuery(embedder: Embedder, query: string): Promise<void> {
  const { embedQuery } = withRememberedQueries(embedder)
  await embedQuery(query)
  const tookMs: number[] = []
  for (let index = 0; index < REPETITIONS; index += 1) tookMs.push(await timed(embedQuery, query))
  const [p50 = '', p99 = ''] = [0.5, 0.99].map((p) => decimals(percentile(tookMs, p), 3))
  printLine('a query asked before', `p50 ${p50} ms  p99 ${p99} ms`)
}

async function timed(run: Run, text: string): Promise<number> {
  const start = performance.now()
  await run(text)
  return performance.now() - start
}
