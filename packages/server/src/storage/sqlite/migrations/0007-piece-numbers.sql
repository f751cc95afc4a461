-- Pieces known by one number each, in tables of the plain kind. The rows are some 2,000 bytes long:
-- in the key of a table without row ids four of them filled a page on every level of its tree, which
-- was ten levels deep for a million. Now it is three.
-- decisions/2026-11-21-piece-numbers.md

CREATE TABLE numbered_pieces (
  -- The memory's number times 65,536, and the part.
  no INTEGER PRIMARY KEY,
  memory_no INTEGER GENERATED ALWAYS AS (no >> 16) VIRTUAL,
  part INTEGER GENERATED ALWAYS AS (no & 65535) VIRTUAL,
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  commonness REAL,
  -- Separated by spaces. A row without terms is a sentence of the piece before it.
  terms TEXT,
  -- float32, little-endian, unit length
  vector BLOB NOT NULL
) STRICT;
INSERT INTO numbered_pieces (no, start_offset, end_offset, commonness, terms, vector)
  SELECT memory_no * 65536 + part, start_offset, end_offset, commonness, terms, vector
  FROM pieces ORDER BY memory_no, part;
DROP TABLE pieces;
ALTER TABLE numbered_pieces RENAME TO pieces;

CREATE TABLE numbered_pieces (
  no INTEGER PRIMARY KEY,
  memory_no INTEGER GENERATED ALWAYS AS (no >> 16) VIRTUAL,
  part INTEGER GENERATED ALWAYS AS (no & 65535) VIRTUAL,
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  commonness REAL,
  terms TEXT,
  vector BLOB NOT NULL
) STRICT;
INSERT INTO numbered_pieces (no, start_offset, end_offset, commonness, terms, vector)
  SELECT memory_no * 65536 + part, start_offset, end_offset, commonness, terms, vector
  FROM pieces_beside ORDER BY memory_no, part;
DROP TABLE pieces_beside;
ALTER TABLE numbered_pieces RENAME TO pieces_beside;

-- What the foreign keys did: no piece outlives its memory.
CREATE TRIGGER pieces_go_with_their_memory AFTER DELETE ON memories BEGIN
  DELETE FROM pieces WHERE no BETWEEN old.no << 16 AND old.no << 16 | 65535;
  DELETE FROM pieces_beside WHERE no BETWEEN old.no << 16 AND old.no << 16 | 65535;
END;
