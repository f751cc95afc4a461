// Names of keys, users, tags, entities and texts of memories are text, whatever is in them: nothing
// runs, nothing is loaded, the policy is never violated, and every one is shown as it was written.
import type { Page } from 'playwright-core'
import { settled } from './harness/graph.ts'
import { expect, test, visits } from './harness/visit.ts'
import { HOSTILE } from './hostile-strings.ts'

const visit = visits()

/** As a reader sees it: white space may be folded. */
const folded = (text: string) => text.replace(/\s+/g, ' ').trim()

async function shows(page: Page, selector: string, expected: readonly string[]) {
  // Waits, since a long list is rendered in two steps.
  await expect.poll(() => page.locator(selector).count()).toBe(expected.length)
  const seen = (await page.locator(selector).allTextContents()).map(folded)
  expect(seen.toSorted()).toEqual(expected.map(folded).toSorted())
}

async function isUnharmed(page: Page, requests: readonly string[]) {
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(requests.filter((url) => !url.startsWith(visit().service.address))).toEqual([])
  expect(await page.locator('#root iframe, #root object, #root embed, #root base').count()).toBe(0)
}

test(`${HOSTILE.length} hostile texts are shown as text, and no report of the policy arrives`, async () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(60)
  expect(new Set(HOSTILE).size).toBe(HOSTILE.length)
  const client = await visit().admin()
  const key = await visit().unlimitedKey(client, HOSTILE[0] ?? '')
  const ids: string[] = []
  for (const text of HOSTILE) {
    const memory = { content: text, userId: text, agentId: text, tags: [text.slice(0, 128)] }
    const stored = await key.call('POST', '/v1/memories', {
      json: { ...memory, metadata: { [text]: text } },
    })
    expect(stored.status).toBe(201)
    const entity = { name: text, type: 'OTHER', description: text }
    ids.push((await key.call('POST', '/v1/entities', { json: entity })).id)
    const made = await client.post('/keys', { name: text, plan: 'free' })
    expect(made.status).toBe(201)
  }
  for (const [index, sourceId] of ids.entries()) {
    const json = { sourceId, targetId: ids[(index + 1) % ids.length], type: 'KNOWS' }
    await key.call('POST', '/v1/relations', { json })
  }

  const requests: string[] = []
  const page = await visit().as(client)
  page.on('request', (request) => requests.push(request.url()))
  await shows(page, '.keys .name', [...HOSTILE, HOSTILE[0] ?? ''])
  await page.getByRole('button', { name: 'Actions for the key constructor' }).click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()

  const own = `${visit().service.address}/console/keys/${key.id}`
  const seen: string[] = []
  for (let number = 1; number <= Math.ceil(HOSTILE.length / 20); number++) {
    await page.goto(`${own}/memories?page=${number}`)
    await page.locator('.memory-text').first().waitFor()
    seen.push(...(await page.locator('.memory-text').allTextContents()))
  }
  expect(seen.toSorted()).toEqual([...HOSTILE].toSorted())
  for (const text of ['<script>', '<svg onload', '__proto__']) {
    await page.goto(`${own}/memories?page=1`)
    await page.goto(
      `${own}/memories?userId=${encodeURIComponent(HOSTILE.find((each) => each.startsWith(text)) ?? '')}`,
    )
    await page.locator('.memory-text').first().click()
    await page.getByRole('dialog').getByText('Metadata').waitFor()
    await isUnharmed(page, requests)
  }

  await page.goto(`${own}/playground`)
  await page.getByLabel('Question').fill(HOSTILE[5] ?? '')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('.result').first().waitFor()
  await isUnharmed(page, requests)

  await page.goto(`${own}/graph`)
  await settled(page)
  await page.goto(`${own}/graph?view=list`)
  await shows(page, '.entity-name', HOSTILE)
  for (const index of [0, 5, 40]) {
    await page.locator('.entity-name').nth(index).click()
    await page.getByRole('complementary').getByRole('heading', { level: 2 }).waitFor()
    await page.getByRole('complementary').getByText('Mentioned in memories').waitFor()
  }
  await isUnharmed(page, requests)
  expect(await visit().violations()).toBe(0)
  expect(visit().complaints()).toEqual([])
})

test('a violation would be counted: the test above can fail', async () => {
  const page = await visit().open()
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.hacked = 1'
    document.body.append(script)
  })
  await expect.poll(() => visit().violations()).toBe(1)
  visit().complaints()
})
