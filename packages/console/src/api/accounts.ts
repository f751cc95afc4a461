// Requests about accounts, sessions and one-time links. Looking at a link is a POST as well, because its
// token has to be in the body: addresses end up in logs.
import { queryOptions } from '@tanstack/react-query'
import { get, post, postDelete } from './client.ts'
import type { ChangePassword, Invite, SignIn, SignUp, UseLink } from './contract.ts'
import { queryClient, SESSION } from './query-client.ts'

export const startQuery = queryOptions({
  queryKey: ['start'],
  queryFn: ({ signal }) => get('/start', {}, {}, signal),
})
export const sessionQuery = queryOptions({
  queryKey: SESSION,
  queryFn: ({ signal }) => get('/session', {}, {}, signal),
  staleTime: 60_000,
})
/** The id of the account that is signed in, as far as it was asked for. */
export const signedInId = () => queryClient.getQueryData(sessionQuery.queryKey)?.account.id
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => get('/sessions', {}, {}, signal),
})
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => get('/accounts', {}, {}, signal),
})
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => get('/invitations', {}, {}, signal),
})

export const signIn = (body: SignIn) => post('/sign-in', {}, body)
export const signUp = (body: SignUp) => post('/sign-up', {}, body)
export const signOut = () => post('/sign-out', {})
export const lookAtLink = (token: string) => post('/links/look', {}, { token })
export const redeemLink = (body: UseLink) => post('/links/use', {}, body)
export const changePassword = (body: ChangePassword) => post('/password', {}, body)
export const endSession = (id: string) =>
  postDelete('/sessions/:id/end', { id }, 'SESSION_NOT_FOUND')
export const endOtherSessions = () => post('/sessions/end-others', {})
export const invite = (body: Invite) => post('/invitations', {}, body)
export const withdrawInvitation = (id: string) => post('/invitations/:id/withdraw', { id })
export const issueResetLink = (id: string) => post('/accounts/:id/reset-link', { id })
