// Accounts, and what an administrator does for others; everybody else gets NOT_ADMINISTRATOR.
import { type Static, Type } from 'typebox'
import { PLANS, type Plan } from '../../contract/plans.ts'
import { email } from './fields.ts'

export type Account = {
  id: string
  email: string
  role: 'administrator' | 'member'
  /** The plans that it may choose for a key. */
  plans: Plan[]
  createdAt: string
}

const PlansToChoose = Type.Array(Type.Enum(PLANS, { type: 'string' }), {
  minItems: 1,
  allowed: `a list of plans, each one of ${PLANS.join(', ')}`,
})

/** GET /accounts → { items: Account[] }. POST /accounts/:id/reset-link {} → IssuedLink (201). */
export type Accounts = { items: Account[] }
/** POST /invitations → IssuedLink (201). */
export const Invite = Type.Object({ email: email(), plans: Type.Optional(PlansToChoose) })
export type Invite = Static<typeof Invite>
export type IssuedLink = {
  id: string
  /** Shown only now. */
  url: string
  email: string
  expiresAt: string
}
/** GET /invitations → { items }, open ones. POST /invitations/:id/withdraw {} → {}. */
export type Invitation = {
  id: string
  email: string
  plans: Plan[]
  createdAt: string
  expiresAt: string
}
export type Invitations = { items: Invitation[] }
