// Ways in and out: signing in, up and out, links, and what somebody outside sees.
import { type Static, Type } from 'typebox'
import type { Account } from './accounts.ts'
import { email } from './fields.ts'

export const PASSWORD_LENGTH_MIN = 12
const PASSWORD_LENGTH_MAX = 256
const newPassword = () =>
  Type.String({
    minLength: PASSWORD_LENGTH_MIN,
    maxLength: PASSWORD_LENGTH_MAX,
    allowed: `a password of ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
  })
/** One that is only compared: whatever it is, it is right or wrong. */
const password = () => Type.String({ maxLength: 4096, allowed: 'a password' })
const token = () => Type.String({ minLength: 1, maxLength: 64, allowed: 'the code of a link' })

/** GET /start (no session needed): what to show to somebody who is not signed in. */
export type Start = {
  /** Whether the first account is still to be made, with the link that the first start printed. */
  needsSetUp: boolean
  signUpIsOpen: boolean
  /** False over plain HTTP on an address that is not loopback: nobody can sign in like that. */
  connectionIsSafe: boolean
  version: string
}

/** GET /session: 401 NOT_SIGNED_IN without one. Also what sign-in, sign-up and links answer. */
export type SignedIn = {
  account: Account
  session: {
    id: string
    createdAt: string
    /** It ends then, whatever happens; and earlier after some time without a request. */
    endsAt: string
  }
}

/** POST /sign-in → SignedIn. May take seconds after failed tries: the answer is held back. */
export const SignIn = Type.Object({ email: email(), password: password() })
export type SignIn = Static<typeof SignIn>
/** POST /sign-up → SignedIn (201); SIGN_UP_CLOSED unless the setting opens it. */
export const SignUp = Type.Object({ email: email(), password: newPassword() })
export type SignUp = Static<typeof SignUp>
// POST /sign-out, body {} → {}.

/**
 * POST /links/look → LinkInfo, POST /links/use → SignedIn (201). A link is
 * `<origin>/console/link#<token>`; the part behind # is the token and never reaches a server log.
 */
export const LookAtLink = Type.Object({ token: token() })
export type LinkInfo = {
  kind: 'set-up' | 'invitation' | 'reset'
  /** Whom it is for; null for set-up, where the address is still to be chosen. */
  email: string | null
  expiresAt: string
}
export const UseLink = Type.Object({
  token: token(),
  password: newPassword(),
  /** For set-up only, where it is required. */
  email: Type.Optional(email()),
})
export type UseLink = Static<typeof UseLink>

/** POST /password → SignedIn. All other sessions end; this one goes on under a new cookie. */
export const ChangePassword = Type.Object({
  currentPassword: password(),
  newPassword: newPassword(),
})
export type ChangePassword = Static<typeof ChangePassword>
