// Which model made the vectors of this store. Vectors of two models cannot be compared, so a store
// belongs to one model from its first start on.
// decisions/2026-11-21-model-and-vectors.md
import type { Connection } from './open-database.ts'

export type EmbeddingModel = { id: string; dimension: number }

export function embeddingModelWrites(db: Connection) {
  const read = db.prepare<[], EmbeddingModel>('SELECT id, dimension FROM embedding_model')
  const insert = db.prepare<[string, number]>(
    'INSERT INTO embedding_model (one, id, dimension) VALUES (1, ?, ?) ON CONFLICT DO NOTHING',
  )
  return {
    /** Returns the model of the store: the given one when the store had none. */
    remember({ id, dimension }: EmbeddingModel): EmbeddingModel {
      insert.run(id, dimension)
      return read.get() ?? { id, dimension }
    },
  }
}
