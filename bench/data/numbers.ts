/** The numbers from 0 to `count - 1`. */
export const numbers = (count: number): number[] =>
  Array.from({ length: count }, (_, number) => number)
