-- How far `mnemograph import` has come, noted in the very commits that bring the records. A database
-- whose import is unfinished is not opened for anything else.
-- decisions/2026-11-21-moving.md

CREATE TABLE import_progress (
  one integer PRIMARY KEY CHECK (one = 1),
  -- Which archive.
  archive text NOT NULL,
  -- Its blocks that are in the store, and the archive's checksum up to there.
  blocks integer NOT NULL,
  checksum text NOT NULL,
  finished boolean NOT NULL
);
GRANT SELECT ON import_progress TO mnemograph_service;
GRANT SELECT, INSERT, UPDATE ON import_progress TO mnemograph_maintenance;
