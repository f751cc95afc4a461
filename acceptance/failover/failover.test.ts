/** Two crashes of PostgreSQL in every run of the tests; `npm run test:failover` does more. */
import { expect, test } from 'vitest'
import { hasPostgres } from './clusters.ts'
import { noFindings } from './ledger.ts'
import { restarts } from './restarts.ts'

test.skipIf(!hasPostgres())(
  'after crashes of PostgreSQL under two instances, every acknowledgement holds and no instance needs a restart',
  async () => {
    const report = await restarts({ times: 2, seed: 20_261_121 })
    expect(report.findings).toEqual(noFindings())
    // The crashes met callers at work.
    expect(report.acknowledgedCreates).toBeGreaterThan(150)
    expect(report.unanswered).toBeGreaterThan(0)
  },
  120_000,
)
