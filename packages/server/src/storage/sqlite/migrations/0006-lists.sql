-- Lists of any size: how many rows a filter leaves is counted when rows are written, not when they
-- are listed, and the memories with a tag lie in the order of a list.
-- decisions/2026-11-21-lists.md

CREATE TABLE counts (
  space_no INTEGER NOT NULL,
  -- Of what: see counts.ts.
  kind TEXT NOT NULL,
  -- Of the filter: a user, a tag, a type and so on. Empty where there is no filter.
  value TEXT NOT NULL,
  -- There is no row for none.
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (space_no, kind, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_tags_in_order (
  space_no INTEGER NOT NULL,
  tag TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  memory_no INTEGER NOT NULL,
  PRIMARY KEY (space_no, tag, created_at DESC, id DESC)
) STRICT, WITHOUT ROWID;
INSERT INTO memory_tags_in_order
  SELECT memory_tags.space_no, tag, created_at, id, memory_no
  FROM memory_tags JOIN memories ON memories.no = memory_no
  ORDER BY 1, 2, 3 DESC, 4 DESC;
DROP TABLE memory_tags;
ALTER TABLE memory_tags_in_order RENAME TO memory_tags;

INSERT INTO counts SELECT space_no, 'memories', '', COUNT(*) FROM memories GROUP BY 1;
INSERT INTO counts SELECT space_no, 'memories of user', user_id, COUNT(*) FROM memories GROUP BY 1, 3;
INSERT INTO counts SELECT space_no, 'memories of agent', agent_id, COUNT(*) FROM memories
  WHERE agent_id IS NOT NULL GROUP BY 1, 3;
INSERT INTO counts SELECT space_no, 'memories with tag', tag, COUNT(*) FROM memory_tags GROUP BY 1, 3;
INSERT INTO counts SELECT space_no, 'entities', '', COUNT(*) FROM entities GROUP BY 1;
INSERT INTO counts SELECT space_no, 'entities of type', type, COUNT(*) FROM entities GROUP BY 1, 3;
INSERT INTO counts SELECT space_no, 'relations', '', COUNT(*) FROM relations GROUP BY 1;
INSERT INTO counts SELECT space_no, 'relations of type', type, COUNT(*) FROM relations GROUP BY 1, 3;
INSERT INTO counts SELECT space_no, 'relations from', source_id, COUNT(*) FROM relations GROUP BY 1, 3;
INSERT INTO counts SELECT space_no, 'relations to', target_id, COUNT(*) FROM relations GROUP BY 1, 3;
