// What several parts of the console's interface have in common.
import { type TSchema, Type } from 'typebox'
import { PLANS } from '../../contract/plans.ts'
import { EMAIL_LENGTH_MAX, EMAIL_PATTERN } from '../email-address.ts'

export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

export const plan = () =>
  Type.Enum(PLANS, { type: 'string', allowed: `one of ${PLANS.join(', ')}` })
/** As they are answered. */
export const plans = () => Type.Array(Type.Enum(PLANS, { type: 'string' }))

export const email = () =>
  Type.String({
    maxLength: EMAIL_LENGTH_MAX,
    pattern: EMAIL_PATTERN,
    allowed: 'an e-mail address',
  })
