// Why the service could not take its port, in words that say what to do.
import { errorCodeOf } from '../../error-code.ts'
import { CommandFailure } from '../failure.ts'

type Explain = (host: string, port: number) => string

const foreignAddress: Explain = (host) =>
  `${host} is not an address of this machine. Choose another HOST.`

const CODES_OF_PORT: Record<string, Explain> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is already in use. Choose another one with PORT, or 0 for a free one.`,
  EACCES: (_host, port) => `Port ${port} is not for ordinary users. Choose another one with PORT.`,
  EADDRNOTAVAIL: foreignAddress,
  // An IPv6 address where the system has no IPv6.
  EAFNOSUPPORT: foreignAddress,
}

const unknownName: Explain = (host) => `${host} is not known to this machine. Choose another HOST.`

const silentNameServer: Explain = (host) =>
  `${host} cannot be looked up: no name server answers. Start again when one does, or make HOST an address.`

/** The failure to listen as a CommandFailure; whatever else it was, unchanged. */
export function explainListenFailure(
  error: unknown,
  { host, port }: { host: string; port: number },
): unknown {
  const explain = error instanceof Error ? explanationOf(error) : undefined
  return explain === undefined ? error : new CommandFailure(explain(host, port))
}

function explanationOf(error: NodeJS.ErrnoException): Explain | undefined {
  const code = errorCodeOf(error)
  if (error.syscall === 'getaddrinfo') return code === 'EAI_AGAIN' ? silentNameServer : unknownName
  return error.syscall === 'listen' ? CODES_OF_PORT[code] : undefined
}
