// Numbers of a range: half of them any number that there is in it, half spread evenly over it. Those of
// fast-check are the former: between 0 and 1 most have hundreds of zeros behind the point, and one in
// 150 is above .01, so that a property of shares or weights would be tried with nothing but zeros.
import fc from 'fast-check'

const STEPS = 2 ** 30

/** Both ends are in it. */
export const numberBetween = (min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(fc.double({ min, max, noNaN: true }), evenly(min, max))

/** The same of numbers that 32 bits hold, as both ends are. */
export const float32Between = (min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(fc.float({ min, max, noNaN: true }), evenly(min, max).map(Math.fround))

const evenly = (min: number, max: number): fc.Arbitrary<number> =>
  fc
    .integer({ min: 0, max: STEPS })
    .map((step) => Math.min(max, min + (max - min) * (step / STEPS)))
