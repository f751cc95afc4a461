-- Where most spaces have a few records, the planner takes each for such a one, and reads all of a large one rather
-- than look some of its records up: of 100,000 relations each statement of a deletion. So it is to take every
-- space for a hundredth of all.
ALTER TABLE entities ALTER COLUMN space_no SET (n_distinct = 100);
ALTER TABLE relations ALTER COLUMN space_no SET (n_distinct = 100);

-- That counts from the next ANALYZE on. A table that was found empty would be taken for one for a while.
DO $$
DECLARE
  is_filled boolean;
BEGIN
  -- The owner's policies may show it nothing; this role looks at every space.
  SET LOCAL ROLE mnemograph_maintenance;
  is_filled := EXISTS (SELECT FROM relations);
  RESET ROLE;
  IF is_filled THEN
    ANALYZE entities, relations;
  END IF;
END $$;
