import { MONTHLY_QUOTA, type Plan } from '../../api/contract.ts'
import { number } from '../../components/number.ts'

export const PLAN_NAMES: Readonly<Record<Plan, string>> = {
  free: 'Free',
  hobby: 'Hobby',
  enterprise: 'Enterprise',
}

export function quotaText(plan: Plan): string {
  const quota = MONTHLY_QUOTA[plan]
  return quota === undefined ? 'no monthly limit' : `${number(quota)} operations a month`
}

export const planList = (plans: readonly Plan[]) => plans.map((plan) => PLAN_NAMES[plan]).join(', ')
