// How each connection is made, and what it sets for itself, so that neither a silent server nor settings of
// somebody else change what a statement of ours means or how long it waits.
import pg, { type ClientConfig } from 'pg'

export const SCHEMA = 'mnemograph'

/** See roles.ts. */
export type Role = 'mnemograph_service' | 'mnemograph_maintenance'

export type Timeouts = { connectMs: number; statementMs: number; lockMs: number }

/** Whoever finds that the server does not answer any more is told so within 5 s. */
export const TIMEOUTS: Timeouts = { connectMs: 2_500, statementMs: 3_500, lockMs: 3_000 }

/** A transaction holds up others, and no work between two of its statements takes so long. */
const IDLE_IN_TRANSACTION_MS_MAX = 10_000
/**
 * The locks of a machine that vanished are kept for a minute, not for the two hours of most systems. A machine that
 * has lost the network knows it sooner than that: Node probes every second, ten times.
 */
const PROBED_AFTER_MS = 30_000
const PROBES =
  'SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3'
// PostgreSQL 16 has no such limit, and refuses to set what it does not know.
const TRANSACTIONS_LAST = `SELECT set_config('transaction_timeout', '0', false)
  WHERE current_setting('server_version_num')::int >= 170000`
const INT8 = 20

export function connectionConfig(url: string, timeouts: Timeouts): ClientConfig {
  return {
    connectionString: url,
    application_name: 'mnemograph',
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBED_AFTER_MS,
    pipeline: true,
    connectionTimeoutMillis: timeouts.connectMs,
    // When the server itself does not answer any more.
    query_timeout: timeouts.statementMs + 500,
    types: {
      getTypeParser: (oid, format) =>
        // Numbers, times and counts here stay far below 2^53.
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  }
}

/**
 * What each connection sets for itself. A server, a database or a role may have settings of their own, such
 * as a `statement_timeout`: none of them ends a migration or an export early, or changes what a statement of
 * ours means. Nor is any compiled each time that it is executed, as servers do by default with those that the
 * planner takes for dear: it takes many for dearer than they are.
 */
export const sessionSql = ({ statementMs, lockMs }: Timeouts): string =>
  `SET search_path = ${SCHEMA}, public; SET default_transaction_isolation = 'read committed';
   SET lock_timeout = ${lockMs}; SET statement_timeout = ${statementMs};
   SET idle_in_transaction_session_timeout = ${Math.min(2 * statementMs, IDLE_IN_TRANSACTION_MS_MAX)};
   SET idle_session_timeout = 0; ${TRANSACTIONS_LAST};
   SET standard_conforming_strings = on; SET array_nulls = on; SET extra_float_digits = 1;
   SET quote_all_identifiers = off; SET row_security = on; SET jit = off; ${PROBES}`
