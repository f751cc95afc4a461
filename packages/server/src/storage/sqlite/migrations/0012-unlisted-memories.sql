-- The lists of a user, an agent and a tag take in new memories some hundreds at a time; until then
-- these lie in an order of their own. decisions/2026-11-21-lists.md

ALTER TABLE memories ADD COLUMN in_lists INTEGER NOT NULL DEFAULT 1 CHECK (in_lists IN (0, 1));

DROP INDEX memories_by_user;
DROP INDEX memories_by_agent;
CREATE INDEX memories_by_user ON memories (space_no, user_id, created_at DESC, id DESC)
  WHERE in_lists = 1;
CREATE INDEX memories_by_agent ON memories (space_no, agent_id, created_at DESC, id DESC)
  WHERE in_lists = 1 AND agent_id IS NOT NULL;
CREATE INDEX memories_unlisted ON memories (space_no, created_at DESC, id DESC)
  WHERE in_lists = 0;
