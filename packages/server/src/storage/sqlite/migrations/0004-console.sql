-- Accounts of the console, their sessions and one-time links, and what a key needs besides: whose
-- it is, which key it replaced, and what was asked of it by day. Times are milliseconds since the
-- epoch, days are UTC.

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  -- Without case, so that one address has one account.
  email_folded TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('administrator', 'member')),
  -- A JSON list of the plans that it may choose.
  plans TEXT NOT NULL,
  -- A hash with its algorithm, parameters and salt.
  password TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Whatever the race, the set-up link makes one.
CREATE UNIQUE INDEX accounts_one_administrator ON accounts (role) WHERE role = 'administrator';

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- SHA-256 of the cookie's value.
  token_hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_account ON sessions (account_id, created_at DESC, id DESC);
CREATE INDEX sessions_by_end ON sessions (ends_at);

-- A link that was used is gone.
CREATE TABLE links (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('set-up', 'invitation', 'reset')),
  -- SHA-256 of the token.
  token_hash BLOB NOT NULL UNIQUE,
  email TEXT,
  plans TEXT NOT NULL,
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_account ON links (account_id);

ALTER TABLE keys ADD COLUMN account_id TEXT REFERENCES accounts (id);
-- The first characters of the key, by which its owner knows it again.
ALTER TABLE keys ADD COLUMN prefix TEXT;
ALTER TABLE keys ADD COLUMN replaces_id TEXT REFERENCES keys (id);
ALTER TABLE keys ADD COLUMN purged_at INTEGER;
CREATE INDEX keys_by_account ON keys (account_id, created_at DESC, id DESC);
CREATE INDEX keys_by_space ON keys (space_no);
-- A key is replaced once.
CREATE UNIQUE INDEX keys_by_replaced ON keys (replaces_id) WHERE replaces_id IS NOT NULL;

-- How often a key did what on a day: operations by id, refusals by code.
CREATE TABLE statistics (
  key_id TEXT NOT NULL REFERENCES keys (id),
  day TEXT NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX statistics_by_day ON statistics (day);
