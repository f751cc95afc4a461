// On the screen of a small phone nothing lies over anything else, and every page of a key can be seen.
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()
const WIDTH = 360
const narrow = { viewport: { width: WIDTH, height: 740 } }

test('a long name leaves room for the actions of its key', async () => {
  const client = await visit().admin()
  await visit().key(client, 'W'.repeat(200), 'free')
  const page = await visit().as(client, '/console/keys', narrow)
  const actions = await page.getByRole('button', { name: /^Actions for the key/ }).boundingBox()
  const right = await page.locator('.keys .name').evaluate((name) => {
    const range = document.createRange()
    range.selectNodeContents(name)
    return range.getBoundingClientRect().right
  })
  expect(right).toBeLessThanOrEqual(actions?.x ?? 0)
})

test('the way to every page of a key is on the screen', async () => {
  const client = await visit().member('phone@example.com')
  const { id } = await visit().key(client, 'phone', 'free')
  const page = await visit().as(client, `/console/keys/${id}/graph`, narrow)
  const links = page.getByRole('navigation', { name: 'Of this key' }).getByRole('link')
  await links.first().waitFor()
  const rights = await links.evaluateAll((all) =>
    all.map((link) => link.getBoundingClientRect().right),
  )
  expect(rights).toHaveLength(5)
  expect(Math.max(...rights)).toBeLessThanOrEqual(WIDTH)
})

test('the buttons of a dialog are whole', async () => {
  const client = await visit().member('buttons@example.com')
  const page = await visit().as(client, '/console/keys', narrow)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('phone')
  await page.keyboard.press('Enter')
  await page.getByTestId('secret').waitFor()
  const left = await dialog.evaluate((element) => element.getBoundingClientRect().left)
  const lefts = await dialog
    .getByRole('button')
    .evaluateAll((all) => all.map((button) => button.getBoundingClientRect().left))
  expect(lefts).toHaveLength(3)
  expect(Math.min(...lefts)).toBeGreaterThan(left)
})
