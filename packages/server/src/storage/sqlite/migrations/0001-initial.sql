-- Every table that holds data of callers begins its keys with the space, so that the data of one
-- space lies together and no lookup can leave it. Times are milliseconds since the epoch.

CREATE TABLE spaces (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  created_at INTEGER NOT NULL
) STRICT;

-- One row: which model made the vectors of this store.
CREATE TABLE embedding_model (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL,
  dimension INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  space_no INTEGER NOT NULL REFERENCES spaces (no),
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  plan TEXT NOT NULL CHECK (plan IN ('free', 'hobby', 'enterprise')),
  read_limit INTEGER,
  write_limit INTEGER,
  search_limit INTEGER,
  status TEXT NOT NULL CHECK (status IN ('active', 'revoked')),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE usage (
  key_id TEXT NOT NULL REFERENCES keys (id),
  month TEXT NOT NULL,
  operations INTEGER NOT NULL,
  PRIMARY KEY (key_id, month)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  key_id TEXT NOT NULL REFERENCES keys (id),
  idempotency_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  record_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, idempotency_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (created_at);

-- AUTOINCREMENT: the number of a deleted memory never names another one.
CREATE TABLE memories (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  space_no INTEGER NOT NULL REFERENCES spaces (no),
  id TEXT NOT NULL,
  content TEXT NOT NULL,
  user_id TEXT NOT NULL,
  agent_id TEXT,
  tags TEXT NOT NULL,
  metadata TEXT,
  -- The content's terms, each once, separated by spaces.
  terms TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (space_no, id)
) STRICT;
CREATE INDEX memories_by_time ON memories (space_no, created_at DESC, id DESC);
CREATE INDEX memories_by_user ON memories (space_no, user_id, created_at DESC, id DESC);
CREATE INDEX memories_by_agent ON memories (space_no, agent_id, created_at DESC, id DESC)
  WHERE agent_id IS NOT NULL;

CREATE TABLE memory_tags (
  space_no INTEGER NOT NULL,
  tag TEXT NOT NULL,
  memory_no INTEGER NOT NULL,
  PRIMARY KEY (space_no, tag, memory_no)
) STRICT, WITHOUT ROWID;

CREATE TABLE pieces (
  memory_no INTEGER NOT NULL REFERENCES memories (no) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  -- float32, little-endian, unit length
  vector BLOB NOT NULL,
  PRIMARY KEY (memory_no, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE entities (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL REFERENCES spaces (no),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  -- The name without case and diacritics, for the search by name.
  name_folded TEXT NOT NULL,
  type TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (space_no, id)
) STRICT;
CREATE INDEX entities_by_time ON entities (space_no, created_at DESC, id DESC);
CREATE INDEX entities_by_type ON entities (space_no, type, created_at DESC, id DESC);

-- The composite foreign keys make a relation across spaces impossible.
CREATE TABLE relations (
  no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL REFERENCES spaces (no),
  id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  target_id TEXT NOT NULL,
  type TEXT NOT NULL,
  metadata TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (space_no, id),
  FOREIGN KEY (space_no, source_id) REFERENCES entities (space_no, id) ON DELETE CASCADE,
  FOREIGN KEY (space_no, target_id) REFERENCES entities (space_no, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX relations_by_time ON relations (space_no, created_at DESC, id DESC);
CREATE INDEX relations_by_source ON relations (space_no, source_id, created_at DESC, id DESC);
CREATE INDEX relations_by_target ON relations (space_no, target_id, created_at DESC, id DESC);
CREATE INDEX relations_by_type ON relations (space_no, type, created_at DESC, id DESC);
