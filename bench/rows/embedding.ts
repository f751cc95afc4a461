// How fast texts become vectors, by length: the time for one text, and texts a second. The floor is one run
// of the bare runtime on the whole text, in turns with it. A memory takes about twice the floor's tokens,
// shared by all workers: it is embedded in pieces, and each piece of several sentences also sentence by
// sentence.
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { InferenceSession } from 'onnxruntime-node'
import { inFlight } from '../../eval/client.ts'
import { ordinarySentences } from '../../eval/data/long-texts.ts'
import type { Embedder } from '../../packages/server/src/embedding/embedder.ts'
import { readManifest } from '../../packages/server/src/embedding/local/manifest.ts'
import { findModelFiles } from '../../packages/server/src/embedding/local/model-files.ts'
import { tokenInputs } from '../../packages/server/src/embedding/local/token-inputs.ts'
import {
  openTokenReader,
  type TokenReader,
} from '../../packages/server/src/embedding/local/token-reader.ts'
import { withRememberedQueries } from '../../packages/server/src/embedding/remembered-queries.ts'
import type { Row } from '../bench.ts'
import { openModel, WORKERS } from '../data/model.ts'
import type { Figure } from '../report/figure.ts'
import { type Latency, latencyOf } from '../timing/rounds.ts'

const LENGTHS = [
  { tokens: 16, texts: 200 },
  { tokens: 64, texts: 100 },
  { tokens: 128, texts: 60 },
  { tokens: 512, texts: 20 },
] as const
const REPETITIONS = 1_000
/** Tokens that the model adds to each text. */
const SPECIAL_TOKENS = 2

type Run = (text: string) => Promise<unknown>

export const embedding: Row = {
  key: 'embedding',
  title: 'Embedding with the bundled model',
  async measure({ scale, record }, row) {
    const manifest = readManifest(modelFolder)
    const files = await findModelFiles(modelFolder, manifest)
    const reader = openTokenReader(files.tokenizer, manifest)
    const bare = await bareRuntime(files.model, reader)
    await using embedder = await openModel()
    const textOf = textsOf(reader)
    for (const { tokens, texts } of LENGTHS) {
      const some = Array.from({ length: texts * scale.embeddingShare }, () => textOf(tokens))
      const measured = await measureLength({ tokens, texts: some, bare, embedder })
      for (const figure of measured) record({ row, ...figure })
    }
    const { p50, p99 } = await measureRepeatedQuery(embedder, textOf(16))
    record({ row, name: 'a query asked before', unit: 'ms', value: p50, p99 })
  },
}

async function bareRuntime(model: string, reader: TokenReader): Promise<Run> {
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  })
  return (text) => session.run(tokenInputs(session, reader.idsOf(text, 'passage')))
}

/** Texts of ordinary words, no two alike, of exactly `tokens` tokens. */
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
}

async function measureLength({
  tokens,
  texts,
  bare,
  embedder,
}: Measured): Promise<Omit<Figure, 'row'>[]> {
  const embed: Run = (text) => embedder.embedMemory(text)
  const floors: number[] = []
  const took: number[] = []
  for (const text of texts) {
    floors.push(await timed(bare, text))
    took.push(await timed(embed, text))
  }
  const startMs = performance.now()
  await inFlight(texts, WORKERS, embed)
  const perSecond = texts.length / ((performance.now() - startMs) / 1000)
  const [floor, alone] = [latencyOf(floors), latencyOf(took)]
  return [
    {
      name: `${tokens} tokens, one text at a time`,
      unit: 'ms',
      value: alone.p50,
      p99: alone.p99,
      floor: { name: 'one run of the bare runtime', value: floor.p50 },
    },
    {
      name: `${tokens} tokens, a text for each of ${WORKERS} workers`,
      unit: 'a second',
      value: perSecond,
    },
  ]
}

async function measureRepeatedQuery(embedder: Embedder, query: string): Promise<Latency> {
  const { embedQuery } = withRememberedQueries(embedder)
  await embedQuery(query)
  const tookMs: number[] = []
  for (let index = 0; index < REPETITIONS; index += 1) tookMs.push(await timed(embedQuery, query))
  return latencyOf(tookMs)
}

async function timed(run: Run, text: string): Promise<number> {
  const start = performance.now()
  await run(text)
  return performance.now() - start
}
