// Where an account is signed in, and ending that.
import type { Session, Sessions } from '../../../console/contract/sessions.ts'
import { ConsoleError } from '../../../console/errors.ts'
import { toTimestamp } from '../../../core/timestamp.ts'
import type { ShownSession } from '../../../storage/console-store.ts'
import { pathId } from '../../validation/read-input.ts'
import { forAccount } from '../route.ts'
import { clearSessionCookie } from '../session-cookie.ts'

export const sessionRoutes = [
  forAccount({
    method: 'GET',
    path: '/sessions',
    run: async ({ console, account, session }): Promise<Sessions> => ({
      items: (await console.sessions.list(account.id)).map((each) => toSession(each, session.id)),
    }),
  }),
  forAccount({
    method: 'POST',
    path: '/sessions/end-others',
    async run({ console, account, session }) {
      await console.sessions.endOthers(account.id, session.id)
      return {}
    },
  }),
  forAccount({
    method: 'POST',
    path: '/sessions/:id/end',
    async run({ console, account, session, request, reply }) {
      const id = pathId(request)
      if (!(await console.sessions.end(account.id, id))) throw new ConsoleError('SESSION_NOT_FOUND')
      if (id === session.id) clearSessionCookie(request, reply)
      return {}
    },
  }),
]

const toSession = (session: ShownSession, currentId: string): Session => ({
  id: session.id,
  isCurrent: session.id === currentId,
  createdAt: toTimestamp(session.createdAt),
  lastSeenAt: toTimestamp(session.lastSeenAt),
  endsAt: toTimestamp(session.endsAt),
  address: session.address,
  userAgent: session.userAgent,
})
