// How much of the model's own speed an import reaches: the same texts through the embedder alone and through
// the endpoint of a server with this very embedder, in turns. Server, client and model share one process, so
// that the client's work counts against the import.
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { inFlight } from '../../eval/client.ts'
import { median } from '../../eval/statistics/metrics.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { IMPORT_MEDIA_TYPE, IMPORT_PATH } from '../../packages/server/src/contract/import.ts'
import { createKey, NO_LIMITS_OF_ITS_OWN } from '../../packages/server/src/core/keys.ts'
import type { Embedder } from '../../packages/server/src/embedding/embedder.ts'
import { type Running, start } from '../../packages/server/src/main.ts'
import { openModel } from '../data/model.ts'

const ALONE_IN_FLIGHT = 64
/** Enough for all workers of the model to have started before the first round. */
const WARM_UP = 512
const LINES_PER_BLOCK = 256

type ImportSpeed = {
  /** Memories a second; medians of the rounds. */
  alone: number
  imported: number
  /** Of an import to the embedder alone, by time and by processor time; medians of the rounds. */
  ratio: number
  processorRatio: number
}

type Speed = { perSecond: number; processorMs: number }

/** `texts` are shared out among the rounds; each goes both ways. */
export async function measureImport(
  texts: readonly string[],
  rounds: number,
): Promise<ImportSpeed> {
  const embedder = await openModel()
  const directory = mkdtempSync(join(tmpdir(), 'mnemograph-import-speed-'))
  const config = readConfig({
    PORT: '0',
    MNEMOGRAPH_DATA_DIR: directory,
    MNEMOGRAPH_LOG_LEVEL: 'silent',
  })
  const fail = (error: unknown): never => {
    throw error
  }
  // Stopping it closes the embedder too.
  const running = await start(config, fail, { embedder })
  try {
    return await measureRounds(running, embedder, { texts, rounds })
  } finally {
    await running.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measureRounds(
  { address, service }: Running,
  embedder: Embedder,
  { texts, rounds }: { texts: readonly string[]; rounds: number },
): Promise<ImportSpeed> {
  const { key } = await createKey(
    { keys: service.store.keys, identify: service.identify },
    { name: 'measurement', plan: 'enterprise', limits: NO_LIMITS_OF_ITS_OWN },
  )
  const alone = (some: readonly string[]) =>
    inFlight(some, ALONE_IN_FLIGHT, (text) => embedder.embedMemory(text))
  const imported = (some: readonly string[]) => importTexts(address, key, some)
  await alone(texts.slice(0, WARM_UP))
  await imported(texts.slice(0, WARM_UP))
  const perRound = Math.floor(texts.length / rounds)
  const results: { alone: Speed; imported: Speed }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const some = texts.slice(round * perRound, (round + 1) * perRound)
    const isAloneFirst = round % 2 === 0
    const before = isAloneFirst ? await timed(some, alone) : undefined
    const second = await timed(some, imported)
    results.push({ alone: before ?? (await timed(some, alone)), imported: second })
  }
  const medianOf = (value: (round: (typeof results)[number]) => number): number =>
    median(results.map(value))
  return {
    alone: medianOf((round) => round.alone.perSecond),
    imported: medianOf((round) => round.imported.perSecond),
    ratio: medianOf((round) => round.imported.perSecond / round.alone.perSecond),
    processorRatio: medianOf((round) => round.alone.processorMs / round.imported.processorMs),
  }
}

async function timed(
  texts: readonly string[],
  run: (texts: readonly string[]) => Promise<unknown>,
): Promise<Speed> {
  const usedBefore = process.cpuUsage()
  const startMs = performance.now()
  await run(texts)
  const seconds = (performance.now() - startMs) / 1_000
  const { user, system } = process.cpuUsage(usedBefore)
  return { perSecond: texts.length / seconds, processorMs: (user + system) / 1_000 }
}

/** Resolves when each text is on the disk. Throws when one was refused. */
async function importTexts(address: string, key: string, texts: readonly string[]): Promise<void> {
  const lines = texts.map((content) => `${JSON.stringify({ content, userId: 'import' })}\n`)
  // In blocks of lines, as a client that reads a file sends them.
  const blocks = Array.from({ length: Math.ceil(lines.length / LINES_PER_BLOCK) }, (_, block) =>
    lines.slice(block * LINES_PER_BLOCK, (block + 1) * LINES_PER_BLOCK).join(''),
  )
  const answer = await new Promise<string>((resolve, reject) => {
    const sending = request(`${address}${IMPORT_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': IMPORT_MEDIA_TYPE },
    })
    sending.on('error', reject)
    sending.on('response', (response) => {
      let last = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        last = (last + text).slice(-1_000)
      })
      response.on('end', () => resolve(last))
      response.on('error', reject)
    })
    Readable.from(blocks).pipe(sending)
  })
  const summary = answer.trimEnd().split('\n').at(-1)
  if (JSON.parse(summary ?? '').summary?.created === texts.length) return
  throw new Error(`The import answered: ${summary}`)
}
