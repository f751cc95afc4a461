// A key and the keys that it replaced, one after the other: what was used and counted with any of them is told of
// the one that has their place.

/** A table `line` of the ids, behind which a statement goes on. `key`: how that says the id of the key. */
export const lineOfKeys = (key: string): string => `
  WITH RECURSIVE line (id) AS (
    SELECT ${key}
    UNION
    SELECT replaces_id FROM keys JOIN line USING (id) WHERE replaces_id IS NOT NULL)`
