/** From 0, so many. */
export const numbers = (count: number): number[] =>
  Array.from({ length: count }, (_, number) => number)
