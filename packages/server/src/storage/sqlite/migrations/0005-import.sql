-- How far `mnemograph import` has come, noted in the very commits that bring the records. A store
-- whose import is unfinished is not opened for anything else.
-- decisions/2026-11-21-moving.md

CREATE TABLE import_progress (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  -- Which archive.
  archive TEXT NOT NULL,
  -- Its blocks that are in the store, and the archive's checksum up to there.
  blocks INTEGER NOT NULL,
  checksum TEXT NOT NULL,
  finished INTEGER NOT NULL CHECK (finished IN (0, 1))
) STRICT;
