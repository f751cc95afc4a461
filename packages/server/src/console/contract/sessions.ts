// Where an account is signed in.
import { type Static, Type } from 'typebox'
import { Timestamp } from '../../contract/timestamp.ts'

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
