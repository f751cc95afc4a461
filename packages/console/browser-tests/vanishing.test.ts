// When the element with the keyboard's focus vanishes, because it was pressed or with what is around it, the
// focus goes to the next sensible place and not to the beginning of the page.
import type { Page } from 'playwright-core'
import { entityOf, NO_RECEIPT } from '../../server/src/storage/conformance/records.ts'
import { ConsoleClient, PASSWORD } from '../../server/src/testing/console-client.ts'
import { ADMIN, expect, test, visits } from './harness/visit.ts'

const visit = visits()

/** What a reader by ear hears of the element that has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.replace(/\s+/g, ' ').trim())

async function press(page: Page, name: string) {
  const button = page.getByRole('button', { name })
  // It is disabled, and takes no focus, until its data has loaded.
  await expect.poll(() => button.isEnabled()).toBe(true)
  await button.focus()
  await page.keyboard.press('Enter')
}

async function remembers(email: string, contents: readonly string[]) {
  const client = await visit().member(email)
  const key = await visit().key(client, 'memories', 'free')
  for (const content of contents) {
    await key.call('POST', '/v1/memories', { json: { content, userId: 'anna' } })
  }
  return visit().as(client, `/console/keys/${key.id}/memories`)
}

test('after a memory is deleted the focus is on the next one, on the one before, and on the heading', async () => {
  const page = await remembers('deletes@example.com', ['first', 'second', 'third'])
  for (const [content, next] of [
    ['second', 'first'],
    ['first', 'third'],
    ['third', 'Memories'],
  ] as const) {
    await page.getByRole('link', { name: content }).focus()
    await page.keyboard.press('Enter')
    await press(page, 'Delete…')
    await page.getByRole('button', { name: 'Delete the memory' }).click()
    await page.getByRole('link', { name: content }).waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(next)
  }
  await page.getByText('Deleted the memory.').first().waitFor()
})

test('a memory that is only looked at gives the focus back, also after another was deleted', async () => {
  const page = await remembers('looks@example.com', ['first', 'second', 'third'])
  const look = async (content: string) => {
    await page.getByRole('link', { name: content }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('User', { exact: true }).waitFor()
  }
  await look('third')
  await press(page, 'Delete…')
  await page.getByRole('button', { name: 'Delete the memory' }).click()
  await page.getByText('1–2 of 2').waitFor()
  await look('first')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('first')
})

test.each([
  ['first', 'Clear'],
  ['nobody', 'Clear'],
  ['nobody', 'Clear the filter'],
])('after a filter of %s is cleared by "%s" the focus is on the heading', async (user, name) => {
  const email = `${user}-${name.replaceAll(' ', '-')}@example.com`.toLowerCase()
  const page = await remembers(email, ['first'])
  await page.goto(`${page.url()}?userId=${user}`)
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('1–1 of 1').waitFor()
  await expect.poll(() => focused(page)).toBe('Memories')
})

test('the last page is reached by keyboard without losing the button, which then does nothing', async () => {
  const contents = Array.from({ length: 21 }, (_, index) => `memory ${index}`)
  const page = await remembers('pages@example.com', contents)
  await page.getByText('1–20 of 21').waitFor()
  await press(page, 'Older')
  await page.getByText('21–21 of 21').waitFor()
  expect(await focused(page)).toBe('Older')
  await page.keyboard.press('Enter')
  await press(page, 'Newer')
  await page.getByText('1–20 of 21').waitFor()
  expect(await focused(page)).toBe('Newer')
})

// Not on the next button: a key that is held would go on ending sessions.
test('after a session is ended the focus is on the heading of the list', async () => {
  const email = 'sessions@example.com'
  const client = await visit().member(email)
  const page = await visit().as(client, '/console/account')
  for (let more = 0; more < 2; more++) {
    const again = new ConsoleClient(visit().service.address)
    await again.post('/sign-in', { email, password: PASSWORD })
  }
  await page.reload()
  const ends = page.getByRole('button', { name: /^End the session/ })
  await expect.poll(() => ends.count()).toBe(2)
  for (const left of [1, 0]) {
    await ends.first().focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => ends.count()).toBe(left)
    expect(await focused(page)).toBe('Sessions')
  }
})

test('after all other sessions are ended the focus is on their heading', async () => {
  const email = 'all-sessions@example.com'
  const client = await visit().member(email)
  const page = await visit().as(client, '/console/account')
  await new ConsoleClient(visit().service.address).post('/sign-in', { email, password: PASSWORD })
  await page.reload()
  await press(page, 'End all others…')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => focused(page)).toBe('End all others…')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'End the others' }).click()
  await page.getByText('Ended the other sessions.').waitFor()
  await expect.poll(() => focused(page)).toBe('Sessions')
})

test('after an invitation is withdrawn the focus is on the heading, unless it is elsewhere by then', async () => {
  const { links } = visit().service.console
  for (const name of ['one', 'two']) await links.invite(`${name}@example.com`)
  const client = new ConsoleClient(visit().service.address)
  await client.post('/sign-in', { email: ADMIN, password: PASSWORD })
  const page = await visit().as(client, '/console/people')
  const withdrawals = page.getByRole('button', { name: /^Withdraw/ })
  await withdrawals.first().focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => withdrawals.count()).toBe(1)
  expect(await focused(page)).toBe('Invite somebody')

  await page.route('**/withdraw', async (route) => {
    await page.getByLabel('E-mail address').focus()
    return route.continue()
  })
  await withdrawals.first().focus()
  await page.keyboard.press('Enter')
  await page.getByText('No invitation is open.').waitFor()
  const field = page.getByLabel('E-mail address')
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('an entity that was added comes into focus beside the graph, the first one and the next', async () => {
  const client = await visit().member('first-entity@example.com')
  const { id } = await visit().key(client, 'graph', 'free')
  const page = await visit().as(client, `/console/keys/${id}/graph`)
  const panel = page.getByRole('complementary', { name: 'Selected entity' })
  for (const name of ['Anna', 'Ben']) {
    await press(page, 'Add entity')
    await page.getByLabel('Name').fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name }).waitFor()
    await expect
      .poll(() => panel.evaluate((element) => element === document.activeElement))
      .toBe(true)
  }
})

