-- How many memories, entities and relations each space has, so that no list has to count them. Each statement
-- notes what it has changed in a row of its own, so that creates in one space do not wait for each other; the
-- service adds these up (upkeep/row-counts.ts). Triggers do it, for whoever writes: an instance of the version
-- before, or somebody by hand.
-- decisions/2026-11-28-totals-without-counting.md
CREATE TABLE row_counts (
  space_no bigint NOT NULL,
  -- The table.
  counted text COLLATE "C" NOT NULL,
  total bigint NOT NULL,
  PRIMARY KEY (space_no, counted)
) WITH (fillfactor = 50);

CREATE TABLE row_changes (
  space_no bigint NOT NULL,
  counted text COLLATE "C" NOT NULL,
  -- Logical replication knows rows by their key, and copies no sequence.
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  change bigint NOT NULL,
  PRIMARY KEY (space_no, counted, id)
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['row_counts', 'row_changes'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own_space ON %I TO mnemograph_service
         USING (space_no = (SELECT NULLIF(current_setting(''mnemograph.space_no'', true), '''')::bigint))',
      name);
    EXECUTE format(
      'CREATE POLICY every_space ON %I TO mnemograph_maintenance USING (true)', name);
    EXECUTE format(
      'GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO mnemograph_service, mnemograph_maintenance',
      name);
  END LOOP;
END $$;

CREATE FUNCTION note_changes() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO row_changes (space_no, counted, change)
  SELECT space_no, TG_TABLE_NAME, count(*) * TG_ARGV[0]::bigint FROM changed GROUP BY space_no;
  RETURN NULL;
END $$;

-- Whether the counts of a space are whole. Of those that are there already they become so beside the service.
ALTER TABLE spaces ADD COLUMN is_counted boolean NOT NULL DEFAULT false;

-- Begins to note what changes, with which the counts of new spaces are whole. It locks these tables in the order in
-- which a deletion does.
CREATE FUNCTION note_from_now_on() RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['relations', 'entities', 'memories'] LOOP
    EXECUTE format(
      'CREATE OR REPLACE TRIGGER note_created AFTER INSERT ON %I REFERENCING NEW TABLE AS changed
         FOR EACH STATEMENT EXECUTE FUNCTION note_changes(''1'')', name);
    EXECUTE format(
      'CREATE OR REPLACE TRIGGER note_deleted AFTER DELETE ON %I REFERENCING OLD TABLE AS changed
         FOR EACH STATEMENT EXECUTE FUNCTION note_changes(''-1'')', name);
  END LOOP;
  ALTER TABLE spaces ALTER COLUMN is_counted SET DEFAULT true;
END $$;

-- Where somebody may be writing, the service does it (upkeep/uncounted-spaces.ts): a migration would hold up writes
-- until it has ended.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM spaces) THEN
    PERFORM note_from_now_on();
  END IF;
END $$;
