// What the console asks about accounts, sessions and one-time links, and does with them. To look at a
// link is a POST too: its token has to be in a body, since an address ends up in logs.
import { queryOptions } from '@tanstack/react-query'
import { get, path, post } from './client.ts'
import type {
  Accounts,
  ChangePassword,
  Invitations,
  Invite,
  IssuedLink,
  LinkInfo,
  Sessions,
  SignedIn,
  SignIn,
  SignUp,
  Start,
  UseLink,
} from './contract.ts'

export const startQuery = queryOptions({
  queryKey: ['start'],
  queryFn: ({ signal }) => get<Start>('/start', {}, signal),
})
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => get<SignedIn>('/session', {}, signal),
  staleTime: 60_000,
})
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => get<Sessions>('/sessions', {}, signal),
})
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => get<Accounts>('/accounts', {}, signal),
})
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => get<Invitations>('/invitations', {}, signal),
})

export const signIn = (body: SignIn) => post<SignedIn>('/sign-in', body)
export const signUp = (body: SignUp) => post<SignedIn>('/sign-up', body)
export const signOut = () => post<object>('/sign-out')
export const lookAtLink = (token: string) => post<LinkInfo>('/links/look', { token })
export const redeemLink = (body: UseLink) => post<SignedIn>('/links/use', body)
export const changePassword = (body: ChangePassword) => post<SignedIn>('/password', body)
export const endSession = (id: string) => post<object>(path`/sessions/${id}/end`)
export const endOtherSessions = () => post<object>('/sessions/end-others')
export const invite = (body: Invite) => post<IssuedLink>('/invitations', body)
export const withdrawInvitation = (id: string) => post<object>(path`/invitations/${id}/withdraw`)
export const issueResetLink = (id: string) => post<IssuedLink>(path`/accounts/${id}/reset-link`)
