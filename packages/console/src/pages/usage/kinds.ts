// The operations of the API, as the four kinds that a chart can show.
import type { OperationId, UsageDay } from '../../api/contract.ts'

export const KINDS = ['create', 'search', 'read', 'delete'] as const
type Kind = (typeof KINDS)[number]
export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  create: 'Creates',
  search: 'Searches',
  read: 'Reads',
  delete: 'Deletes',
}

const KIND_OF: Readonly<Record<OperationId | 'memories.import', Kind>> = {
  'memories.create': 'create',
  'memories.import': 'create',
  'memories.search': 'search',
  'memories.list': 'read',
  'memories.get': 'read',
  'memories.delete': 'delete',
  'entities.create': 'create',
  'entities.list': 'read',
  'entities.get': 'read',
  'entities.delete': 'delete',
  'relations.create': 'create',
  'relations.list': 'read',
  'relations.get': 'read',
  'relations.delete': 'delete',
}
/** Operations that draw on no quota. */
export const FREE: ReadonlySet<string> = new Set<OperationId>(['entities.list', 'relations.list'])

export type DayCounts = {
  day: string
  kinds: Record<Kind, number>
  total: number
  rateLimited: number
  errors: number
}

export function countsOf({ day, operations, rateLimited, errors }: UsageDay): DayCounts {
  const kinds = { create: 0, search: 0, read: 0, delete: 0 }
  for (const [id, times] of Object.entries(operations)) {
    // An operation that this build does not know is counted as a read, so that it is in the total.
    kinds[KIND_OF[id as OperationId] ?? 'read'] += times
  }
  const total = sum(Object.values(kinds))
  return { day, kinds, total, rateLimited, errors: sum(Object.values(errors)) }
}

export function totals(counts: readonly Readonly<Record<string, number>>[]): [string, number][] {
  const all = new Map<string, number>()
  for (const each of counts) {
    for (const [name, times] of Object.entries(each)) {
      all.set(name, (all.get(name) ?? 0) + times)
    }
  }
  return [...all].filter(([, times]) => times > 0).sort(([, a], [, b]) => b - a)
}

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Whether there were no requests at all, not even refused ones. */
export const isQuiet = (days: readonly DayCounts[]) =>
  days.every(({ total, rateLimited, errors }) => total + rateLimited + errors === 0)

/** A round number at or above the largest value that four divides, because the axis has four steps. */
export function niceCeiling(largest: number): number {
  if (largest <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(largest))
  const ceilings = [1, 2, 4, 5, 6, 8, 10, 12].map((step) => step * power)
  return ceilings.find((each) => each >= largest && each % 4 === 0) ?? largest
}
