// Ways in and out: signing in, up and out, links, and what to show to somebody who is outside.
import packageJson from '../../../../package.json' with { type: 'json' }
import type { Entry } from '../../../console/accounts.ts'
import {
  ChangePassword,
  type LinkInfo,
  LookAtLink,
  type SignedIn,
  SignIn,
  SignUp,
  type Start,
  UseLink,
} from '../../../console/contract/entry.ts'
import { ConsoleError } from '../../../console/errors.ts'
import type { SignedInAs } from '../../../console/sessions.ts'
import { toTimestamp } from '../../../core/timestamp.ts'
import { body } from '../../validation/read-input.ts'
import { type Call, forAccount, forAnyone } from '../route.ts'
import {
  clearSessionCookie,
  isConnectionSafe,
  sessionToken,
  setSessionCookie,
} from '../session-cookie.ts'
import { toAccount } from './accounts.ts'

const readSignIn = body(SignIn)
const readSignUp = body(SignUp)
const readLookAtLink = body(LookAtLink)
const readUseLink = body(UseLink)
const readChangePassword = body(ChangePassword)

export const entryRoutes = [
  forAnyone({
    method: 'GET',
    path: '/start',
    run: async ({ console, signUpIsOpen, request }): Promise<Start> => ({
      needsSetUp: !(await console.accounts.isSetUp()),
      signUpIsOpen,
      connectionIsSafe: isConnectionSafe(request),
      version: packageJson.version,
    }),
  }),
  forAnyone({
    method: 'POST',
    path: '/sign-in',
    input: readSignIn,
    run: async (call, { email, password }) =>
      enter(call, await call.console.accounts.signIn(email, password, call.visitor)),
  }),
  forAnyone({
    method: 'POST',
    path: '/sign-up',
    status: 201,
    input: readSignUp,
    async run(call, { email, password }) {
      if (!call.signUpIsOpen) throw new ConsoleError('SIGN_UP_CLOSED')
      return enter(call, await call.console.accounts.signUp(email, password, call.visitor))
    },
  }),
  forAnyone({
    method: 'POST',
    path: '/links/look',
    input: readLookAtLink,
    async run({ console }, { token }): Promise<LinkInfo> {
      const { kind, email, expiresAt } = await console.accounts.lookAtLink(token)
      return { kind, email: email ?? null, expiresAt: toTimestamp(expiresAt) }
    },
  }),
  forAnyone({
    method: 'POST',
    path: '/links/use',
    status: 201,
    input: readUseLink,
    run: async (call, use) => enter(call, await call.console.accounts.useLink(use, call.visitor)),
  }),
  forAccount({
    method: 'GET',
    path: '/session',
    run: async (call): Promise<SignedIn> => toSignedIn(call),
  }),
  forAccount({
    method: 'POST',
    path: '/sign-out',
    async run({ console, account, session, request, reply }) {
      await console.sessions.end(account.id, session.id)
      clearSessionCookie(request, reply)
      return {}
    },
  }),
  forAccount({
    method: 'POST',
    path: '/password',
    input: readChangePassword,
    run: async (call, change) =>
      enter(call, await call.console.accounts.changePassword(call, change, call.visitor)),
  }),
]

/** Whoever comes in leaves the session behind that the browser had before. */
async function enter(call: Call, entry: Entry): Promise<SignedIn> {
  const { console, request, reply, visitor } = call
  const { network } = visitor
  const left = await console.sessions.find(sessionToken(request), { isActivity: false, network })
  if (left !== undefined) await console.sessions.end(left.account.id, left.session.id)
  setSessionCookie(request, reply, entry.token)
  return toSignedIn(entry)
}

const toSignedIn = ({ account, session }: SignedInAs): SignedIn => ({
  account: toAccount(account),
  session: {
    id: session.id,
    createdAt: toTimestamp(session.createdAt),
    endsAt: toTimestamp(session.endsAt),
  },
})
