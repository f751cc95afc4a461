// The life of a key: its secret stays until it was saved and is then gone, no slip revokes or purges
// anything, and the usage that is shown is what the API counted.
import type { Page } from 'playwright-core'
import { apiClient } from '../../server/src/testing/api-client.ts'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()

test('a key is made, shown once, copied, used, and refused at once when it is revoked', async () => {
  const { service } = visit()
  const admin = await visit().admin()
  const page = await visit().as(admin)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByLabel('Name').fill('production agent')
  await page.getByLabel('Hobby').check()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const secret = await page.getByTestId('secret').innerText()
  await page.getByRole('button', { name: 'Copy the key production agent' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  // Neither Escape nor a press beside it takes the key away before it was saved.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 300)
  expect(await page.getByTestId('secret').isVisible()).toBe(true)
  await page.getByRole('button', { name: 'I have saved it', exact: true }).click()
  await page.getByTestId('secret').waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret)

  const call = apiClient(service.address, secret)
  expect((await call('GET', '/v1/memories')).status).toBe(200)
  await page.reload()
  const row = page.getByRole('row', { name: /production agent/ })
  await row.getByText('1 of 50,000').waitFor()
  await row.getByText('just now').first().waitFor()

  await row.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  const dialog = page.getByRole('alertdialog')
  expect(await dialog.innerText()).toContain('production agent')
  await dialog.getByRole('button', { name: 'Revoke the key' }).click()
  await row.getByText('revoked').waitFor()
  expect((await call('GET', '/v1/memories')).code).toBe('API_KEY_REVOKED')
  expect(visit().complaints()).toEqual([])
})

test('the way back does not take a key away before it was saved', async () => {
  const client = await visit().member('back@example.com')
  const { id } = await visit().key(client, 'before', 'free')
  const page = await visit().as(client, `/console/keys/${id}/usage`)
  await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('behind')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const secret = await page.getByTestId('secret').innerText()
  await page.evaluate(() => history.back())
  // Long enough for "back" to have taken effect.
  await page.waitForTimeout(500)
  expect(await page.getByTestId('secret').innerText()).toBe(secret)
  expect(new URL(page.url()).pathname).toBe('/console/keys')
  await page.getByRole('button', { name: /show me how/ }).click()
  await page.getByRole('heading', { name: 'Waiting for the first request' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'behind' }).waitFor()
})

test('no single slip revokes a key: a double click and Enter do nothing', async () => {
  const client = await visit().member('slip@example.com')
  const { call } = await visit().key(client, 'slippery', 'free')
  const page = await visit().withClock(client, '/console/keys')
  const actions = page.getByRole('button', { name: 'Actions for the key slippery' })
  const item = page.getByRole('menuitem', { name: 'Revoke…' })
  const revoke = page.getByRole('button', { name: 'Revoke the key' })
  await actions.click()
  await item.waitFor()
  // However slow the machine, the second click comes at once.
  await page.clock.pauseAt(Date.now() + 60_000)
  await item.click()
  await page.clock.runFor(300)
  await revoke.click({ force: true })
  expect(await revoke.isDisabled()).toBe(true)
  await page.clock.resume()
  await page.keyboard.press('Escape')
  await revoke.waitFor({ state: 'detached' })

  await actions.click()
  await item.click()
  // The dialog takes the focus once it is drawn; before that, Enter does nothing at all.
  await page.locator('button:focus', { hasText: 'Cancel' }).waitFor()
  await page.keyboard.press('Enter')
  await revoke.waitFor({ state: 'detached' })
  expect((await call('GET', '/v1/memories')).status).toBe(200)
})

test('rotation gives a new key for the same data, and the old one is refused', async () => {
  const client = await visit().member('rotate@example.com')
  const { id, call } = await visit().key(client, 'turning', 'free')
  const json = { content: 'Survives the rotation.', userId: 'anna' }
  const memory = await call('POST', '/v1/memories', { json })
  const page = await visit().as(client)
  await page.getByRole('button', { name: 'Actions for the key turning' }).click()
  await page.getByRole('menuitem', { name: 'Rotate…' }).click()
  await page.getByRole('button', { name: 'Rotate the key' }).click()
  const secret = await page.getByTestId('secret').innerText()
  // The question vanishes a moment later, and leaves the focus with the new key.
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await page.waitForTimeout(300)
  expect(await page.getByRole('dialog').locator(':focus').count()).toBe(1)
  await page.getByRole('button', { name: 'I have saved it', exact: true }).click()
  await page.getByText('revoked, replaced').waitFor()

  expect((await call('GET', '/v1/memories')).code).toBe('API_KEY_REVOKED')
  const next = apiClient(visit().service.address, secret)
  expect((await next('GET', `/v1/memories/${memory.id}`)).status).toBe(200)
  await page.goto(`${visit().service.address}/console/keys/${id}/memories`)
  await page.getByRole('heading', { name: 'This key was replaced' }).waitFor()
  await page.getByRole('link', { name: 'To that key' }).click()
  // Until then "Memories" is still a link of the replaced key.
  await page.getByRole('heading', { name: 'This key was replaced' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Memories' }).click()
  await page.getByText('Survives the rotation.').waitFor()
})

test('a key that was revoked by mistake gets a new one for its data, by a button that does not look like a deletion', async () => {
  const client = await visit().member('by-mistake@example.com')
  const { id, call } = await visit().key(client, 'revoked', 'free')
  await call('POST', '/v1/memories', { json: { content: 'A note.', userId: 'anna' } })
  await client.post(`/keys/${id}/revoke`)
  const page = await visit().as(client)
  await page.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'New key for this data…' }).click()
  const make = page.getByRole('button', { name: 'Make the key' })
  expect(await make.getAttribute('class')).toContain('primary')
  await make.click()
  const secret = await page.getByTestId('secret').innerText()
  const list = await apiClient(visit().service.address, secret)('GET', '/v1/memories')
  expect(Object(list.body).pagination.total).toBe(1)
})

test('the data of a revoked key is purged only when its name is typed', async () => {
  const client = await visit().member('purge@example.com')
  const { id, call } = await visit().key(client, 'to be purged', 'free')
  await call('POST', '/v1/memories', { json: { content: 'Will be gone.', userId: 'anna' } })
  await client.post(`/keys/${id}/revoke`)
  const page = await visit().as(client)
  await page.getByRole('button', { name: 'Actions for the key to be purged' }).click()
  await page.getByRole('menuitem', { name: 'Purge its data…' }).click()
  await page.getByText('1 memory, 0 entities and 0 relations').waitFor()
  const purge = page.getByRole('button', { name: 'Purge the data' })
  const name = page.getByLabel(/to confirm/)
  await name.fill('to be')
  expect(await purge.isDisabled()).toBe(true)
  await name.fill('to be purged')
  await purge.click()
  await page.getByText('revoked, purged').waitFor()
  const { body } = await client.get(`/keys/${id}`)
  expect(Object(body).data).toEqual({ memories: 0, entities: 0, relations: 0 })
})

test('a name that no keyboard types as it is can be confirmed as it is shown', async () => {
  const client = await visit().member('unusual@example.com')
  const { id } = await visit().key(client, 'two  words\nand more', 'free')
  await client.post(`/keys/${id}/revoke`)
  const page = await visit().as(client)
  await page.getByRole('button', { name: /^Actions for the key/ }).click()
  await page.getByRole('menuitem', { name: 'Purge its data…' }).click()
  await page.getByLabel(/to confirm/).fill('two words and more')
  await page.getByRole('button', { name: 'Purge the data' }).click()
  await page.getByText('revoked, purged').waitFor()
})

test('a key or an entity whose name cannot be seen can be pressed, and its data purged', async () => {
  const client = await visit().member('unseen@example.com')
  const { id, call } = await visit().key(client, '\u200b', 'free')
  const ids: string[] = []
  for (const name of ['\u2060\u3164', 'Anna']) {
    ids.push((await call('POST', '/v1/entities', { json: { name, type: 'PERSON' } })).id)
  }
  const [sourceId, targetId] = ids
  await call('POST', '/v1/relations', { json: { sourceId, targetId, type: 'KNOWS' } })
  await client.post(`/keys/${id}/revoke`)
  const page = await visit().as(client)
  await page.getByRole('link', { name: 'U+200B' }).click()
  await page.getByRole('button', { name: 'Actions for the key U+200B' }).waitFor()
  await page.goto(`${visit().service.address}/console/keys/${id}/graph?view=list`)
  const panel = page.getByRole('complementary')
  const unseen = (around: Page | typeof panel) =>
    around.getByRole('button', { name: 'U+2060 U+3164', exact: true })
  await unseen(page).first().click()
  await panel.getByRole('heading', { name: 'U+2060 U+3164' }).waitFor()
  await panel.getByRole('button', { name: 'Anna', exact: true }).click()
  await unseen(panel).click()
  await page.getByRole('button', { name: /^Actions for the key/ }).click()
  await page.getByRole('menuitem', { name: 'Purge its data…' }).click()
  await page.getByLabel(/U\+200B, to confirm/).fill('U+200B')
  await page.getByRole('button', { name: 'Purge the data' }).click()
  await page.getByText('revoked, purged').waitFor()
})

test('start here shows what to paste, and notices the first request by itself', async () => {
  const client = await visit().member('start@example.com')
  const { id, secret, call } = await visit().key(client, 'fresh', 'free')
  const page = await visit().as(client, `/console/keys/${id}/start`)
  await page.getByRole('heading', { name: 'Waiting for the first request' }).waitFor()
  for (const language of ['curl', 'TypeScript', 'Python']) {
    await page.getByRole('tab', { name: language }).click()
    const text = await page.getByRole('tabpanel', { name: language }).innerText()
    expect(text).toContain(secret.slice(0, 8))
    expect(text).not.toContain(secret)
    expect(text).toContain(`${visit().service.address}/v1`)
  }
  await call('GET', '/v1/memories')
  await page.getByRole('heading', { name: 'It works' }).waitFor()
})

test('usage shows what the API counted, by day and by kind, and as a table', async () => {
  const client = await visit().member('usage@example.com')
  const { id, call } = await visit().key(client, 'counted', 'free')
  const json = { content: 'Counted.', userId: 'anna' }
  const { id: memory } = await call('POST', '/v1/memories', { json })
  await call('POST', '/v1/memories', { json })
  await call('POST', '/v1/memories/search', { json: { query: 'counted' } })
  await call('GET', '/v1/memories')
  await call('GET', '/v1/entities')
  await call('DELETE', `/v1/memories/${memory}`)
  const last = await call('GET', '/v1/memories/mem_missing')
  expect(last.headers.get('x-quota-used')).toBe('5')

  const page = await visit().as(client, `/console/keys/${id}/usage`)
  await page.getByText('5 of 1,000').waitFor()
  const table = page.getByRole('table', { name: 'Operations by day' })
  const month = await table.getByRole('row', { name: /^Month/ }).innerText()
  expect(month.split(/\s+/).slice(1)).toEqual(['2', '1', '2', '1', '6', '0', '1'])
  const operations = page.getByRole('table', { name: 'Operations by kind' })
  await operations.getByRole('row', { name: 'memories.create 2' }).waitFor()
  await operations.getByRole('row', { name: 'entities.list draws on no quota 1' }).waitFor()
  const errors = page.getByRole('table', { name: 'Errors by code' })
  await errors.getByRole('row', { name: 'MEMORY_NOT_FOUND 1' }).waitFor()
  // What the console itself asks for draws on nothing.
  await page.goto(`${visit().service.address}/console/keys/${id}/memories`)
  await page.getByText('1–1 of 1').waitFor()
  await page.goto(`${visit().service.address}/console/keys/${id}/usage`)
  await page.getByText('5 of 1,000').waitFor()
})

test('of a key whose month is used up it is said what is refused, and what gives it more', async () => {
  const client = await visit().member('used-up@example.com')
  const { id } = await visit().key(client, 'used up', 'free')
  const page = await visit().as(client, `/console/keys/${id}/usage`)
  await page.getByText('of 1,000').waitFor()
  const said = page.getByText('What counts is refused until then')
  expect(await said.count()).toBe(0)
  const month = new Date().toISOString().slice(0, 7)
  const { usage } = visit().service.service.store
  await usage.add([{ keyId: id, month, operations: 1_000, lastUsedAt: 1 }])
  await page.reload()
  await said.filter({ hasText: 'npx mnemograph keys change' }).waitFor()
})

test('of a month that is over it is said that it ended, not that its count starts again', async () => {
  const client = await visit().member('months@example.com')
  const { id } = await visit().key(client, 'counted', 'free')
  const page = await visit().as(client, '/console/keys')
  await page.route('**/console/api/**/usage*', async (route) => {
    const response = await route.fetch()
    const usage = Object(await response.json())
    await route.fulfill({ json: { ...usage, months: ['2999-12', ...usage.months] } })
  })
  await page.goto(`${visit().service.address}/console/keys/${id}/usage`)
  await page.getByText('The month ended on').waitFor()
  expect(await page.getByText('Resets').count()).toBe(0)
})

test('a link that filters can be ended, however few keys there are', async () => {
  const client = await visit().member('few-keys@example.com')
  await visit().unlimitedKey(client, 'only one')
  const page = await visit().as(client, '/console/keys?filter=another')
  await page.getByRole('heading', { name: 'No key has this name or id' }).waitFor()
  await page.getByLabel('Filter by name or id').fill('')
  await page.getByRole('link', { name: 'only one' }).waitFor()
  expect(visit().complaints()).toEqual([])
})

test('of many keys all are listed, and the filter finds each', async () => {
  const client = await visit().member('many-keys@example.com')
  const names = Array.from({ length: 60 }, (_, index) => `key ${String(index).padStart(2, '0')}`)
  for (const name of names) await visit().unlimitedKey(client, name)
  const page = await visit().as(client, '/console/keys')
  const rows = page.locator('tbody tr')
  await rows.nth(59).waitFor()
  expect((await rows.locator('.name').allInnerTexts()).sort()).toEqual(names)
  await page.getByLabel('Filter by name or id').fill('key 0')
  await rows.nth(10).waitFor({ state: 'detached' })
  expect(await rows.count()).toBe(10)
  await page.getByRole('status').getByText('10 keys found').waitFor({ state: 'attached' })
  expect(visit().complaints()).toEqual([])
})

test('a name may be as long as the server allows, whatever its characters take', async () => {
  const client = await visit().member('emoji@example.com')
  const page = await visit().as(client, '/console/keys')
  const name = '🗝'.repeat(200)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const field = page.getByRole('dialog').getByLabel('Name', { exact: true })
  // Inserted as if pasted: browsers do not cut what a script sets.
  await field.focus()
  await page.keyboard.insertText('🗝'.repeat(257))
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'It must be' }).waitFor()
  await field.selectText()
  await page.keyboard.insertText(name)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have saved it', exact: true }).click()
  await page.getByRole('link', { name }).waitFor()
})

