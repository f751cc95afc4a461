// Why no connection came about, in words for whoever named the address. What TLS itself says names lines
// of its source.
import { errorCodeOf } from '../error-code.ts'

/** Nobody who is trusted has signed the certificate. What else can be wrong with one Node says in words. */
const UNKNOWN_AUTHORITY = /^UNABLE_TO_|SELF_SIGNED/
const TLS_REASON = /SSL routines:[^:]*:([^:]+):/

export function connectionFailure(error: Error): string {
  const code = errorCodeOf(error)
  const reason = TLS_REASON.exec(error.message)?.[1]
  if (reason === 'wrong version number') {
    return 'what listens there does not speak TLS: should the address begin with http://?'
  }
  if (reason !== undefined) return `TLS fails: ${reason}`
  if (UNKNOWN_AUTHORITY.test(code)) {
    return (
      `its certificate is not trusted: ${code}. NODE_EXTRA_CA_CERTS names a file with the ` +
      'certificates of further authorities'
    )
  }
  // A name with several addresses fails with an error for each, and none for people.
  return error.message || code
}
