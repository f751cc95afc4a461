-- Each deletion of a memory looks for its pieces of whatever generation, by the foreign key. Without an index
-- of its own that reads the keys of all pieces of the space. Tables that are filled get theirs beside the
-- service: pieces-by-memory.ts.
DO $$
DECLARE
  is_filled boolean;
  partition regclass;
BEGIN
  -- The owner's policies may show it nothing; this role looks at every space.
  SET LOCAL ROLE mnemograph_maintenance;
  is_filled := EXISTS (SELECT FROM pieces);
  RESET ROLE;
  IF is_filled THEN
    RETURN;
  END IF;
  FOR partition IN SELECT relid FROM pg_partition_tree('pieces') WHERE isleaf LOOP
    EXECUTE format('CREATE INDEX %I ON %s (space_no, memory_no)', partition || '_by_memory', partition);
  END LOOP;
END $$;
