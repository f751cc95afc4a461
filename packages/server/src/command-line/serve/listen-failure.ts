// Why the service could not take its port, in words that say what to do.
import { errorCodeOf } from '../../error-code.ts'
import { CommandFailure } from '../failure.ts'

const CODES: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is already in use. Choose another one with PORT, or 0 for a free one.`,
  EACCES: (_host, port) => `Port ${port} is not for ordinary users. Choose another one with PORT.`,
  EADDRNOTAVAIL: (host) => `${host} is not an address of this machine. Choose another HOST.`,
  ENOTFOUND: (host) => `${host} is not known to this machine. Choose another HOST.`,
}

/** The failure to listen as a CommandFailure; whatever else it was, unchanged. */
export function explainListenFailure(
  error: unknown,
  { host, port }: { host: string; port: number },
): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') return error
  const explain = CODES[errorCodeOf(error)]
  return explain === undefined ? error : new CommandFailure(explain(host, port))
}
