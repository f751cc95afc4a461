// The generations of vectors: which one is in use, which model made it, and which of the two tables
// of pieces holds it.
// decisions/2026-11-21-reembedding.md
import type { Generation, ModelSource, VectorModel } from '../../generation.ts'
import {
  GENERATION_COLUMNS,
  type GenerationRow,
  type GenerationState,
  hasMoved,
  sourceText,
  toGeneration,
} from '../../generation-rows.ts'
import { StoreError } from '../../store.ts'
import { type Notes, notesOfTransaction } from '../commit/group-commit.ts'
import type { Connection } from '../opening/open-database.ts'

export const PIECE_TABLES = ['pieces', 'pieces_beside'] as const
export type PieceTable = (typeof PIECE_TABLES)[number]

type Placed = { number: number; table: PieceTable }

export function generationReads(db: Connection) {
  const select = db.prepare<[GenerationState], GenerationRow>(
    `SELECT ${GENERATION_COLUMNS} FROM generations WHERE state = ?`,
  )
  const selectPlace = db.prepare<[GenerationState], Placed>(
    'SELECT no AS number, pieces_table AS "table" FROM generations WHERE state = ?',
  )

  function place(state: GenerationState): Placed | undefined {
    const row = selectPlace.get(state)
    return row && { number: row.number, table: ownName(row.table) }
  }

  return {
    find(state: GenerationState): Generation | undefined {
      const row = select.get(state)
      return row && toGeneration(row)
    },
    place,
    /** The table of the generation in use. Throws when it is not the expected one. */
    tableInUse(expected: number): PieceTable {
      const inUse = place('current')
      if (inUse?.number === expected) return inUse.table
      throw new StoreError('outdated', new Error(`Generation ${expected} is not in use.`))
    },
  }
}

/**
 * That of this file. A row has another string each time, and V8 throws away what it has compiled for one when it
 * meets another that names the same property.
 */
const ownName = (table: PieceTable): PieceTable => (table === 'pieces' ? 'pieces' : 'pieces_beside')

/** `tableInUse`, looked up once in each transaction: within one, only this thread could change it. */
export function generationsOfCommit(
  db: Connection,
): Pick<ReturnType<typeof generationReads>, 'tableInUse' | 'place'> & { notes: Notes } {
  const { tableInUse, place } = generationReads(db)
  let known: { generation: number; table: PieceTable } | undefined
  return {
    place,
    tableInUse(expected) {
      if (known?.generation !== expected) {
        known = { generation: expected, table: tableInUse(expected) }
      }
      return known.table
    },
    notes: notesOfTransaction(() => {
      known = undefined
    }),
  }
}

export function generationWrites(db: Connection) {
  const { find } = generationReads(db)
  const insert = db.prepare<[GenerationState, PieceTable, string, number, number, string | null]>(
    `INSERT INTO generations (state, pieces_table, model_id, dimension, pieces_version, source)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const locate = db.prepare<[string | null, GenerationState]>(
    'UPDATE generations SET source = ? WHERE state = ?',
  )

  function add(state: GenerationState, table: PieceTable, model: VectorModel): Generation {
    const { id, dimension, piecesVersion, source } = model
    const { lastInsertRowid } = insert.run(
      state,
      table,
      id,
      dimension,
      piecesVersion,
      sourceText(source),
    )
    return { ...model, number: Number(lastInsertRowid) }
  }

  return {
    add,
    adopt(model: VectorModel): Generation {
      const current = find('current')
      if (current === undefined) return add('current', 'pieces', model)
      if (!hasMoved(current, model)) return current
      locate.run(sourceText(model.source), 'current')
      return { ...current, source: model.source }
    },
    locateGrowing(source: ModelSource | undefined): void {
      locate.run(sourceText(source), 'growing')
    },
  }
}
