// Where an account is signed in.
import { type Static, Type } from 'typebox'
import { Timestamp } from '../../contract/timestamp.ts'

/** Without a request for so long, or so long after signing in, a session ends. */
export const SESSION_IDLE_MINUTES = 30
export const SESSION_LIFE_HOURS = 12

/** GET /sessions → { items }. POST /sessions/:id/end {} → {}. POST /sessions/end-others {} → {}. */
export const Session = Type.Object({
  id: Type.String(),
  isCurrent: Type.Boolean(),
  createdAt: Timestamp,
  /** Exact to a minute. */
  lastSeenAt: Timestamp,
  endsAt: Timestamp,
  address: Type.String(),
  userAgent: Type.String(),
})
export type Session = Static<typeof Session>
export type Sessions = { items: Session[] }
