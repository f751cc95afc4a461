// A value of many rows is counted without a snapshot of all of them, and a count is only called right when it is.
import { expect, test } from 'vitest'
import { memoryOf, NO_RECEIPT, pieceOf } from '../../conformance/records.ts'
import { MODEL, newKey } from '../../conformance/subject.ts'
import type { SpaceId } from '../../records.ts'
import { groupedWrites } from '../testing/grouped-writes.ts'
import { findWrongCounts } from './check-counts.ts'
import { partsCheck } from './count-in-parts.ts'
import { unlistedMemories } from './take-in.ts'

const MEMORIES = 25_000
/** Of 10,000 rows each, and the rest. */
const PARTS = 3
const KINDS = ['memories', 'memories of user', 'memories of agent', 'memories with tag'] as const
const VALUES = {
  memories: '',
  'memories of user': 'u',
  'memories of agent': 'a',
  'memories with tag': 't',
}

/** Memories of one user, agent and tag, by their time in another order than by their number. */
function setUp() {
  const { db, commit } = groupedWrites()
  commit(['adoptModel', MODEL], ['insertKey', newKey()])
  const space = db.prepare<[], SpaceId>('SELECT no FROM spaces').pluck().get()
  if (space === undefined) throw new Error('There is no space.')
  db.exec(`
    WITH RECURSIVE numbers (no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM numbers LIMIT ${MEMORIES})
    INSERT INTO memories (no, space_no, id, content, user_id, agent_id, tags, created_at, in_lists)
      SELECT no, ${space}, 'mem_' || no, '', 'u', 'a', '["t"]', ${MEMORIES} - no, no < ${MEMORIES} - 40
      FROM numbers;
    INSERT INTO memory_tags SELECT space_no, 't', created_at, id, no FROM memories WHERE in_lists = 1`)
  for (const wrong of findWrongCounts(db)) wrong?.mend()
  const { takeIn } = unlistedMemories(db)
  return {
    db,
    takeIn,
    come(createdAt: number): void {
      const memory = memoryOf({ userId: 'u', agentId: 'a', tags: ['t'], createdAt })
      commit(['insertMemory', space, memory, [pieceOf('')], NO_RECEIPT, 1])
    },
    go: (no: number) => commit(['removeMemory', space, `mem_${no}`, NO_RECEIPT]),
    /** `between` is told how many parts were counted. */
    check(kind: (typeof KINDS)[number], between: (parts: number) => void) {
      const steps = partsCheck(db, kind)(space, VALUES[kind])
      for (let parts = 0; ; ) {
        const { done, value } = steps.next()
        if (done === true) return { isRight: value, parts }
        parts += 1
        between(parts)
      }
    },
  }
}

test.each(KINDS)(
  'rows of %s that come and are taken into lists meanwhile change nothing',
  (kind) => {
    const { db, takeIn, come, check } = setUp()
    const between = (): void => {
      for (const createdAt of [-1, 7_000, 12_000, 17_000, MEMORIES + 1]) come(createdAt)
      takeIn(30)
    }
    expect(check(kind, between)).toEqual({ isRight: true, parts: PARTS })
    for (const change of ['count + 1', 'count - 1']) {
      db.exec(`UPDATE counts SET count = ${change} WHERE kind = '${kind}'`)
      expect(check(kind, between)).toEqual({ isRight: false, parts: PARTS })
      db.exec(`UPDATE counts SET count = count * 2 - (${change}) WHERE kind = '${kind}'`)
    }
  },
)

test.each(KINDS)('rows of %s that go once cost a second count', (kind) => {
  const { check, go, come } = setUp()
  const between = (parts: number): void => {
    if (parts > 1) return
    // The one was counted, in its place another one comes.
    go(MEMORIES - 100)
    come(20_000)
  }
  expect(check(kind, between)).toEqual({ isRight: true, parts: 2 * PARTS })
})

test('a count is not taken for right when as many counted rows went as it is off', () => {
  const { db, check, go } = setUp()
  db.exec("UPDATE counts SET count = count + 1 WHERE kind = 'memories'")
  const between = (parts: number): void => {
    if (parts % PARTS === 1) go(MEMORIES - 100 - parts)
  }
  expect(check('memories', between)).toEqual({ isRight: false, parts: 3 * PARTS })
})
