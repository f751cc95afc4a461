// Accounts, and what an administrator does for others; everybody else gets NOT_ADMINISTRATOR.
import { type Static, Type } from 'typebox'
import { PLANS } from '../../contract/plans.ts'
import { Timestamp } from '../../contract/timestamp.ts'
import { email, plans } from './fields.ts'

export const Account = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: Type.Enum(['administrator', 'member'], { type: 'string' }),
  /** The plans that it may choose for a key. */
  plans: plans(),
  createdAt: Timestamp,
})
export type Account = Static<typeof Account>

const PlansToChoose = Type.Array(Type.Enum(PLANS, { type: 'string' }), {
  minItems: 1,
  maxItems: PLANS.length,
  allowed: `a list of plans, each one of ${PLANS.join(', ')}`,
})

/** GET /accounts → { items: Account[] }. POST /accounts/:id/reset-link {} → IssuedLink (201). */
export type Accounts = { items: Account[] }
/** POST /invitations → IssuedLink (201). */
export const Invite = Type.Object({ email: email(), plans: Type.Optional(PlansToChoose) })
export type Invite = Static<typeof Invite>
export const IssuedLink = Type.Object({
  id: Type.String(),
  /** Shown only now. */
  url: Type.String(),
  email: Type.String(),
  expiresAt: Timestamp,
})
export type IssuedLink = Static<typeof IssuedLink>
/** GET /invitations → { items }, open ones. POST /invitations/:id/withdraw {} → {}. */
export const Invitation = Type.Object({
  id: Type.String(),
  email: Type.String(),
  plans: plans(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type Invitation = Static<typeof Invitation>
export type Invitations = { items: Invitation[] }
