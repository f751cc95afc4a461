// What a search counts in this process for long memories and long queries, it counts on the thread that
// serves everybody: others get their turns in between.
import { expect, test } from 'vitest'
import { queryOf } from '../../conformance/records.ts'
import { Strengths } from '../../ranking/strengths.ts'
import { type EvidenceOfMemory, type EvidenceTable, piecesOfMemories } from './evidence.ts'
import { EvidenceRanking } from './evidence-ranking.ts'

const MEMORIES = 100
const ROWS_OF_EACH = 1_000
const ROWS = MEMORIES * ROWS_OF_EACH
const PARTS = 10
const [part] = queryOf([1, 0]).parts
if (part === undefined) throw new Error('A query has a part.')
const query = queryOf([1, 0], { parts: Array.from({ length: PARTS }, () => part) })
const strengths = new Strengths(query, [])

/** How often others had a turn before it was done; `turnsSoFar` before a moment of it. */
async function turnsDuring(work: (turnsSoFar: () => number) => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const takeTurn = (): void => {
    turns += 1
    if (!isDone) setImmediate(takeTurn)
  }
  setImmediate(takeTurn)
  await work(() => turns)
  isDone = true
  return turns
}

const memoryAt = (place: number): EvidenceOfMemory => ({
  no: place,
  id: `mem_${place}`,
  createdAt: place,
  isAsking: false,
  isSame: false,
  pieces: [
    {
      row: place * ROWS_OF_EACH,
      rowEnd: (place + 1) * ROWS_OF_EACH,
      coverage: 0,
      nameCoverage: 0,
      forms: new Set(),
    },
  ],
})
const table = (): EvidenceTable => ({
  memories: Array.from({ length: MEMORIES }, (_, place) => memoryAt(place)),
  rows: {
    commonness: new Float32Array(ROWS),
    cosines: query.parts.map(() => new Float64Array(ROWS).fill(0.5)),
  },
})

test('others have their turns while memories are ranked, and scored again from their vectors', async () => {
  const evidence = table()
  // They may be the same text, and their vectors say that they are not.
  for (const cosines of evidence.rows.cosines) cosines.fill(1)
  const vectors = Array.from({ length: ROWS_OF_EACH }, () => Float32Array.of(0.5, 0))
  let turnsOfRanking = 0
  const turns = await turnsDuring(async (turnsSoFar) => {
    const ranking = new EvidenceRanking(evidence, { query, terms: [], strengths }, async (nos) => {
      turnsOfRanking = turnsSoFar()
      return new Map(nos.map((no) => [no, vectors]))
    })
    await ranking.best({ limit: MEMORIES, threshold: 0 })
  })
  expect(turnsOfRanking).toBeGreaterThan(3)
  expect(turns - turnsOfRanking).toBeGreaterThan(3)
})

test('others have their turns while rows become pieces', async () => {
  const numbers = Buffer.alloc(20 * ROWS * 8)
  for (let row = 0; row < 20 * ROWS; row += 1) {
    numbers.writeBigInt64BE(BigInt(Math.floor(row / ROWS_OF_EACH)), row * 8)
  }
  const kinds = Buffer.alloc(20 * ROWS, 1)
  const rows = { numbers, kinds, forms: '\n'.repeat(20 * ROWS), common: null }
  expect(await turnsDuring(async () => piecesOfMemories(rows, strengths))).toBeGreaterThan(3)
})
