-- The same tables as the embedded store, with three differences. What holds data of callers and grows
-- without end is partitioned by the space, so that one tenant's index does not grow with all others.
-- Row-level security holds for the service: it sees the space that its transaction names, and
-- nothing when it names none. And what several instances share (windows, counts) is here too.
-- Times are milliseconds since the epoch. Texts compare by their bytes, whatever the database's
-- collation. mnemograph_service and mnemograph_maintenance exist already: roles.ts.

CREATE EXTENSION IF NOT EXISTS vector;

-- Ends the transaction with a state of ours, so that a write can be sent together with its COMMIT:
-- MG001 the month is used up, MG002 the create was made before, MG003 the vectors are outdated.
CREATE FUNCTION refuse(state text) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RAISE EXCEPTION 'refused' USING ERRCODE = state;
END $$;

CREATE TABLE spaces (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  created_at bigint NOT NULL
);

-- Vectors of two models cannot be compared, so vectors come in generations.
-- decisions/2026-11-21-reembedding.md
CREATE TABLE generations (
  -- Never given out again, also when the generation is discarded.
  no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  state text COLLATE "C" NOT NULL UNIQUE CHECK (state IN ('current', 'growing', 'retired')),
  model_id text NOT NULL,
  dimension integer NOT NULL,
  pieces_version integer NOT NULL,
  -- JSON: where the model is opened from.
  source text
);

CREATE TABLE accounts (
  id text COLLATE "C" PRIMARY KEY,
  email text NOT NULL,
  -- Without case, so that one address has one account.
  email_folded text COLLATE "C" NOT NULL UNIQUE,
  role text NOT NULL CHECK (role IN ('administrator', 'member')),
  -- A JSON list of the plans that it may choose.
  plans text NOT NULL,
  -- A hash with its algorithm, parameters and salt.
  password text NOT NULL,
  created_at bigint NOT NULL
);
-- Whatever the race, the set-up link makes one.
CREATE UNIQUE INDEX accounts_one_administrator ON accounts (role) WHERE role = 'administrator';

CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- SHA-256 of the cookie's value.
  token_hash bytea NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  ends_at bigint NOT NULL,
  address text NOT NULL,
  user_agent text NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account_id, created_at DESC, id DESC);
CREATE INDEX sessions_by_end ON sessions (ends_at);

-- A link that was used is gone.
CREATE TABLE links (
  id text COLLATE "C" PRIMARY KEY,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('set-up', 'invitation', 'reset')),
  -- SHA-256 of the token.
  token_hash bytea NOT NULL UNIQUE,
  email text,
  -- Without case: an earlier link of its kind for the same person gives way.
  email_folded text COLLATE "C",
  plans text NOT NULL,
  account_id text COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX links_by_account ON links (account_id);
CREATE UNIQUE INDEX links_by_person ON links (kind, email_folded) NULLS NOT DISTINCT;

CREATE TABLE keys (
  id text COLLATE "C" PRIMARY KEY,
  space_no bigint NOT NULL REFERENCES spaces (no),
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  plan text NOT NULL CHECK (plan IN ('free', 'hobby', 'enterprise')),
  read_limit integer,
  write_limit integer,
  search_limit integer,
  status text NOT NULL CHECK (status IN ('active', 'revoked')),
  created_at bigint NOT NULL,
  last_used_at bigint,
  account_id text COLLATE "C" REFERENCES accounts (id),
  -- The first characters of the key, by which its owner knows it again.
  prefix text,
  replaces_id text COLLATE "C" REFERENCES keys (id),
  purged_at bigint
);
CREATE INDEX keys_by_time ON keys (created_at DESC, id DESC);
CREATE INDEX keys_by_account ON keys (account_id, created_at DESC, id DESC);
CREATE INDEX keys_by_space ON keys (space_no);
-- A key is replaced once.
CREATE UNIQUE INDEX keys_by_replaced ON keys (replaces_id) WHERE replaces_id IS NOT NULL;

-- Rows that change with every request have room beside them for their next version.
CREATE TABLE usage (
  key_id text COLLATE "C" NOT NULL REFERENCES keys (id),
  month text COLLATE "C" NOT NULL,
  operations bigint NOT NULL,
  PRIMARY KEY (key_id, month)
) WITH (fillfactor = 50);

-- Unlogged: after a crash of the database every window is a fresh one.
CREATE UNLOGGED TABLE rate_windows (
  key_id text COLLATE "C" NOT NULL,
  class text COLLATE "C" NOT NULL,
  ends_at bigint NOT NULL,
  hits integer NOT NULL,
  -- How many of the requests that came together last were let through.
  granted integer NOT NULL,
  PRIMARY KEY (key_id, class)
) WITH (fillfactor = 50);

CREATE TABLE idempotency (
  key_id text COLLATE "C" NOT NULL REFERENCES keys (id),
  idempotency_key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  record_id text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (key_id, idempotency_key)
);
CREATE INDEX idempotency_by_time ON idempotency (created_at);

-- How often a key did what on a day: operations by id, refusals by code.
CREATE TABLE statistics (
  key_id text COLLATE "C" NOT NULL REFERENCES keys (id),
  day text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (key_id, day, kind)
) WITH (fillfactor = 70);
CREATE INDEX statistics_by_day ON statistics (day);

-- Data of spaces. No foreign key to spaces: it would lock the one row of a space in every create.

CREATE SEQUENCE memory_numbers;

