// What a statement says to keep PostgreSQL's planner from a plan that is slow here, each way with its name.
// The planner knows neither how long a list is nor how few rows a term has; where it may join, it would rather
// read all rows of a space than look some up. None of this changes what a statement answers.
// decisions/2026-11-21-postgres-search.md
import { prepared, type Transaction } from '../connection/transaction.ts'

/** For each row before it, runs `select` by itself. An OFFSET that skips nothing keeps it from being joined. */
export const eachByItself = (select: string, as: string): string =>
  `CROSS JOIN LATERAL (${select} OFFSET 0) AS ${as}`

/** The same for a `select` of one row at most, to which its LIMIT sees. */
export const oneByItself = (select: string, as: string): string =>
  `CROSS JOIN LATERAL (${select} LIMIT 1) AS ${as}`

/** A condition that each row is asked, at best of a hash: without IS TRUE a subquery in it would be joined. */
export const askedOfEach = (condition: string): string => `(${condition}) IS TRUE`

/** Whether it is one of the numbers, which are read once and made a hash. Of an array the planner expects little. */
export const isOneOf = (number: string, numbers: string): string =>
  askedOfEach(`${number} IN (SELECT unnest(ARRAY(${numbers})))`)

/** Whether there is a row, looked for by itself for each row that is asked, and in no other way. */
export const isFound = (fromAndWhere: string): string =>
  `(SELECT true ${fromAndWhere} LIMIT 1) IS TRUE`

const SORTING_OFF = prepared('SET LOCAL enable_sort = off')
const SORTING_ON = prepared('SET LOCAL enable_sort = on')

/**
 * For statements that ORDER BY a distance: without sorting the planner has no way but the index of vectors. `send`
 * has to send all of them before it waits for anything.
 */
export async function inOrderOfIndex<Answer>(
  transaction: Transaction,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const [, answer] = await Promise.all([
    transaction.run(SORTING_OFF, []),
    send(),
    transaction.run(SORTING_ON, []),
  ])
  return answer
}