test('of a month that is over or still to come it is not said that it is this one', async () => {
  const client = await visit().member('other-months@example.com')
  const { id } = await visit().key(client, 'counted', 'free')
  const page = await visit().as(client, `/console/keys/${id}/usage?month=2999-12`)
  await page.getByRole('heading', { name: 'December 2999 is still to come' }).waitFor()
  await page.getByText('The month ends on').waitFor()
  const month = page.getByRole('combobox', { name: 'Month' })
  expect(await month.inputValue()).toBe('2999-12')
  await page.goto(`${visit().service.address}/console/keys/${id}/usage?month=2026-01`)
  await page.getByRole('heading', { name: 'Nothing happened in January 2026' }).waitFor()
  await page.getByText('The month ended on').waitFor()
  expect(await page.getByRole('main').getByRole('link', { name: 'Start here' }).count()).toBe(1)
  await month.selectOption({ index: 1 })
  await page.getByRole('heading', { name: 'Nothing has happened this month' }).waitFor()
})

test.each(['nonsense', '2026-13', '0999-01'])(
  'an address with a month that is none shows the running one: %s',
  async (month) => {
    const client = await visit().member(`month-${month}@example.com`)
    const { id } = await visit().key(client, 'counted', 'free')
    const page = await visit().as(client, `/console/keys/${id}/usage?month=${month}`)
    await page.getByRole('heading', { name: 'Nothing has happened this month' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  },
)

test.each(['ArrowDown', 'ArrowUp', 'Enter'])(
  'the actions of a key open by %s, the first time too',
  async (key) => {
    const client = await visit().member(`opens-by-${key.toLowerCase()}@example.com`)
    await visit().key(client, 'opened', 'free')
    const page = await visit().as(client, '/console/keys')
    const button = page.getByRole('button', { name: 'Actions for the key opened' })
    for (let times = 1; times <= 2; times++) {
      await button.focus()
      await page.keyboard.press(key)
      const first = page.getByRole('menuitem', { name: 'Start here' })
      await first.waitFor()
      // The menu takes the focus a moment after it is there.
      const isReached = async () => {
        await page.keyboard.press('Home')
        return first.evaluate((element) => element === document.activeElement)
      }
      await expect.poll(isReached).toBe(true)
      await page.keyboard.press('Escape')
      await first.waitFor({ state: 'detached' })
    }
  },
)
