// Going from a page of one key straight to the same page of another, by two steps of the history at once,
// shows nothing of the first key there, and sends no request about it.
import type { Page } from 'playwright-core'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()

/** Visits a page of one key and then that of another, and goes back to the first in one step. */
async function visited(email: string, name: string, prepare: (page: Page) => Promise<unknown>) {
  const client = await visit().member(email)
  const [here, there] = [
    await visit().unlimitedKey(client, 'here'),
    await visit().unlimitedKey(client, 'there'),
  ]
  for (const { call, id } of [here, there]) {
    const json = { name: id === here.id ? 'Of here' : 'Of there', type: 'PERSON' }
    await call('POST', '/v1/entities', { json })
  }
  const page = await visit().as(client, `/console/keys/${here.id}/${name}`)
  await page.getByText('here', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
  await page.getByRole('link', { name: 'there' }).click()
  await page
    .getByRole('navigation', { name: 'Of this key' })
    .getByRole('link', { name: name === 'graph' ? 'Graph' : 'Playground', exact: true })
    .click()
  await prepare(page)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(`/console/api/keys/${here.id}/`)) asked.push(request.url())
  })
  // Back past the other key's usage page and the list of keys.
  await page.evaluate(() => window.history.go(-3))
  await page.waitForURL(`**/keys/${here.id}/${name}*`)
  return { page, asked }
}

test('a question to one key is not asked of another', async () => {
  const { page, asked } = await visited('asks@example.com', 'playground', async (there) => {
    await there.getByLabel('Question').fill('a question to there')
    await there.keyboard.press('Enter')
    await there.getByText('There is nothing to search').waitFor()
  })
  await page.getByText('Ask something').waitFor()
  expect(await page.getByLabel('Question').inputValue()).toBe('')
  expect(asked.filter((url) => url.endsWith('/memories/search'))).toEqual([])
})

test('an entity that is open beside one graph is not looked for in another', async () => {
  const { page, asked } = await visited('opens@example.com', 'graph', async (there) => {
    await there.getByText('List', { exact: true }).click()
    await there.getByRole('button', { name: 'Of there' }).click()
    await there.getByRole('heading', { name: 'Of there' }).waitFor()
  })
  await page.locator('.picture[data-state="settled"]').waitFor()
  expect(await page.getByText('There is no entity with this id.').count()).toBe(0)
  expect(asked.filter((url) => url.includes('/entities/'))).toEqual([])
})

test('a purge of the data of one key that is about to be confirmed does not become one of another', async () => {
  const { page } = await visited('purges@example.com', 'graph', async (there) => {
    const choose = async (act: string) => {
      await there.getByRole('button', { name: 'Actions for the key there' }).click()
      await there.getByRole('menuitem', { name: act }).click()
    }
    await choose('Revoke…')
    await there.getByRole('button', { name: 'Revoke the key' }).click()
    await there.getByText('Revoked there.').waitFor()
    await choose('Purge its data…')
    await there.getByText('1 entity and 0 relations of there').waitFor()
  })
  await page.locator('.picture[data-state="settled"]').waitFor()
  expect(await page.getByText('Purge the data of this key?').count()).toBe(0)
})
