import fc from 'fast-check'
import { expect, test } from 'vitest'
import { float32Between } from '../../testing/arbitrary-number.ts'
import { cosineOf, cosinesWithTwo } from './cosine.ts'

test('cosines with two vectors at once are those with each, to the last digit', () => {
  const vectors = fc.nat(41).chain((length) => {
    const vector = fc.array(float32Between(-1, 1), { minLength: length, maxLength: length })
    return fc.tuple(vector, vector, vector).map((all) => all.map((each) => Float32Array.from(each)))
  })
  fc.assert(
    fc.property(vectors, ([vector, one, other]) => {
      if (!vector || !one || !other) throw new Error('There are three.')
      const [wide, wideOne, wideOther] = [vector, one, other].map((each) => Float64Array.from(each))
      if (!wide || !wideOne || !wideOther) throw new Error('There are three.')
      expect(cosinesWithTwo(wide, wideOne, wideOther)).toEqual([
        cosineOf(vector, one),
        cosineOf(vector, other),
      ])
    }),
    { numRuns: 500 },
  )
})
