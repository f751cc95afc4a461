// What a flush brings is of every key that was used: one statement for each would be as many ways to the database,
// with the rows of all of them held meanwhile. After an outage it is too much for the time of one.

const AT_ONCE = 1_000

/** In their order. */
export function* inParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += AT_ONCE) yield rows.slice(from, from + AT_ONCE)
}
