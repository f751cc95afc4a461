import { expect, test } from 'vitest'
import { connectionFailure } from './connection-failure.ts'

const failure = (code: string, message: string) => Object.assign(new Error(message), { code })
const ofTls = (reason: string) =>
  failure('EPROTO', `write EPROTO 40:error:0A:SSL routines:a_function:${reason}:../ssl/x.c:77:\n`)

test.each([
  [ofTls('wrong version number'), 'does not speak TLS'],
  [ofTls('tlsv1 alert protocol version'), 'TLS fails: tlsv1 alert protocol version'],
  [failure('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed'), 'certificate is not trusted: DEPTH_ZERO'],
  [failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'no'), 'NODE_EXTRA_CA_CERTS'],
  [failure('ECONNREFUSED', 'connect ECONNREFUSED ::1:1'), 'connect ECONNREFUSED ::1:1'],
  // Of a name with several addresses, as `localhost` often is.
  [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new Error('the connection ended'), 'the connection ended'],
])('%s is told in words that help', (error, text) => {
  const told = connectionFailure(error)
  expect(told).toContain(text)
  expect(told).not.toContain('.c:')
})

test.each(['ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])(
  'whoever meets %s is not advised to trust another authority, which would mend nothing',
  (code) => {
    expect(connectionFailure(failure(code, 'in words'))).toBe('in words')
  },
)
