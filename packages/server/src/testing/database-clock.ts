// A test database that goes by a clock of ours. Instances ask the database for the time of a rate
// window and of a month, so a test that sets the time has to set it there too: the function of that
// name is replaced, in this one database.
import { administer, type TestDatabase } from './postgres.ts'

/** Before the service opens it. The returned function sets the time, in ms since the epoch. */
export async function setDatabaseClock(
  { administratorUrl }: TestDatabase,
  startMs: number,
): Promise<(ms: number) => Promise<void>> {
  await administer(
    administratorUrl,
    `SET allow_system_table_mods = on;
     CREATE SCHEMA set_clock;
     CREATE TABLE set_clock.time (at_ms bigint NOT NULL);
     INSERT INTO set_clock.time VALUES (${startMs});
     GRANT USAGE ON SCHEMA set_clock TO PUBLIC;
     GRANT SELECT ON set_clock.time TO PUBLIC;
     ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO real_clock_timestamp;
     CREATE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
       AS 'SELECT to_timestamp(at_ms / 1000.0) FROM set_clock.time'`,
  )
  return (ms) => administer(administratorUrl, `UPDATE set_clock.time SET at_ms = ${ms}`)
}
