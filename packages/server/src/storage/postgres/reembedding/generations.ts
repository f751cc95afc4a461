// Which generation of vectors is in use, and the index over the vectors of each. Whoever inserts or
// searches compares inside its transaction; a switch waits for inserts under way and holds up new
// ones (the lock), so that none slips through with vectors of the model that was left.
import type { ClientBase } from 'pg'
import type { Generation, GenerationStore, ModelSource, VectorModel } from '../../generation.ts'
import {
  GENERATION_COLUMNS,
  type GenerationRow,
  type GenerationState,
  hasMoved,
  sourceText,
  toGeneration,
} from '../../generation-rows.ts'
import { LOCKS } from '../connection/locks.ts'
import { onClient, prepared, type Transaction } from '../connection/transaction.ts'

/** What pgvector can index as half-precision numbers. */
export const INDEXED_DIMENSION_MAX = 4_000

const SHARE_LOCK = prepared(`SELECT pg_advisory_xact_lock_shared(${LOCKS.generation})`)
const LOCK_ALONE = prepared(`SELECT pg_advisory_xact_lock(${LOCKS.generation})`)

const FIND = prepared<GenerationRow>(
  `SELECT ${GENERATION_COLUMNS} FROM generations WHERE state = $1`,
)
const INSERT = prepared<{ no: number }>(
  `INSERT INTO generations (state, model_id, dimension, pieces_version, source)
   VALUES ($1, $2, $3, $4, $5) RETURNING no`,
)
const EXPECT = prepared(
  `SELECT COALESCE((SELECT 1 FROM generations WHERE state = 'current' AND no = $1), refuse('MG003'))`,
)
const LOCATE = prepared('UPDATE generations SET source = $1 WHERE state = $2')

export async function findGeneration(
  transaction: Transaction,
  state: GenerationState,
): Promise<Generation | undefined> {
  const row = await transaction.one(FIND, [state])
  return row && toGeneration(row)
}

/** Notes where its model is found now. */
export async function locateGeneration(
  transaction: Transaction,
  state: GenerationState,
  source: ModelSource | undefined,
): Promise<void> {
  await transaction.run(LOCATE, [sourceText(source), state])
}

/** Rejects as `outdated` when vectors of this generation are not in use. */
export async function expectInUse(transaction: Transaction, generation: number): Promise<void> {
  await transaction.run(EXPECT, [generation])
}

/** Until the end of the transaction no other generation comes into use. */
export const holdGeneration = (transaction: Transaction): Promise<unknown> =>
  transaction.one(SHARE_LOCK, [])

/** Waits for every insert under way, and holds up new ones until the end of the transaction. */
export const holdGenerationAlone = (transaction: Transaction): Promise<unknown> =>
  transaction.one(LOCK_ALONE, [])

/** Also makes the index over its vectors: only the owner of the tables can do that. */
export async function addGeneration(
  owner: ClientBase,
  state: GenerationState,
  model: VectorModel,
): Promise<Generation> {
  const { id, dimension, piecesVersion, source } = model
  const row = await onClient(owner).one(INSERT, [
    state,
    id,
    dimension,
    piecesVersion,
    sourceText(source),
  ])
  if (row === undefined) throw new Error('A generation was not stored.')
  if (dimension <= INDEXED_DIMENSION_MAX) await owner.query(vectorIndexSql(row.no, dimension))
  return { ...model, number: row.no }
}

/**
 * An index of its own for each generation: vectors of two models cannot be neighbours. The planner
 * keeps no samples of it, which would outlive the memories that they are of.
 */
const vectorIndexSql = (generation: number, dimension: number): string =>
  `CREATE INDEX pieces_near_${generation} ON pieces
     USING hnsw ((code::halfvec(${dimension})) halfvec_ip_ops)
     WHERE generation = ${generation} AND code IS NOT NULL;
   ALTER INDEX pieces_near_${generation} ALTER COLUMN 1 SET STATISTICS 0`

/** `asOwner` runs its work in one transaction on a connection of the tables' owner. */
export const generationStore = (
  read: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>,
  asOwner: <Result>(work: (owner: ClientBase) => Promise<Result>) => Promise<Result>,
): GenerationStore => ({
  current: () => read((transaction) => findGeneration(transaction, 'current')),
  async adopt(model) {
    const known = await read((transaction) => findGeneration(transaction, 'current'))
    if (known !== undefined && !hasMoved(known, model)) return known
    return asOwner(async (owner) => {
      const transaction = onClient(owner)
      await holdGenerationAlone(transaction)
      const current = await findGeneration(transaction, 'current')
      if (current === undefined) return addGeneration(owner, 'current', model)
      if (!hasMoved(current, model)) return current
      await locateGeneration(transaction, 'current', model.source)
      return { ...current, source: model.source }
    })
  },
})
