// One suite for every driver: what storage/store.ts promises, as cases. A driver's own test file
// hands over how to open empty stores, and nothing else.
import { afterAll, beforeAll, describe } from 'vitest'
import { accountKeysSuite } from './account-keys.suite.ts'
import { accountsSuite } from './accounts.suite.ts'
import { adoptionSuite } from './adoption.suite.ts'
import { entitiesSuite } from './entities.suite.ts'
import { firstKeySuite } from './first-key.suite.ts'
import { graphSuite } from './graph.suite.ts'
import { idempotencySuite } from './idempotency.suite.ts'
import { isolationSuite } from './isolation.suite.ts'
import { keysSuite } from './keys.suite.ts'
import { linksSuite } from './links.suite.ts'
import { memoriesSuite } from './memories.suite.ts'
import { reembeddingSuite } from './reembedding.suite.ts'
import { relationsSuite } from './relations.suite.ts'
import { scoringSuite } from './scoring.suite.ts'
import { searchSuite } from './search.suite.ts'
import { type OpenStore, type Subject, subjectOf } from './subject.ts'
import { usageSuite } from './usage.suite.ts'

export function describeStore(name: string, open: OpenStore): void {
  describe(name, () => {
    let opened: Subject | undefined
    const subject = (): Subject => {
      if (opened === undefined) throw new Error('The store is open only while cases run.')
      return opened
    }
    beforeAll(async () => {
      opened = subjectOf((await open()).store)
    })
    afterAll(() => opened?.store.close())

    accountsSuite(subject)
    linksSuite(subject)
    memoriesSuite(subject)
    searchSuite(subject)
    scoringSuite(subject)
    entitiesSuite(subject)
    relationsSuite(subject)
    keysSuite(subject)
    usageSuite(subject)
    idempotencySuite(subject)
    isolationSuite(subject)
    accountKeysSuite(subject)
    graphSuite(subject)
    firstKeySuite(open)
    adoptionSuite(open)
    reembeddingSuite(open)
  })
}
