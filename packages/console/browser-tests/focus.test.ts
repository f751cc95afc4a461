// Where somebody is in a page: what they open comes to their eyes and their keyboard, what they work in
// does not vanish under their hands, and closing leads back.
import type { Page } from 'playwright-core'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()

const isSeen = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })
const isFocused = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element === document.activeElement)

async function graphOf(email: string, total: number) {
  const client = await visit().member(email)
  const key = await visit().unlimitedKey(client, 'graph')
  const make = async (index: number) => {
    const json = { name: `Entity ${index}`, type: 'CONCEPT' }
    return (await key.call('POST', '/v1/entities', { json })).id
  }
  const ids = await Promise.all(Array.from({ length: total }, (_, index) => make(index)))
  return { client, key, ids }
}

test.each([360, 640, 1280])(
  'an entity that is opened in a long list comes into sight at a width of %i, and closing it leads back',
  async (width) => {
    if (width === 360) await visit().admin()
    const { client, key } = await graphOf(`list-${width}@example.com`, 60)
    const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list`, {
      viewport: { width, height: 760 },
    })
    const row = page.locator('.entity-name').nth(40)
    await row.focus()
    await page.keyboard.press('Enter')
    await page.locator('.entity-panel h2').waitFor()
    expect(await isSeen(page, '.entity-panel h2')).toBe(true)
    expect(await isFocused(page, '.entity-panel')).toBe(true)
    await page.getByRole('button', { name: 'Close the panel' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.entity-panel').waitFor({ state: 'detached' })
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true)
  },
)

test('the depth of a neighbourhood is changed by the arrow keys, one after the other', async () => {
  const { client, key, ids } = await graphOf('depth@example.com', 2)
  const page = await visit().as(client, `/console/keys/${key.id}/graph?entity=${ids[0]}`)
  await page.getByRole('radio', { name: '1' }).focus()
  for (const depth of ['2', '3']) {
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(new RegExp(`depth=${depth}`))
    await page.getByRole('img', { name: /^1 entity/ }).waitFor()
  }
})

test('from an entity that is gone a way leads back to the whole graph', async () => {
  const { client, key } = await graphOf('gone@example.com', 2)
  const page = await visit().as(client, `/console/keys/${key.id}/graph?entity=ent_gone`)
  await page.getByText('There is no entity with this id.').waitFor()
  expect(await page.getByText('There is no entity with this id.').count()).toBe(1)
  await page.getByRole('button', { name: 'Whole graph' }).click()
  await page.getByRole('img', { name: /^2 entities/ }).waitFor()
})

test('an end of a path that is chosen by keyboard keeps the focus in its field', async () => {
  const { client, key } = await graphOf('ends@example.com', 2)
  const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list`)
  await page.getByRole('button', { name: 'Shortest path' }).click()
  for (const [label, name] of [
    ['From', 'Entity 0'],
    ['To', 'Entity 1'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).focus()
    await page.keyboard.type(name)
    await page.getByRole('option', { name }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe(name)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  }
  await page.getByText('No relations lead from one to the other.').waitFor()
  // What is chosen elsewhere stands in the field.
  await page.locator('.entity-name', { hasText: 'Entity 1' }).click()
  await page.getByRole('button', { name: 'Path from here' }).click()
  await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe('Entity 1')
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('')
})

test('a filter of memories can be refined at once: its field keeps the focus, and "back" its text', async () => {
  const client = await visit().member('refines@example.com')
  const { id } = await visit().key(client, 'refined', 'free')
  const page = await visit().as(client, `/console/keys/${id}/memories`)
  await page.getByLabel('User').focus()
  await page.keyboard.type('ann')
  await page.keyboard.press('Enter')
  await page.waitForURL(/userId=ann$/)
  await page.keyboard.type('a')
  await page.keyboard.press('Enter')
  await page.waitForURL(/userId=anna$/)
  await page.goBack()
  await expect.poll(() => page.getByLabel('User').inputValue()).toBe('ann')
})
