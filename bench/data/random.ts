// Numbers that look random and are the same in every run, so that runs can be compared.
import { randomNumbers } from '../../eval/statistics/random-numbers.ts'

/** From 0 to below 1. */
export const generator = (seed: number): (() => number) => randomNumbers(seed + 1)

/** A normally distributed number (Box and Muller). */
export const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** A hash of the two numbers, from 0 to 2^32 - 1. */
export function hashOf(number: number, salt: number): number {
  let mixed = Math.imul(number ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
