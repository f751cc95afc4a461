// The console's own errors, and the form of every error.
import type { ErrorCode } from '../../contract/errors.ts'

/** Besides the codes of /v1. `status` is the HTTP status. */
export const CONSOLE_ERRORS = {
  NOT_SIGNED_IN: { status: 401, message: 'Sign in first.' },
  WRONG_CREDENTIALS: { status: 401, message: 'The address or the password is wrong.' },
  WRONG_PASSWORD: { status: 400, message: 'The current password is wrong.' },
  FOREIGN_ORIGIN: { status: 403, message: 'The request does not come from this console.' },
  CONNECTION_NOT_SAFE: {
    status: 403,
    message:
      'Signing in needs https, or a loopback address such as http://127.0.0.1. Behind a proxy ' +
      'that speaks https, name the proxy in MNEMOGRAPH_TRUSTED_PROXIES.',
  },
  NOT_ADMINISTRATOR: { status: 403, message: 'Only an administrator can do this.' },
  SIGN_UP_CLOSED: { status: 403, message: 'Ask an administrator for an invitation.' },
  PLAN_NOT_ALLOWED: { status: 403, message: 'This account cannot choose that plan.' },
  KEY_NOT_FOUND: { status: 404, message: 'There is no key with this id.' },
  ACCOUNT_NOT_FOUND: { status: 404, message: 'There is no account with this id.' },
  SESSION_NOT_FOUND: { status: 404, message: 'There is no session with this id.' },
  INVITATION_NOT_FOUND: { status: 404, message: 'There is no open invitation with this id.' },
  EMAIL_TAKEN: { status: 409, message: 'There is an account with this address already.' },
  KEY_ACTIVE: { status: 409, message: 'Only the data of a revoked key can be purged.' },
  KEY_REVOKED: { status: 409, message: 'The key is revoked: nothing can be added to its data.' },
  KEY_REPLACED: { status: 409, message: 'The data belongs to the key that replaced this one.' },
  KEY_PURGED: { status: 409, message: 'The data of this key was purged.' },
  NAME_DOES_NOT_MATCH: { status: 400, message: 'The name is not the name of the key.' },
  LINK_NOT_VALID: {
    status: 410,
    message: 'This link was used, has run out, or never existed. Ask for a new one.',
  },
  TOO_MANY_ATTEMPTS: { status: 429, message: 'Too many tries at once. Wait a little.' },
} as const satisfies Record<string, { status: number; message: string }>
export type ConsoleErrorCode = keyof typeof CONSOLE_ERRORS

export type ErrorBody = {
  error: {
    code: ConsoleErrorCode | ErrorCode
    message: string
    field?: string
    /** Seconds. */
    retryAfter?: number
  }
}