test('in the graph the focus stays near what was deleted or closed', async () => {
  const client = await visit().member('graph@example.com')
  const { id: keyId, call } = await visit().key(client, 'graph', 'free')
  const ids: string[] = []
  for (const name of ['Anna', 'Ben', 'Carla']) {
    ids.push((await call('POST', '/v1/entities', { json: { name, type: 'PERSON' } })).id)
  }
  for (const targetId of ids.slice(1)) {
    const json = { sourceId: ids[0], targetId, type: 'KNOWS' }
    await call('POST', '/v1/relations', { json })
  }
  const page = await visit().as(client, `/console/keys/${keyId}/graph?view=list&entity=${ids[0]}`)
  await press(page, 'Delete the relation KNOWS with Carla')
  await page.getByRole('button', { name: 'Delete the relation', exact: true }).click()
  await page.getByRole('heading', { name: 'Relations 1' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Ben')
  await press(page, 'Delete the relation KNOWS with Ben')
  await page.getByRole('button', { name: 'Delete the relation', exact: true }).click()
  await page.getByText('None yet.').waitFor()
  await expect.poll(() => focused(page)).toBe('Relations')

  await press(page, 'Whole graph')
  await page.locator('.entity-name', { hasText: 'Carla' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Graph')
  await press(page, 'Shortest path')
  await press(page, 'Close the path')
  await expect.poll(() => focused(page)).toBe('Shortest path')
  const names = page.locator('.entity-name')
  const [deleted, next] = await names.allInnerTexts()
  await names.first().focus()
  await page.keyboard.press('Enter')
  await press(page, 'Delete…')
  await page.getByRole('button', { name: 'Delete the entity' }).click()
  await page.getByText(`Deleted ${deleted}.`).waitFor()
  await expect.poll(() => names.count()).toBe(2)
  await expect.poll(() => focused(page)).toBe(next)
})

test('an entity that was opened by its address leaves the focus on its name in the list, or on the heading', async () => {
  const client = await visit().member('beside@example.com')
  const { id: keyId, call } = await visit().key(client, 'graph', 'free')
  const { id } = await call('POST', '/v1/entities', { json: { name: 'Anna', type: 'PERSON' } })
  const graph = `/console/keys/${keyId}/graph?selected=${id}`
  const page = await visit().as(client, `${graph}&view=list`)
  await press(page, 'Close the panel')
  await expect.poll(() => focused(page)).toBe('Anna')
  await page.goto(visit().service.address + graph)
  await press(page, 'Close the panel')
  await expect.poll(() => focused(page)).toBe('Graph')
})

test('a memory that was opened by its address leaves the focus on its link in the list, or on the heading', async () => {
  const page = await remembers('linked@example.com', ['first', 'second'])
  const open = async (content: string) => {
    await page.getByRole('link', { name: content }).click()
    await page.getByRole('dialog').getByText(content).waitFor()
    await page.reload()
    await page.getByRole('dialog').getByText(content).waitFor()
    await page.getByRole('dialog').locator(':focus').waitFor()
  }
  await open('first')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('first')
  await open('second')
  // On another page of the list, or filtered, it has no link there.
  await page.goto(`${page.url()}&userId=ben`)
  await page.getByRole('dialog').locator(':focus').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Memories')
})

test('a page of the list that does not come, and then comes, leaves the focus on the heading', async () => {
  const contents = Array.from({ length: 21 }, (_, index) => `note ${index}`)
  const page = await remembers('turns@example.com', contents)
  await page.getByText('1–20 of 21').waitFor()
  const ofPage = '**/api/keys/*/memories?*page=2*'
  await page.route(ofPage, (route) => route.fulfill({ status: 500, body: '' }))
  await press(page, 'Older')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  expect(await focused(page)).toBe('Memories')
  await page.unroute(ofPage)
  await press(page, 'Try again')
  await page.getByText('21–21 of 21').waitFor()
  expect(await focused(page)).toBe('Memories')
})

test('what is tried again in a dialog leaves the focus in it', async () => {
  const page = await remembers('again@example.com', ['first'])
  const ofMemory = '**/api/keys/*/memories/mem_*'
  await page.route(ofMemory, (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('link', { name: 'first' }).click()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.unroute(ofMemory)
  await press(page, 'Try again')
  await page.getByRole('region', { name: 'Text' }).waitFor()
  const isInside = () =>
    page.getByRole('dialog').evaluate((dialog) => dialog.contains(document.activeElement))
  expect(await isInside()).toBe(true)
})

test('the choice of a month keeps the focus while the month loads, and when it does not come', async () => {
  const client = await visit().member('months@example.com')
  const { id } = await visit().key(client, 'counted', 'free')
  const page = await visit().as(client, '/console/keys')
  await page.route('**/console/api/**/usage*', async (route) => {
    const response = await route.fetch()
    const usage = Object(await response.json())
    await route.fulfill({ json: { ...usage, months: [...usage.months, '2026-01'] } })
  })
  await page.goto(`${visit().service.address}/console/keys/${id}/usage?month=2026-01`)
  const month = page.getByRole('combobox', { name: 'Month' })
  await month.focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('heading', { name: 'Nothing has happened this month' }).waitFor()
  const hasFocus = () => month.evaluate((element) => element === document.activeElement)
  expect(await hasFocus()).toBe(true)

  await page.goto(`${visit().service.address}/console/keys/${id}/usage?month=2026-01`)
  await month.focus()
  await page.route('**/usage', (route) => route.fulfill({ status: 500, body: '' }))
  await page.keyboard.press('ArrowUp')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  expect(await hasFocus()).toBe(true)
  expect(await month.inputValue()).not.toBe('2026-01')
})

test('what shows more keeps the focus when there is no more, and then does nothing', async () => {
  const client = await visit().member('more@example.com')
  const key = await visit().unlimitedKey(client, 'more')
  const { entities } = await visit().spaceOf(key)
  for (let index = 0; index < 101; index++) {
    await entities.insert(entityOf({ name: `Entity ${index}` }), NO_RECEIPT)
  }
  for (let index = 0; index < 6; index++) {
    await key.call('POST', '/v1/memories', {
      json: { content: `Entity 100 was here ${index} times`, userId: 'anna' },
    })
  }
  const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list`)
  await press(page, 'Show more')
  await page.getByText('101 of 101 entities').waitFor()
  expect(await focused(page)).toBe('Show more')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Entity 100', exact: true }).click()
  await press(page, 'Look further')
  await page.getByRole('link', { name: 'Entity 100 was here 0 times' }).waitFor()
  expect(await focused(page)).toBe('Look further')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('link', { name: /^Entity 100 was here/ }).count()).toBe(6)
})

test('a threshold that is put back has the focus', async () => {
  const page = await remembers('puts-back@example.com', ['anna likes tea'])
  await page.goto(page.url().replace('/memories', '/playground'))
  await page.getByLabel('Question').fill('What does anna like?')
  await page.keyboard.press('Enter')
  await page.getByLabel('Threshold').focus()
  await page.keyboard.press('ArrowRight')
  await press(page, 'Back to')
  const threshold = page.getByLabel('Threshold')
  await expect
    .poll(() => threshold.evaluate((element) => element === document.activeElement))
    .toBe(true)
})

test('after the first memory is added the focus is on the button that adds another', async () => {
  const page = await remembers('first-memory@example.com', [])
  await page.locator('.empty').getByRole('button', { name: 'Add memory' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Text').fill('Anna likes tea.')
  await dialog.getByLabel('User').fill('anna')
  await page.keyboard.press('Enter')
  await page.getByText('1–1 of 1').waitFor()
  await expect.poll(() => focused(page)).toBe('Add memory')
})

test.each([
  ['anna', 'Clear'],
  ['nobody', 'Clear the filter'],
])(
  'after "back" from a filter of %s the focus that was on "%s" is on the heading',
  async (user, name) => {
    const page = await remembers(`back-${user}@example.com`, ['first'])
    await page.getByLabel('User').fill(user)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name, exact: true }).focus()
    await page.goBack()
    await page.getByRole('button', { name: 'Clear' }).waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Memories')
  },
)

test.each([
  ['button', 'Whole graph'],
  ['radio', '2'],
  ['button', 'Close the panel'],
] as const)(
  'after "back" from a neighbourhood the focus that was on a %s of it is on the heading',
  async (role, name) => {
    const client = await visit().member(`back-${name.replaceAll(' ', '-')}@example.com`)
    const { id, call } = await visit().key(client, 'graph', 'free')
    await call('POST', '/v1/entities', { json: { name: 'Anna', type: 'PERSON' } })
    const page = await visit().as(client, `/console/keys/${id}/graph?view=list`)
    await page.getByLabel('Find an entity').fill('Anna')
    await page.getByRole('option', { name: 'Anna' }).click()
    await page.getByRole(role, { name, exact: true }).focus()
    await page.goBack()
    await page.getByRole('button', { name: 'Whole graph' }).waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Graph')
  },
)
