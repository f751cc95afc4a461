// A database that was filled before totals were kept gets them beside the service, whoever writes meanwhile: an
// instance of the version before, too. Lists are right at every moment.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { entityOf, NO_RECEIPT } from '../../conformance/records.ts'
import type { SpaceId } from '../../records.ts'
import type { Store } from '../../store.ts'
import { earlierDatabase } from '../testing/earlier-database.ts'
import { countUncountedSpaces } from './uncounted-spaces.ts'

const server = inject('postgresUrl')
/** The last schema without totals. */
const BEFORE = 9
const SPACES = 5
const ENTITIES = 20
const WRITES_UNTIL_ADDED_UP = 64
const FIRST_PAGE = { page: 1, limit: 1 }

/** Filled by the version before. */
async function filledBefore() {
  const database = await earlierDatabase(server ?? '', BEFORE)
  const ask = await database.connected()
  await ask(
    `INSERT INTO spaces (created_at) SELECT 1 FROM generate_series(1, ${SPACES});
     INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
     SELECT space, 'ent_' || no, 'Anna', 'anna', 'PERSON', 1
     FROM generate_series(1, ${SPACES}) AS space, generate_series(1, ${ENTITIES}) AS no`,
  )
  const total = async (store: Store, space: number) =>
    (await store.forSpace(space as SpaceId).entities.page({}, FIRST_PAGE)).total
  const counted = async () =>
    (await ask('SELECT no FROM spaces WHERE is_counted ORDER BY no')).map(({ no }) => Number(no))
  return { ...database, ask, total, counted }
}

describe.skipIf(server === undefined)('the spaces of a database that was filled before', () => {
  test('are counted beside instances that start at once, while the version before writes', async () => {
    const { ask, connected, open, total, counted, failures } = await filledBefore()
    const write = await connected()
    const ends = new AbortController()
    let made = 0
    const writing = (async () => {
      while (!ends.signal.aborted) {
        made += 1
        const space = 1 + (made % SPACES)
        await write(
          `INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
           VALUES (${space}, 'made_${made}', 'Ben', 'ben', 'PERSON', 2)`,
        )
        if (made % 3 === 0) await write(`DELETE FROM entities WHERE id = 'made_${made - 1}'`)
      }
    })()
    const stores = await Promise.all([open(), open()])
    await expect.poll(counted).toHaveLength(SPACES)
    ends.abort()
    await writing
    expect(made).toBeGreaterThan(0)
    const rows = await ask('SELECT space_no, count(*)::int AS rows FROM entities GROUP BY 1')
    for (const { space_no, rows: own } of rows) {
      for (const store of stores) expect(await total(store, Number(space_no))).toBe(own)
    }
    expect(failures).toEqual([])
  })

  test('have right lists, and can be written, while somebody keeps them from being counted', async () => {
    const { ask, connected, open, total, counted, failures } = await filledBefore()
    const holding = await connected()
    // Whoever has written and not committed: no trigger can be made.
    await holding(
      `BEGIN; INSERT INTO entities (space_no, id, name, name_folded, type, created_at)
       VALUES (1, 'held', 'Ben', 'ben', 'PERSON', 2)`,
    )
    const store = await open()
    await sleep(300)
    await ask("DELETE FROM entities WHERE space_no = 2 AND id = 'ent_1'")
    expect(await total(store, 2)).toBe(ENTITIES - 1)
    expect(await total(store, 1)).toBe(ENTITIES)
    expect(await counted()).toEqual([])
    await holding('COMMIT')
    await expect.poll(counted).toHaveLength(SPACES)
    expect(await total(store, 1)).toBe(ENTITIES + 1)
    expect(failures).toEqual([])
  })

  test('are counted when another instance ends before it has counted the one that it took', async () => {
    const { url, ask, connected, open, total, counted, failures } = await filledBefore()
    const holding = await connected()
    const store = await open()
    await expect.poll(counted).toHaveLength(SPACES)
    await ask('UPDATE spaces SET is_counted = false; DELETE FROM row_counts')
    await holding('BEGIN; SELECT 1 FROM spaces WHERE no = 3 FOR UPDATE')
    const stopping = new AbortController()
    onTestFinished(() => stopping.abort())
    const counting = countUncountedSpaces(url, {
      signal: stopping.signal,
      onError: (error) => failures.push(error),
      againMs: 20,
    })
    await expect.poll(counted).toEqual([1, 2, 4, 5])
    // As many as an instance adds up, if they were of a space that is counted.
    for (let made = 0; made < WRITES_UNTIL_ADDED_UP; made += 1) {
      await store.forSpace(3 as SpaceId).entities.insert(entityOf(), NO_RECEIPT)
    }
    await sleep(100)
    await holding('ROLLBACK')
    await counting
    for (let space = 1; space <= SPACES; space += 1) {
      expect(await total(store, space)).toBe(
        space === 3 ? ENTITIES + WRITES_UNTIL_ADDED_UP : ENTITIES,
      )
    }
    expect(failures).toEqual([])
  })
})
