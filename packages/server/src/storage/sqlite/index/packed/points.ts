/** What the words of a query are worth to each row, and what one point is worth. */
export type Points = {
  /** Where the points lie: 16 bits a row. */
  address: number
  /** In units of strength. */
  unit: number
}
