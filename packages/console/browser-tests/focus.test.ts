// The reader's place on a page: what they open comes into sight and gets the keyboard's focus, what they work
// in does not vanish, and closing leads back to where they were.
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
    const { client, key } = await graphOf(`list-${width}@example.com`, 60)
    const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list`, {
      viewport: { width, height: 760 },
    })
    const row = page.locator('.entity-name').nth(40)
    await row.focus()
    await page.keyboard.press('Enter')
    await page.locator('.entity-panel h2').waitFor()
    expect(await isSeen(page, '.entity-panel h2')).toBe(true)
    // So are its texts and buttons, once they have loaded.
    await page.getByText('No memory has this name in its text.').waitFor()
    expect(await isSeen(page, '.entity-panel .delete')).toBe(true)
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
    // Not among the ones that a part of the name has found.
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
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

test('"back" and "reload" lead to the entity that was open beside the graph', async () => {
  const { client, key } = await graphOf('beside@example.com', 3)
  const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list`)
  await page.locator('.entity-name', { hasText: 'Entity 1' }).click()
  const panel = page.getByRole('complementary', { name: 'Selected entity' })
  await panel.getByRole('heading', { name: 'Entity 1' }).waitFor()
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('heading', { name: 'Usage' }).waitFor()
  await page.goBack()
  await panel.getByRole('heading', { name: 'Entity 1' }).waitFor()
  await page.reload()
  await panel.getByRole('heading', { name: 'Entity 1' }).waitFor()
  await page.getByRole('button', { name: 'Close the panel' }).click()
  await page.reload()
  await page.locator('.entity-name').first().waitFor()
  expect(await panel.count()).toBe(0)
})

test('a dialog that a menu opened gives the focus back to the menu’s button', async () => {
  const client = await visit().member('menus@example.com')
  const active = await visit().key(client, 'active', 'free')
  const revoked = await visit().key(client, 'revoked', 'free')
  await client.post(`/keys/${revoked.id}/revoke`)
  const page = await visit().as(client, '/console/keys')
  for (const [name, item, leave] of [
    ['active', 'Revoke…', 'Escape'],
    ['active', 'Rotate…', 'Cancel'],
    ['revoked', 'Purge its data…', 'Cancel'],
    ['active', 'Revoke…', 'Revoke the key'],
  ] as const) {
    const button = page.getByRole('button', { name: `Actions for the key ${name}` })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: item }).focus()
    await page.keyboard.press('Enter')
    if (leave === 'Escape') {
      await page.getByRole('button', { name: 'Cancel' }).waitFor()
      await page.keyboard.press('Escape')
    } else {
      await page.getByRole('button', { name: leave }).click()
    }
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
    await expect
      .poll(() => button.evaluate((element) => element === document.activeElement))
      .toBe(true)
  }
  expect((await active.call('GET', '/v1/entities')).status).toBe(401)
})

test('after a key is saved the focus is on the heading of the page that shows how to use it', async () => {
  const client = await visit().member('saved@example.com')
  const page = await visit().as(client, '/console/keys')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('new')
  await page.keyboard.press('Enter')
  const showMe = page.getByRole('button', { name: /show me how/ })
  await showMe.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('h1:focus').allInnerTexts()).toEqual(['Start here'])
  await page.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Rotate…' }).click()
  await page.getByRole('button', { name: 'Rotate the key' }).click()
  await showMe.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('h1:focus').allInnerTexts()).toEqual(['Start here'])
})

test('a memory that is opened far down a list leaves the list where it was', async () => {
  const client = await visit().member('scrolls@example.com')
  const key = await visit().unlimitedKey(client, 'scrolled')
  for (let index = 0; index < 20; index++) {
    const json = { content: `Memory ${index}`, userId: 'anna' }
    await key.call('POST', '/v1/memories', { json })
  }
  const page = await visit().as(client, `/console/keys/${key.id}/memories`)
  const last = page.getByRole('link', { name: 'Memory 0', exact: true })
  await last.scrollIntoViewIfNeeded()
  const top = () => page.evaluate(() => window.scrollY)
  const before = await top()
  expect(before).toBeGreaterThan(300)
  await last.click()
  const dialog = page.getByRole('dialog', { name: 'Memory' })
  await dialog.getByText('User', { exact: true }).waitFor()
  expect(await top()).toBe(before)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(top).toBe(before)
})

test('a filter of keys is there again when one comes back from a key', async () => {
  const client = await visit().member('filters@example.com')
  for (let index = 0; index < 9; index++) await visit().key(client, `key ${index}`, 'free')
  const page = await visit().as(client, '/console/keys')
  await page.getByLabel('Filter by name or id').focus()
  await page.keyboard.type('key 7')
  const names = () => page.locator('.keys .name').allInnerTexts()
  await expect.poll(names).toEqual(['key 7'])
  await page.getByRole('link', { name: 'key 7' }).click()
  await page.getByRole('heading', { name: 'Usage' }).waitFor()
  await page.goBack()
  await expect.poll(names).toEqual(['key 7'])
  expect(await page.getByLabel('Filter by name or id').inputValue()).toBe('key 7')
  await page.getByLabel('Filter by name or id').fill('')
  await expect.poll(async () => (await names()).length).toBe(9)
  await page.waitForURL('**/keys')
  // The way to the list itself leads to all of it, and "back" to what was found before.
  await page.getByLabel('Filter by name or id').pressSequentially('key 5')
  await page.waitForURL('**/keys?filter=key+5')
  await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
  await expect.poll(async () => (await names()).length).toBe(9)
  expect(await page.getByLabel('Filter by name or id').inputValue()).toBe('')
  await page.goBack()
  await expect.poll(names).toEqual(['key 5'])
})

