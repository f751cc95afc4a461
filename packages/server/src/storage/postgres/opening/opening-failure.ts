// Why a database cannot be opened, and what somebody can do about it. A server writes in its own
// language, so a failure is recognized by its code and by the names in its text.
import { errorCodeOf } from '../../../error-code.ts'
import { StoreRefusal } from '../../store.ts'
import { VECTOR_VERSION_MIN } from './server-checks.ts'

export function openingFailure(error: unknown): StoreRefusal {
  const reason = error instanceof Error ? error.message : String(error)
  const advice = adviceFor(errorCodeOf(error), reason)
  const text = `The database of DATABASE_URL cannot be opened: ${reason}`
  return new StoreRefusal(advice === undefined ? text : `${text}. ${advice}`, error)
}

const NOT_ALLOWED = '42501'
const NOT_SUPPORTED = '0A000'
const READ_ONLY = '25006'
/** Nobody who is trusted has signed it. */
const UNKNOWN_AUTHORITY = /^UNABLE_TO_|SELF_SIGNED/
const EXPIRED = 'CERT_HAS_EXPIRED'
/** Of a file, and not of the socket that a host may be. */
const UNREADABLE = /, (open|read)\b/

function adviceFor(code: string, reason: string): string | undefined {
  const isAboutVector = /\bvector\b/.test(reason)
  if (code === NOT_SUPPORTED && isAboutVector) {
    return (
      `Install pgvector ${VECTOR_VERSION_MIN.join('.')} or newer on the database's machine; a database of a ` +
      'cloud may have it in its list of extensions.'
    )
  }
  if (code === NOT_ALLOWED && isAboutVector) {
    return 'Let a superuser run in this database: CREATE EXTENSION vector;'
  }
  if (code === NOT_ALLOWED) {
    return (
      'The user has to own the database and what is in the schema mnemograph. Let an administrator run: ALTER ' +
      'DATABASE <database> OWNER TO <user of DATABASE_URL>;'
    )
  }
  if (code === READ_ONLY) {
    return (
      'It takes no writes. A standby never does: DATABASE_URL has to name the primary. A primary does not while ' +
      'default_transaction_read_only is on, as some clouds turn it on when the disk is nearly full.'
    )
  }
  if (code === '' && /password/.test(reason)) {
    return 'The server asks for a password, and there is none: postgres://user:password@host:5432/database.'
  }
  if (UNKNOWN_AUTHORITY.test(code)) {
    return (
      'Its certificate is not trusted: name a file with the certificate of its authority, with sslrootcert in ' +
      'DATABASE_URL or with NODE_EXTRA_CA_CERTS.'
    )
  }
  if (code === EXPIRED) {
    return 'Give the database’s server a new one, and look whether the clock of this machine is right.'
  }
  if (UNREADABLE.test(reason)) {
    return 'sslrootcert, sslcert and sslkey in DATABASE_URL name files that the service must be able to read.'
  }
  if (code === '' && /not support SSL/.test(reason)) {
    return 'Turn on ssl there; where texts may travel as they are, DATABASE_URL says sslmode=disable.'
  }
  return undefined
}
