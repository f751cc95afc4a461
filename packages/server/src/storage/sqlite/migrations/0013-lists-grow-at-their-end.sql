-- What is newest comes last. Listed the other way round, new entries came first, where SQLite leaves every
-- page half full and divides one for every thirty entries; at the end it fills them. A list with the newest
-- first is walked backwards. decisions/2026-11-21-lists.md

DROP INDEX memories_by_time;
DROP INDEX memories_by_user;
DROP INDEX memories_by_agent;
CREATE INDEX memories_by_time ON memories (space_no, created_at, id);
CREATE INDEX memories_by_user ON memories (space_no, user_id, created_at, id) WHERE in_lists = 1;
CREATE INDEX memories_by_agent ON memories (space_no, agent_id, created_at, id)
  WHERE in_lists = 1 AND agent_id IS NOT NULL;

-- Those that wait are few: what is read of them is put in order when it is read.
DROP INDEX memories_unlisted;
CREATE INDEX memories_unlisted ON memories (space_no) WHERE in_lists = 0;

CREATE TABLE tags_in_order (
  space_no INTEGER NOT NULL,
  tag TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  memory_no INTEGER NOT NULL,
  PRIMARY KEY (space_no, tag, created_at, id)
) STRICT, WITHOUT ROWID;
INSERT INTO tags_in_order
  SELECT space_no, tag, created_at, id, memory_no FROM memory_tags ORDER BY 1, 2, 3, 4;
DROP TABLE memory_tags;
ALTER TABLE tags_in_order RENAME TO memory_tags;

DROP INDEX entities_by_time;
DROP INDEX entities_by_type;
CREATE INDEX entities_by_time ON entities (space_no, created_at, id);
CREATE INDEX entities_by_type ON entities (space_no, type, created_at, id);

DROP INDEX relations_by_time;
DROP INDEX relations_by_source;
DROP INDEX relations_by_target;
DROP INDEX relations_by_type;
CREATE INDEX relations_by_time ON relations (space_no, created_at, id);
CREATE INDEX relations_by_source ON relations (space_no, source_id, created_at, id);
CREATE INDEX relations_by_target ON relations (space_no, target_id, created_at, id);
CREATE INDEX relations_by_type ON relations (space_no, type, created_at, id);
