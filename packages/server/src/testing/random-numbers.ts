// Numbers that look random and are the same in every run, for data and choices of a test: what fails once
// fails again. Mulberry32, by T. Ettinger: the seed says where in a round of 2^32 numbers they begin.

/** From 0 to below 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Whole numbers from 0 to `below` - 1. */
export function wholeNumbers(seed: number): (below: number) => number {
  const random = randomNumbers(seed)
  return (below) => Math.floor(random() * below)
}
