#!/usr/bin/env bash
# Runs once, when PostgreSQL starts on an empty volume. pgvector can be installed by a superuser only,
# so it is done here, and the service gets a role that owns its database and nothing else. Nobody else may
# connect to it: the roles that the service makes belong to the whole server, with what they may read.
set -euo pipefail

psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$DATABASE_PASSWORD" \
  --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE mnemograph LOGIN NOSUPERUSER NOBYPASSRLS CREATEROLE PASSWORD :'password';
CREATE DATABASE mnemograph OWNER mnemograph ENCODING 'UTF8';
REVOKE CONNECT ON DATABASE mnemograph FROM PUBLIC;
\connect mnemograph
CREATE EXTENSION vector;
SQL
