// A purge: how much of it one commit makes, and the creates around it, in whichever commits they come together.
import { expect, test } from 'vitest'
import { accountOf, sessionOf } from '../conformance/account-records.ts'
import { entityOf, memoryOf, NO_RECEIPT, pieceOf } from '../conformance/records.ts'
import { MODEL, newKey } from '../conformance/subject.ts'
import type { SpaceId } from '../records.ts'
import { groupedWrites, type WriterCall } from './testing/grouped-writes.ts'

const DONE = { result: undefined }
const REFUSED = { failure: { kind: 'purged' } }

/** A space of a key that is revoked. */
function setUp() {
  const { db, commit } = groupedWrites()
  const [account, key] = [accountOf(), newKey()]
  commit(
    ['adoptModel', MODEL],
    ['insertAccount', account, sessionOf(account.id)],
    ['insertAccountKey', account.id, key],
    ['revokeAccountKey', account.id, key.id],
  )
  const space = db.prepare<[], SpaceId>('SELECT space_no FROM keys').pluck().get()
  const insertMemory = ({
    content = 'text',
    tags = [],
  }: {
    content?: string
    tags?: string[]
  } = {}): WriterCall => {
    const memory = memoryOf({ content, tags })
    return ['insertMemory', space, memory, [pieceOf(memory.content)], NO_RECEIPT, 1]
  }
  const insertEntity = (): WriterCall => ['insertEntity', space, entityOf(), NO_RECEIPT]
  const purge: WriterCall = ['purgeAccountKey', account.id, key.id, 1]
  const purgeElsewhere = (): void => {
    db.exec('DELETE FROM memories; UPDATE keys SET purged_at = 1')
  }
  return { db, commit, key, insertMemory, insertEntity, purge, purgeElsewhere }
}

test('a step of a purge deletes fewer memories the more rows belong to each', () => {
  const { db, commit, insertMemory, purge } = setUp()
  const tagsOf = (memory: number) => Array.from({ length: 50 }, (_, tag) => `${memory} ${tag}`)
  commit(...Array.from({ length: 60 }, (_, memory) => insertMemory({ tags: tagsOf(memory) })))
  db.exec(`INSERT INTO memory_tags (space_no, tag, created_at, id, memory_no)
    SELECT space_no, value, created_at, memories.id, no FROM memories, json_each(tags)`)
  const left = db.prepare<[], number>('SELECT COUNT(*) FROM memories').pluck()
  const steps: number[] = []
  for (let before = 60; before > 0; before = left.get() ?? 0) {
    commit(purge)
    steps.push(before - (left.get() ?? 0))
  }
  expect(Math.max(...steps)).toBeLessThanOrEqual(20)
  expect(steps.length).toBeLessThan(10)
  expect(commit(purge)).toMatchObject([{ result: { isDone: true } }])
})

test('of creates that can be repeated nothing is left, of however many', () => {
  const { db, commit, key, insertMemory, purge } = setUp()
  commit(insertMemory())
  db.prepare(
    `WITH RECURSIVE made (no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM made WHERE no < 501)
     INSERT INTO idempotency (key_id, idempotency_key, fingerprint, record_id, created_at)
     SELECT ?, no, 'fingerprint', 'id', 1 FROM made`,
  ).run(key.id)
  expect(commit(purge)).toMatchObject([{ result: { isDone: false } }])
  expect(commit(purge)).toMatchObject([{ result: { isDone: true } }])
  expect(db.prepare('SELECT COUNT(*) FROM idempotency').pluck().get()).toBe(0)
})

test('what comes behind a purge is refused, in the commit of the purge as well', () => {
  const { commit, insertMemory, insertEntity, purge } = setUp()
  const replies = commit(insertMemory(), insertEntity(), purge, insertMemory(), insertEntity())
  expect(replies).toMatchObject([DONE, DONE, { result: { isDone: true } }, REFUSED, REFUSED])
})

test('what was seen in one commit is looked up again in the next', () => {
  const { commit, insertMemory, purgeElsewhere } = setUp()
  expect(commit(insertMemory(), insertMemory())).toMatchObject([DONE, DONE])
  purgeElsewhere()
  expect(commit(insertMemory(), insertMemory())).toMatchObject([REFUSED, REFUSED])
})

test('also after one that was undone for want of room', () => {
  const { db, commit, insertMemory, purgeElsewhere } = setUp()
  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`)
  const large = 'x'.repeat(1_000_000)
  expect(commit(insertMemory({ content: large }))).toMatchObject([{ failure: { kind: 'full' } }])
  purgeElsewhere()
  expect(commit(insertMemory())).toMatchObject([REFUSED])
})
