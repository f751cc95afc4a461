// Where an account is signed in.

/** Without a request for so long, or so long after signing in, a session ends. */
export const SESSION_IDLE_MINUTES = 30
export const SESSION_LIFE_HOURS = 12

/** GET /sessions → { items }. POST /sessions/:id/end {} → {}. POST /sessions/end-others {} → {}. */
export type Session = {
  id: string
  isCurrent: boolean
  createdAt: string
  /** Exact to a minute. */
  lastSeenAt: string
  endsAt: string
  address: string
  userAgent: string
}
export type Sessions = { items: Session[] }
