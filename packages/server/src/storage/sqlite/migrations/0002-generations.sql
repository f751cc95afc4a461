-- Vectors of two models cannot be compared, so vectors come in generations, each made by one model.
-- One generation is in use; another one can grow beside it, and the switch from one to the other is
-- a change of two rows here, however many memories there are. decisions/2026-11-21-reembedding.md

CREATE TABLE generations (
  -- AUTOINCREMENT: the number of a discarded generation never names another one.
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What is retired is being removed, piece by piece.
  state TEXT NOT NULL UNIQUE CHECK (state IN ('current', 'growing', 'retired')),
  -- The table that holds its pieces. Each holds one generation at a time.
  pieces_table TEXT NOT NULL UNIQUE CHECK (pieces_table IN ('pieces', 'pieces_beside')),
  model_id TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  -- How the texts were cut and prepared.
  pieces_version INTEGER NOT NULL,
  -- JSON: where the model is opened from. Unknown in stores that are older than this table.
  source TEXT
) STRICT;

INSERT INTO generations (state, pieces_table, model_id, dimension, pieces_version)
  SELECT 'current', 'pieces', id, dimension, 1 FROM embedding_model;
DROP TABLE embedding_model;

-- A table of its own, and not a column in the key of pieces: no row of a large table is rewritten,
-- and the vectors of one generation lie together.
CREATE TABLE pieces_beside (
  memory_no INTEGER NOT NULL REFERENCES memories (no) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  -- float32, little-endian, unit length
  vector BLOB NOT NULL,
  PRIMARY KEY (memory_no, part)
) STRICT, WITHOUT ROWID;