CREATE TABLE memories (
  space_no bigint NOT NULL,
  no bigint NOT NULL DEFAULT nextval('memory_numbers'),
  id text COLLATE "C" NOT NULL,
  content text NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C",
  tags text[] NOT NULL,
  metadata text,
  created_at bigint NOT NULL,
  PRIMARY KEY (space_no, no),
  UNIQUE (space_no, id)
) PARTITION BY HASH (space_no);
CREATE INDEX memories_by_time ON memories (space_no, created_at DESC, id DESC);
CREATE INDEX memories_by_user ON memories (space_no, user_id, created_at DESC, id DESC);
CREATE INDEX memories_by_agent ON memories (space_no, agent_id, created_at DESC, id DESC)
  WHERE agent_id IS NOT NULL;

-- Row-level security lets an index be used only with operators that cannot leak, such as the
-- equality of texts. So tags and terms are rows, and not arrays under a GIN index.
CREATE TABLE memory_tags (
  space_no bigint NOT NULL,
  tag text COLLATE "C" NOT NULL,
  memory_no bigint NOT NULL,
  PRIMARY KEY (space_no, tag, memory_no)
) PARTITION BY HASH (space_no);

-- A piece is a row with terms; the rows without terms after it are its sentences.
CREATE TABLE pieces (
  space_no bigint NOT NULL,
  generation integer NOT NULL,
  memory_no bigint NOT NULL,
  part integer NOT NULL,
  start_offset integer NOT NULL,
  end_offset integer NOT NULL,
  commonness double precision,
  terms text[] COLLATE "C",
  vector vector NOT NULL,
  -- Set when the row has its place in the index of vectors; until then it is scanned.
  code halfvec,
  PRIMARY KEY (space_no, generation, memory_no, part),
  FOREIGN KEY (space_no, memory_no) REFERENCES memories (space_no, no) ON DELETE CASCADE
) PARTITION BY HASH (space_no);
CREATE INDEX pieces_without_code ON pieces (space_no, generation, memory_no, part)
  WHERE code IS NULL;

CREATE TABLE piece_terms (
  space_no bigint NOT NULL,
  generation integer NOT NULL,
  term text COLLATE "C" NOT NULL,
  memory_no bigint NOT NULL,
  part integer NOT NULL,
  PRIMARY KEY (space_no, generation, term, memory_no, part)
) PARTITION BY HASH (space_no);

-- How many memories have a term; the empty term is that of every memory. What was created a moment
-- ago waits in `uncounted`, so that creates in one space do not wait for each other's counts.
CREATE TABLE term_counts (
  space_no bigint NOT NULL,
  generation integer NOT NULL,
  term text COLLATE "C" NOT NULL,
  memories integer NOT NULL,
  PRIMARY KEY (space_no, generation, term)
) PARTITION BY HASH (space_no);

CREATE TABLE uncounted (
  space_no bigint NOT NULL,
  generation integer NOT NULL,
  memory_no bigint NOT NULL,
  terms text[] COLLATE "C" NOT NULL,
  PRIMARY KEY (space_no, generation, memory_no)
) PARTITION BY HASH (space_no);

DO $$
DECLARE
  parent text;
BEGIN
  FOREACH parent IN ARRAY
    ARRAY['memories', 'memory_tags', 'pieces', 'piece_terms', 'term_counts', 'uncounted']
  LOOP
    FOR remainder IN 0..15 LOOP
      EXECUTE format(
        'CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 16, REMAINDER %s) %s',
        parent || '_' || lpad(remainder::text, 2, '0'), parent, remainder,
        -- Vectors stay beside their row as long as a page has room for it: a scan reads them all.
        CASE parent WHEN 'pieces' THEN 'WITH (toast_tuple_target = 8160)' ELSE '' END);
    END LOOP;
  END LOOP;
END $$;

CREATE TABLE entities (
  space_no bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- The name without case and diacritics, for the search by name.
  name_folded text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  description text,
  metadata text,
  created_at bigint NOT NULL,
  PRIMARY KEY (space_no, id)
);
CREATE INDEX entities_by_time ON entities (space_no, created_at DESC, id DESC);
CREATE INDEX entities_by_type ON entities (space_no, type, created_at DESC, id DESC);

-- The composite foreign keys make a relation across spaces impossible.
CREATE TABLE relations (
  space_no bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  metadata text,
  created_at bigint NOT NULL,
  PRIMARY KEY (space_no, id),
  FOREIGN KEY (space_no, source_id) REFERENCES entities (space_no, id) ON DELETE CASCADE,
  FOREIGN KEY (space_no, target_id) REFERENCES entities (space_no, id) ON DELETE CASCADE
);
CREATE INDEX relations_by_time ON relations (space_no, created_at DESC, id DESC);
CREATE INDEX relations_by_source ON relations (space_no, source_id, created_at DESC, id DESC);
CREATE INDEX relations_by_target ON relations (space_no, target_id, created_at DESC, id DESC);
CREATE INDEX relations_by_type ON relations (space_no, type, created_at DESC, id DESC);

-- The second lock. The service owns nothing and is no superuser, so the policies hold for it; rights
-- are given on the tables alone, and not on their partitions, which have no policies.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY
    ARRAY['memories', 'memory_tags', 'pieces', 'piece_terms', 'term_counts', 'uncounted',
      'entities', 'relations']
  LOOP
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
GRANT SELECT, INSERT, UPDATE, DELETE
  ON spaces, generations, accounts, sessions, links, keys, usage, rate_windows, idempotency, statistics
  TO mnemograph_service, mnemograph_maintenance;
GRANT USAGE, SELECT ON SEQUENCE memory_numbers TO mnemograph_service, mnemograph_maintenance;
