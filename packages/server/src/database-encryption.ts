// What the address of a database, or PGSSLMODE, says about TLS, looked at before the driver reads it. The
// driver silently passes over a parameter or a PGSSLMODE that it does not know: after a typing error, password
// and texts would travel in the clear.

const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const PARAMETERS = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation']

/** Undefined when the driver understands it, otherwise what is allowed. Never repeats the address. */
export function encryptionFault(
  { searchParams }: URL,
  modeOfEnvironment: string | undefined,
): string | undefined {
  const isUnknown = (name: string) => /ssl|tls/i.test(name) && !PARAMETERS.includes(name)
  if ([...searchParams.keys()].some(isUnknown)) {
    return `DATABASE_URL must not have other parameters about TLS than ${PARAMETERS.join(', ')}.`
  }
  const mode = searchParams.get('sslmode')
  if (mode !== null) return modeFault('sslmode in DATABASE_URL', mode)
  // The driver asks the environment only when the address says nothing.
  if (!modeOfEnvironment || PARAMETERS.some((name) => searchParams.has(name))) return undefined
  return modeFault('PGSSLMODE', modeOfEnvironment)
}

const modeFault = (name: string, mode: string): string | undefined =>
  MODES.includes(mode) ? undefined : `${name} must be one of: ${MODES.join(', ')}.`
