// The memories of a list of numbers, and their pieces, as what a statement selects from. Each number is looked
// up by itself, whatever the planner knows (plans.ts). A number comes once in a list; what is selected has no
// order of its own.
import { askedOfEach, eachByItself } from './plans.ts'

/** In the space `$1`. `list` is a parameter. */
export const listedMemories = (list: string): string =>
  `unnest(${list}::bigint[]) AS listed (number) ${eachByItself(
    'SELECT * FROM memories WHERE space_no = $1 AND no = listed.number',
    'memories',
  )}`

/** In the space `$1`. `generation` is a parameter, or a number. */
export const listedPieces = (generation: string | number, list: string): string =>
  `unnest(${list}::bigint[]) AS listed (number) ${eachByItself(
    `SELECT * FROM pieces WHERE space_no = $1 AND generation = ${generation}
       AND memory_no = listed.number`,
    'pieces',
  )}`

/**
 * Whether a text is one of a list, a parameter. With ANY each would be held against the list from its beginning,
 * and both can be thousands.
 */
export const isAmong = (text: string, list: string): string =>
  askedOfEach(`${text} IN (SELECT unnest(${list}::text[]))`)
