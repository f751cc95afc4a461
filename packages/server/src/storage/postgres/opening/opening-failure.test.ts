// What ends a start for a reason that somebody can mend comes with what to do; server-checks.test.ts has those
// that a real server gives.
import { expect, test } from 'vitest'
import { openingFailure } from './opening-failure.ts'

const failure = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code })

test.each([
  [
    failure('extension "vector" is not available', '0A000'),
    "Install pgvector 0.8.4 or newer on the database's machine",
  ],
  [
    failure('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
    'postgres://user:password@host',
  ],
  [
    failure('unable to verify the first certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    'NODE_EXTRA_CA_CERTS',
  ],
  [failure('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'), 'sslrootcert'],
  [failure('certificate has expired', 'CERT_HAS_EXPIRED'), 'Give the database’s server a new one'],
  [failure('cannot execute CREATE SCHEMA in a read-only transaction', '25006'), 'the primary'],
  [
    failure('cannot execute CREATE SCHEMA in a read-only transaction', '25006'),
    'default_transaction_read_only',
  ],
  [failure('The server does not support SSL connections'), 'sslmode=disable'],
  [failure("ENOENT: no such file or directory, open '/ca.pem'", 'ENOENT'), 'sslrootcert'],
  [failure('EISDIR: illegal operation on a directory, read', 'EISDIR'), 'sslrootcert'],
])('%s', (error, advice) => {
  expect(openingFailure(error).message).toContain(error.message)
  expect(openingFailure(error).message).toContain(advice)
})

test.each([
  failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
  failure('connect ENOENT /run/postgresql/.s.PGSQL.5432', 'ENOENT'),
  failure("Hostname/IP does not match certificate's altnames", 'ERR_TLS_CERT_ALTNAME_INVALID'),
])('whatever else it is is told as it is: %s', (error) => {
  expect(openingFailure(error)).toMatchObject({
    message: `The database of DATABASE_URL cannot be opened: ${error.message}`,
    cause: error,
  })
})
