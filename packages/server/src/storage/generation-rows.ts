// Rows of generations, in the columns that every driver has.
import type { Generation, ModelSource, VectorModel } from './generation.ts'

export type GenerationState = 'current' | 'growing' | 'retired'

export type GenerationRow = {
  no: number
  model_id: string
  dimension: number
  pieces_version: number
  source: string | null
}

export const GENERATION_COLUMNS = 'no, model_id, dimension, pieces_version, source'

export const toGeneration = (row: GenerationRow): Generation => ({
  number: row.no,
  id: row.model_id,
  dimension: row.dimension,
  piecesVersion: row.pieces_version,
  source: row.source === null ? undefined : parseSource(row.source),
})

/** The column holds what `sourceText` made of a source. */
const parseSource = (json: string): ModelSource => JSON.parse(json)

export const sourceText = (source: ModelSource | undefined): string | null =>
  source === undefined ? null : JSON.stringify(source)

/** Whether it is the same model, found in another place than before. */
export const hasMoved = (current: VectorModel, model: VectorModel): boolean =>
  current.id === model.id &&
  current.dimension === model.dimension &&
  sourceText(current.source) !== sourceText(model.source)
