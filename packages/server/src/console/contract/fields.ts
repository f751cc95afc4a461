// What several parts of the console's interface have in common.
import { Type } from 'typebox'
import { PLANS } from '../../contract/plans.ts'
import { EMAIL_LENGTH_MAX, EMAIL_PATTERN } from '../email-address.ts'

export const plan = () =>
  Type.Enum(PLANS, { type: 'string', allowed: `one of ${PLANS.join(', ')}` })

export const email = () =>
  Type.String({
    maxLength: EMAIL_LENGTH_MAX,
    pattern: EMAIL_PATTERN,
    allowed: 'an e-mail address',
  })
