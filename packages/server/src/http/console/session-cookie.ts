// The cookie that carries a session. Over https it has the prefix `__Host-`, which browsers accept
// only with Secure, for the whole host and from the host itself. Over plain HTTP browsers refuse
// that prefix, so on loopback addresses, and nowhere else, another cookie is used whose name says
// so. Whichever the connection does not call for is never read.
// decisions/2026-11-21-console-accounts.md
import type { FastifyReply, FastifyRequest } from 'fastify'

export const SECURE_COOKIE = '__Host-mnemograph_session'
export const LOOPBACK_COOKIE = 'mnemograph_session_over_loopback_http'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/**
 * Whether a password may travel over this connection: https, or an address in the browser that
 * leads to the reader's own machine.
 */
export const isConnectionSafe = ({ protocol, host }: FastifyRequest): boolean =>
  protocol === 'https' || LOOPBACK.test(host.replace(/:\d+$/, ''))

const cookieName = ({ protocol }: FastifyRequest): string =>
  protocol === 'https' ? SECURE_COOKIE : LOOPBACK_COOKIE

const attributes = ({ protocol }: FastifyRequest): string =>
  `Path=/; HttpOnly; SameSite=Lax${protocol === 'https' ? '; Secure' : ''}`

/** Undefined for none, and for several: somebody else set one of them. */
export function sessionToken(request: FastifyRequest): string | undefined {
  if (!isConnectionSafe(request)) return undefined
  const name = cookieName(request)
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? values[0] : undefined
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  reply.header('set-cookie', `${cookieName(request)}=${token}; ${attributes(request)}`)
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', `${cookieName(request)}=; ${attributes(request)}; Max-Age=0`)
}
