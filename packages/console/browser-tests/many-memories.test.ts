// A list of 100,000 memories: every page of it costs the browser the same. (What a deep page costs
// the store is a question of the query alone: it walks an index.)
import Database from 'better-sqlite3'
import type { Page } from 'playwright-core'
import { checkCounts } from '../../server/src/storage/sqlite/opening/check-file.ts'
import { databaseFile } from '../../server/src/storage/sqlite/opening/data-folder.ts'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()
const MEMORIES = 100_000
const PER_PAGE = 20

/** Straight into the store, in one statement: this is about the list, not about remembering. */
function fill(id: string) {
  const db = new Database(databaseFile(visit().service.directory))
  try {
    const { changes } = db
      .prepare(
        `INSERT INTO memories (space_no, id, content, user_id, agent_id, tags, created_at)
         WITH RECURSIVE numbers (number) AS
           (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?)
         SELECT space_no, printf('mem_%06d', number), printf('note %06d', number),
           'user-' || (number % 10), NULL, '[]', 1700000000000 + number
         FROM numbers, (SELECT space_no FROM keys WHERE id = ?)`,
      )
      .run(MEMORIES, id)
    expect(changes).toBe(MEMORIES)
    // What the writes of the store would have counted.
    checkCounts(db)
  } finally {
    db.close()
  }
}

/** What the page has asked of the console's interface since the last time, and how much came back. */
async function asked(page: Page) {
  await page.waitForLoadState('networkidle')
  const answers = await page.evaluate(() => {
    const entries = performance.getEntriesByType('resource')
    performance.clearResourceTimings()
    return entries.map((entry) => ({
      path: new URL(entry.name).pathname,
      bytes: entry instanceof PerformanceResourceTiming ? entry.decodedBodySize : 0,
    }))
  })
  const own = answers.filter(({ path }) => path.startsWith('/console/api/'))
  return {
    paths: own.map(({ path }) => path).sort(),
    bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

test('the last page of 100,000 memories asks for as much as the first, and leads back and forth', async () => {
  const client = await visit().admin()
  const { id } = await visit().key(client, 'many')
  fill(id)
  const last = MEMORIES / PER_PAGE
  const page = await visit().as(client)
  const open = async (number: number, range: string) => {
    await page.goto('about:blank')
    await page.goto(`${visit().service.address}/console/keys/${id}/memories?page=${number}`)
    await page.getByText(range).waitFor()
    return asked(page)
  }
  const links = () => page.getByRole('link', { name: /^note \d{6}$/ }).allInnerTexts()

  const first = await open(1, '1–20 of 100,000')
  expect(await links()).toHaveLength(PER_PAGE)
  const deep = await open(last, '99,981–100,000 of 100,000')
  expect((await links()).at(-1)).toBe('note 000001')
  expect(deep.paths).toEqual(first.paths)
  // The numbers of the page itself are the only difference.
  expect(Math.abs(deep.bytes - first.bytes)).toBeLessThan(100)

  await page.getByRole('button', { name: 'Newer' }).click()
  await page.getByText('99,961–99,980 of 100,000').waitFor()
  const back = await asked(page)
  expect(back.paths).toEqual([`/console/api/keys/${id}/memories`])
  expect(back.bytes).toBeLessThan(deep.bytes)
  expect(await links()).toHaveLength(PER_PAGE)
  await page.getByLabel('User').fill('user-3')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByText('1–20 of 10,000').waitFor()
  expect(visit().complaints()).toEqual([])
})
