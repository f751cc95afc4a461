// Real texts and queries with the bundled model's vectors, embedded once and kept, since twenty thousand take
// a minute. Only texts that the model takes in one piece: memories of several sentences are put together from
// them.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFlight } from '../../eval/client.ts'
import type { Embedder } from '../../packages/server/src/embedding/embedder.ts'
import { calibrationOfBundledModel } from '../../packages/server/src/embedding/model-calibration.ts'
import { bundledModelId } from '../../packages/server/src/embedding/open-embedder.ts'
import type { QueryPart, SearchQuery } from '../../packages/server/src/retrieval/evidence.ts'
import { rarityInEnglish } from '../../packages/server/src/retrieval/rarity.ts'
import { searchQueryOf } from '../../packages/server/src/retrieval/search-query.ts'
import { cacheFolder, DATA_VERSION } from './cache-folder.ts'
import { openModel } from './model.ts'
import { readTexts } from './texts.ts'

export const DIMENSION = 384
const QUERIES = 200
const IN_FLIGHT = 64

export type Embedded = { text: string; vector: Float32Array; commonness: number | undefined }

export type Sample = {
  texts: readonly Embedded[]
  queries: readonly SearchQuery[]
  /** The texts of the queries, in the same order. */
  asked: readonly Embedded[]
}

type Kept = { stored: Row[]; asked: Row[] }
type Row = [text: string, commonness: number | null]

/** `size` texts, or as many as there are; from an earlier run if possible. */
export async function openSample(size: number): Promise<Sample> {
  const file = join(cacheFolder('samples'), `${bundledModelId()}-${DATA_VERSION}-${size}`)
  if (!existsSync(`${file}.json`)) await embedTo(file, size)
  // What `embedTo` wrote has this form.
  const kept: Kept = JSON.parse(readFileSync(`${file}.json`, 'utf8'))
  const bytes = readFileSync(`${file}.bin`)
  const numbers = new Float32Array(new Uint8Array(bytes).buffer)
  const toEmbedded = ([text, commonness]: Row, row: number): Embedded => ({
    text,
    // A copy: a view of the whole buffer would take all vectors along to another thread.
    vector: numbers.slice(row * DIMENSION, (row + 1) * DIMENSION),
    commonness: commonness ?? undefined,
  })
  const all = [...kept.stored, ...kept.asked].map(toEmbedded)
  const asked = all.slice(kept.stored.length)
  return { texts: all.slice(0, kept.stored.length), asked, queries: asked.map(queryOf) }
}

const rarity = rarityInEnglish()

export function queryOf({ text, ...part }: Embedded): SearchQuery {
  const parts: QueryPart[] = [part]
  return searchQueryOf(text, parts, rarity, calibrationOfBundledModel())
}

async function embedTo(file: string, size: number): Promise<void> {
  await using embedder = await openModel()
  const texts = readTexts(size, QUERIES)
  const stored = (await inFlight(texts.stored, IN_FLIGHT, inOnePiece(embedder))).flat()
  const asked = await inFlight(texts.asked, IN_FLIGHT, async (text) => {
    const [part] = await embedder.embedQuery(text)
    if (part === undefined) throw new Error('A query has no vector.')
    return { text, ...part }
  })
  const all = [...stored, ...asked]
  const numbers = new Float32Array(all.length * DIMENSION)
  for (const [row, { vector }] of all.entries()) numbers.set(vector, row * DIMENSION)
  writeFileSync(`${file}.bin`, numbers)
  const kept: Kept = { stored: stored.map(toRow), asked: asked.map(toRow) }
  // Renamed last: if this file exists, both are complete.
  writeFileSync(`${file}.json.tmp`, JSON.stringify(kept))
  renameSync(`${file}.json.tmp`, `${file}.json`)
}

const toRow = ({ text, commonness }: Embedded): Row => [text, commonness ?? null]

const inOnePiece =
  (embedder: Embedder) =>
  async (text: string): Promise<Embedded[]> => {
    const [piece, ...others] = await embedder.embedMemory(text)
    if (piece === undefined || others.length > 0 || piece.sentences.length > 0) return []
    return [{ text, vector: piece.vector, commonness: piece.commonness }]
  }