test('whoever follows a link is taken to the heading of the page', async () => {
  const client = await visit().member('follows@example.com')
  const { id } = await visit().key(client, 'followed', 'free')
  const other = await visit().key(client, 'another', 'free')
  const page = await visit().as(client, '/console/keys')
  const heading = () => page.locator('h1:focus').allInnerTexts()
  await page.getByRole('link', { name: 'followed' }).waitFor()
  // The first page of a visit moves the focus nowhere.
  expect(await heading()).toEqual([])
  for (const [link, title] of [
    ['followed', 'Usage'],
    ['Start here', 'Start here'],
    ['Memories', 'Memories'],
    ['Playground', 'Playground'],
    ['Graph', 'Graph'],
    ['Keys', 'Keys'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).last().focus()
    await page.keyboard.press('Enter')
    await expect.poll(heading).toEqual([title])
  }
  await page.goBack()
  await expect.poll(heading).toEqual(['Graph'])
  // The second time the code of the page is there at once, before the menu has gone.
  for (let times = 1; times <= 2; times++) {
    await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
    await expect.poll(heading).toEqual(['Keys'])
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await expect.poll(heading).toEqual(['Account'])
  }
  // From one key to another, of the same page.
  await page.goto(`${visit().service.address}/console/keys/${id}/memories`)
  await page.getByRole('heading', { name: 'Nothing is remembered yet' }).waitFor()
  await page.evaluate((key) => history.pushState({}, '', `/console/keys/${key}/memories`), other.id)
  await page.evaluate(() => window.dispatchEvent(new PopStateEvent('popstate')))
  await page.getByText('another').waitFor()
  await expect.poll(heading).toEqual(['Memories'])
})

test.each([
  ['the menu of the account', /^Account of/, undefined],
  ['the menu of a key', /^Actions for/, undefined],
  ['a question about a key', /^Actions for/, 'Revoke…'],
] as const)('%s stays behind when "back" leads to another page', async (what, menu, item) => {
  const client = await visit().member(`${what.replaceAll(' ', '-')}@example.com`)
  const { id } = await visit().key(client, 'left', 'free')
  const page = await visit().as(client, `/console/keys/${id}/usage`)
  await page.getByRole('link', { name: 'Memories', exact: true }).click()
  await page.getByRole('heading', { name: 'Memories', exact: true }).waitFor()
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menu').waitFor()
  if (item !== undefined) {
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('alertdialog').waitFor()
  }
  await page.evaluate(() => history.back())
  await expect.poll(() => page.locator('h1:focus').allInnerTexts()).toEqual(['Usage'])
  expect(await page.locator('[role="menu"], [role="alertdialog"]').count()).toBe(0)
})

test('"back" behind a dialog of the graph leaves the focus in it, and closing it leads to the panel', async () => {
  const { client, key, ids } = await graphOf('behind@example.com', 2)
  const json = { sourceId: ids[0], targetId: ids[1], type: 'KNOWS' }
  await key.call('POST', '/v1/relations', { json })
  const page = await visit().as(
    client,
    `/console/keys/${key.id}/graph?view=list&selected=${ids[0]}`,
  )
  const panel = page.getByRole('complementary', { name: 'Selected entity', includeHidden: true })
  await panel.getByRole('button', { name: 'Neighbourhood' }).click()
  await panel.getByRole('button', { name: 'Entity 1', exact: true }).click()
  await panel.getByRole('heading', { name: 'Entity 1' }).waitFor()
  await panel.getByRole('button', { name: 'Relation', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a relation' })
  await dialog.getByLabel('Type', { exact: true }).fill('KNOWS')
  await page.evaluate(() => history.back())
  await page.waitForURL(`**&selected=${ids[0]}`)
  await panel.locator('h2', { hasText: 'Entity 0' }).waitFor()
  expect(await dialog.locator(':focus').count()).toBe(1)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => isFocused(page, 'aside')).toBe(true)
})

test('a memory that opens with its page has the focus', async () => {
  const { client, key, ids } = await graphOf('mentions@example.com', 1)
  const json = { content: 'Of Entity 0.', userId: 'anna' }
  await key.call('POST', '/v1/memories', { json })
  const page = await visit().as(
    client,
    `/console/keys/${key.id}/graph?view=list&selected=${ids[0]}`,
  )
  await page.getByRole('link', { name: 'Of Entity 0.' }).click()
  const dialog = page.getByRole('dialog', { name: 'Memory' })
  await dialog.getByText('User', { exact: true }).waitFor()
  await expect.poll(() => dialog.locator(':focus').count()).toBe(1)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('of all ways the one to the page that is shown is said to be it, and no other', async () => {
  const client = await visit().member('ways@example.com')
  const { id } = await visit().key(client, 'ways', 'free')
  const page = await visit().as(client, `/console/keys/${id}/memories?userId=anna`)
  const current = page.locator('[aria-current]')
  await current.first().waitFor()
  expect(await current.allInnerTexts()).toEqual(['Memories'])
  await page.getByRole('link', { name: 'Graph', exact: true }).click()
  await expect.poll(() => current.allInnerTexts()).toEqual(['Graph'])
  await page.goto(`${visit().service.address}/console/keys?filter=w`)
  await current.first().waitFor()
  expect(await current.allInnerTexts()).toEqual(['Mnemograph', 'Keys'])
})
