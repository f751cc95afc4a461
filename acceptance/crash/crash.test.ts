/** Twenty kills in every run of the tests; `npm run test:crash -- --cycles N` does more. */
import { expect, test } from 'vitest'
import { describeOn } from '../harness/store.ts'
import { crashCycles } from './cycles.ts'

const SEED = 20_261_121

describeOn('embedded', 'looks into the file after each kill', () => {
  test('after each of 20 kills under concurrent writers, every acknowledgement holds', async () => {
    const { violations, acknowledged } = await crashCycles({ cycles: 20, seed: SEED })
    expect(violations).toEqual({ lost: [], resurrected: [], half: [], usage: [], database: [] })
    // The kills met writers at work.
    expect(acknowledged).toBeGreaterThan(100)
  }, 300_000)
})
