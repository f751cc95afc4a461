// Which rows of a search are of a memory that passes its filter, asked of each row by itself (plans.ts).
import { type Condition, whereOf } from '../conditions.ts'
import type { Numbers } from '../memory-lists.ts'
import { isFound, isOneOf } from './plans.ts'

/** What passes a filter. */
export type Passing = {
  /** Of a memory that is looked at by itself. */
  conditions: readonly Condition[]
  /** Of all of them. */
  numbers: Numbers
}

/**
 * Of rows of pieces, with parameters from `$3` on. Joined, each would be held against all memories that pass, since
 * the planner takes these for a few.
 */
export const amongPassing = (conditions: readonly Condition[]): string =>
  conditions.length === 0 ? '' : `AND ${isOfPassing('pieces.memory_no', conditions, 2)}`

/** The same for very many rows, of a hash of all memories that pass. */
export const amongNumbers = (numbers: Numbers | undefined): string =>
  numbers === undefined
    ? ''
    : `AND ${isOneOf(
        'pieces.memory_no',
        `SELECT no FROM ${numbers.from}
         WHERE ${whereOf(numbers.conditions, 2).where}`,
      )}`

/**
 * `no` of a row is that of a memory that passes; the parameters begin behind so many. It is found by its number
 * before anything is asked of it: by an index for users the planner would go through all memories of one.
 */
export const isOfPassing = (no: string, conditions: readonly Condition[], before: number): string =>
  isFound(`FROM (SELECT no, user_id, agent_id, tags FROM memories
      WHERE space_no = $1 AND no = ${no} LIMIT 1) AS memories
    WHERE ${whereOf(conditions, before).where}`)
