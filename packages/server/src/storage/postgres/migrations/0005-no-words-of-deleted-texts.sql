-- What no memory has any more is not counted: a count of none would keep the word of a deleted text.
-- In the order in which the service locks counts. An instance of the version before goes on to leave
-- such rows, until the next deletion of a memory with the same word.
-- The owner's policies may show it nothing; this role looks at every space.
SET LOCAL ROLE mnemograph_maintenance;
WITH none AS MATERIALIZED (
  SELECT space_no, generation, term FROM term_counts WHERE memories <= 0
  ORDER BY space_no, generation, term FOR UPDATE)
DELETE FROM term_counts USING none
WHERE term_counts.space_no = none.space_no AND term_counts.generation = none.generation
  AND term_counts.term = none.term AND memories <= 0;
RESET ROLE;

-- ANALYZE keeps samples of a column, whole texts up to a kilobyte, which outlive the rows and every
-- VACUUM. So it keeps none of the texts of callers, nor of what was made from them: no plan depends on
-- these. The samples that a database has from before stay: docs/scaling.md.
ALTER TABLE memories ALTER COLUMN content SET STATISTICS 0,
  ALTER COLUMN metadata SET STATISTICS 0, ALTER COLUMN tags SET STATISTICS 0;
ALTER TABLE pieces ALTER COLUMN terms SET STATISTICS 0, ALTER COLUMN vector SET STATISTICS 0,
  ALTER COLUMN code SET STATISTICS 0;
ALTER TABLE piece_terms ALTER COLUMN term SET STATISTICS 0;
ALTER TABLE term_counts ALTER COLUMN term SET STATISTICS 0;
ALTER TABLE uncounted ALTER COLUMN terms SET STATISTICS 0;
ALTER TABLE entities ALTER COLUMN name SET STATISTICS 0,
  ALTER COLUMN name_folded SET STATISTICS 0, ALTER COLUMN description SET STATISTICS 0,
  ALTER COLUMN metadata SET STATISTICS 0;
ALTER TABLE relations ALTER COLUMN metadata SET STATISTICS 0;

-- An index of vectors has samples of its own.
DO $$
DECLARE
  index_name text;
BEGIN
  FOR index_name IN
    SELECT relname FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
    WHERE indrelid = 'pieces'::regclass AND starts_with(relname, 'pieces_near_')
  LOOP
    EXECUTE format('ALTER INDEX %I ALTER COLUMN 1 SET STATISTICS 0', index_name);
  END LOOP;
END $$;
