-- A piece has terms of its own, is followed by the sentences that begin in it (rows without terms),
-- and every embedded text has its commonness, where its model can tell. Pieces from before have the
-- terms of their whole memory; `mnemograph reembed` makes them anew.
-- decisions/2026-11-21-search-score.md

ALTER TABLE pieces ADD COLUMN commonness REAL;
-- Separated by spaces.
ALTER TABLE pieces ADD COLUMN terms TEXT;
ALTER TABLE pieces_beside ADD COLUMN commonness REAL;
ALTER TABLE pieces_beside ADD COLUMN terms TEXT;

UPDATE pieces SET terms = (SELECT terms FROM memories WHERE no = memory_no);
UPDATE pieces_beside SET terms = (SELECT terms FROM memories WHERE no = memory_no);
ALTER TABLE memories DROP COLUMN terms;
