// Picture, list and path show what the API has of a graph, and stay in step while it is
// opened, changed and walked back through.
import type { Page } from 'playwright-core'
import { drawn, settled } from './harness/graph.ts'
import { expect, missesOf, test, visits } from './harness/visit.ts'

const visit = visits()

const entityNames = (page: Page) =>
  page.getByRole('list', { name: 'Entities' }).locator('.entity-name').allInnerTexts()

async function choose(page: Page, label: string, part: string, name: string) {
  await page.getByLabel(label, { exact: true }).fill(part)
  await page.getByRole('option', { name }).click()
}

test('an entity is searched, its neighbourhood opened by depth, and expanded by clicks', async () => {
  const { client, key } = await drawn(visit(), 'expand@example.com')
  const page = await visit().as(client, `/console/keys/${key.id}/graph`)
  await settled(page)
  await page.getByRole('img', { name: /^18 entities and 22 relations/ }).waitFor()
  await choose(page, 'Find an entity', 'carla', 'Carla Rossi')
  await page.getByRole('img', { name: /^3 entities and 2 relations/ }).waitFor()
  const panel = page.getByRole('complementary', { name: 'Selected entity' })
  await panel.getByRole('heading', { name: 'Carla Rossi' }).waitFor()

  await page.locator('label', { hasText: /^2$/ }).click()
  await page.getByRole('img', { name: /^8 entities/ }).waitFor()
  await page.locator('label', { hasText: /^1$/ }).click()
  await page.getByRole('img', { name: /^3 entities/ }).waitFor()
  // The same by a click on a neighbour, here in the panel.
  await panel.getByRole('button', { name: 'Anna Lindqvist', exact: true }).click()
  await panel.getByRole('heading', { name: 'Anna Lindqvist' }).waitFor()
  const mentions = panel.getByRole('region', { name: 'Memories that mention it' })
  await mentions.getByRole('link', { name: /reports to Anna Lindqvist/ }).waitFor()
  expect(await mentions.getByRole('listitem').count()).toBe(2)
  await page.getByRole('img', { name: /^6 entities/ }).waitFor()
  await page.getByText('List', { exact: true }).click()
  expect((await entityNames(page)).sort()).toEqual([
    'API stability',
    'Anna Lindqvist',
    'Carla Rossi',
    'Farah Haddad',
    'Lisbon',
    'Research group',
  ])
  expect(visit().complaints()).toEqual([])
})

test('Enter takes the first match, also before the list is there, and never what was typed away', async () => {
  const { client, key } = await drawn(visit(), 'enter@example.com')
  const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list`)
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await field('Find an entity').pressSequentially('carla')
  // A mouse that comes and goes leaves nothing highlighted.
  await page.getByRole('option', { name: 'Carla Rossi' }).hover()
  await page.mouse.move(5, 5)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Carla Rossi' }).waitFor()

  await page.getByRole('button', { name: 'Shortest path' }).click()
  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/named?*', (route) => held.then(() => route.continue()))
  await field('From').pressSequentially('anna')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await field('From').inputValue()).toBe('anna')
  answer()
  await expect.poll(() => field('From').inputValue()).toBe('Anna Lindqvist')

  await field('To').pressSequentially('nobody')
  await page.getByText('No entity has this in its name.').waitFor()
  await page.keyboard.press('Enter')
  // Longer than a list takes to close.
  await page.waitForTimeout(300)
  expect(await field('To').inputValue()).toBe('nobody')
})

test('another depth is drawn into the picture that is there', async () => {
  const { client, key, idOf } = await drawn(visit(), 'depths@example.com')
  const entity = idOf('Anna Lindqvist')
  const page = await visit().as(client, `/console/keys/${key.id}/graph?entity=${entity}`)
  await settled(page)
  const picture = await page.locator('.picture').elementHandle()
  await page.route('**/neighbourhood?depth=2*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return route.continue()
  })
  await page.locator('label', { hasText: /^2$/ }).click()
  await page.getByRole('img', { name: /^6 entities/ }).waitFor()
  expect(await picture?.evaluate((element) => element.isConnected)).toBe(true)
  await settled(page)
})

test('"back" leads through the neighbourhoods that were visited, to the whole graph and out', async () => {
  const { client, key } = await drawn(visit(), 'back@example.com')
  const page = await visit().as(client, `/console/keys/${key.id}/usage`, {
    viewport: { width: 1920, height: 860 },
  })
  await page.getByRole('heading', { name: 'By day' }).waitFor()
  const tab = page.getByRole('link', { name: 'Graph', exact: true })
  const place = await tab.boundingBox()
  await tab.click()
  await page.getByText('List', { exact: true }).click()
  // The graph is wider than other pages; a second click on a tab meets the same one.
  expect(await tab.boundingBox()).toEqual(place)
  const panel = page.getByRole('complementary', { name: 'Selected entity' })
  await expect.poll(async () => (await entityNames(page)).length).toBe(18)
  await choose(page, 'Find an entity', 'carla', 'Carla Rossi')
  await expect.poll(async () => (await entityNames(page)).length).toBe(3)
  // A click opens what lies round a neighbour too, and is no place of its own.
  await panel.getByRole('button', { name: 'Anna Lindqvist', exact: true }).click()
  await expect.poll(async () => (await entityNames(page)).length).toBe(6)
  await panel.getByRole('button', { name: 'Lisbon', exact: true }).click()
  await panel.getByRole('heading', { name: 'Lisbon' }).waitFor()
  await panel.getByRole('button', { name: 'Neighbourhood' }).click()
  await expect.poll(async () => (await entityNames(page)).length).toBe(3)

  const names = ['API stability', 'Anna Lindqvist', 'Carla Rossi', 'Farah Haddad', 'Lisbon']
  const opened = [...names, 'Research group']
  await page.goBack()
  await expect.poll(async () => (await entityNames(page)).sort()).toEqual(opened)
  await panel.getByRole('heading', { name: 'Lisbon' }).waitFor()
  await page.reload()
  await expect.poll(async () => (await entityNames(page)).sort()).toEqual(opened)
  await page.goBack()
  await expect.poll(async () => (await entityNames(page)).length).toBe(18)
  expect(await panel.count()).toBe(0)
  await page.goForward()
  await expect.poll(() => entityNames(page)).toContain('Carla Rossi')
  await page.goBack()
  await page.goBack()
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
})

test('the panel follows the address, when a link or "back" changes it', async () => {
  const { client, key, idOf } = await drawn(visit(), 'address@example.com')
  const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list`)
  const panel = page.getByRole('complementary', { name: 'Selected entity' })
  await page.getByRole('button', { name: 'Carla Rossi', exact: true }).first().click()
  await page.waitForURL(`**/graph?view=list&selected=${idOf('Carla Rossi')}`)
  await page.getByRole('link', { name: 'Graph', exact: true }).click()
  await page.waitForURL('**/graph')
  await panel.waitFor({ state: 'detached' })
  await page.evaluate(() => history.back())
  await panel.getByRole('heading', { name: 'Carla Rossi' }).waitFor()
})

test('a panel that was closed beside a neighbourhood stays closed', async () => {
  const { client, key, idOf } = await drawn(visit(), 'closed@example.com')
  const around = `/console/keys/${key.id}/graph?entity=${idOf('Anna Lindqvist')}&view=list`
  const page = await visit().as(client, around)
  await page.getByRole('button', { name: 'Carla Rossi', exact: true }).first().click()
  await page.waitForURL(/selected=/)
  await page.getByRole('button', { name: 'Close the panel' }).click()
  await page.waitForURL((url) => !url.searchParams.has('selected'))
  await page.waitForTimeout(300)
  expect(await page.getByRole('complementary', { name: 'Selected entity' }).count()).toBe(0)
})

test('a memory that was deleted is no mention any more on the way back', async () => {
  const { client, key, idOf } = await drawn(visit(), 'mentioned@example.com')
  const path = `/console/keys/${key.id}/graph?view=list&selected=${idOf('Anna Lindqvist')}`
  const page = await visit().as(client, path)
  const mentions = page.getByRole('region', { name: 'Memories that mention it' })
  const text = await mentions.getByRole('link').first().innerText()
  await mentions.getByRole('link').first().click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete the memory' }).click()
  await page.getByText('Deleted the memory.').first().waitFor()
  await page.getByRole('dialog', { name: 'Memory', exact: true }).waitFor({ state: 'detached' })
  await page.evaluate(() => history.back())
  await mentions.waitFor()
  await expect.poll(() => mentions.innerText()).not.toContain(text)
})

test('a relation of an entity to itself is counted and listed once', async () => {
  const client = await visit().member('itself@example.com')
  const key = await visit().unlimitedKey(client, 'graph')
  const json = { name: 'Alone', type: 'OTHER' }
  const { id } = await key.call('POST', '/v1/entities', { json })
  const ends = { sourceId: id, targetId: id }
  await key.call('POST', '/v1/relations', { json: { ...ends, type: 'KNOWS' } })
  const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list&entity=${id}`)
  await page.getByRole('heading', { name: 'Relations 1' }).waitFor()
  expect(await page.getByText(/the newest are shown/).count()).toBe(0)
  expect(await page.locator('.graph-list .relations li').count()).toBe(1)
  const undrawn = page.getByText('One relation, of an entity to itself, is not drawn.')
  expect(await undrawn.count()).toBe(0)
  await page.getByText('Picture', { exact: true }).click()
  await undrawn.waitFor()
  await page.getByText('List', { exact: true }).click()

  // Also when newer ones than the list has room for lead to it from others.
  const other = await key.call('POST', '/v1/entities', { json: { name: 'Other', type: 'OTHER' } })
  const incoming = { sourceId: other.id, targetId: id }
  const types = Array.from({ length: 51 }, (_, number) => `KNOWS_${number}`)
  await Promise.all(
    types.map((type) => key.call('POST', '/v1/relations', { json: { ...incoming, type } })),
  )
  await page.reload()
  await page.getByRole('heading', { name: 'Relations 52' }).waitFor()
})

test('an entity that is deleted leaves the graph, also when it was the end of a path', async () => {
  const { client, key } = await drawn(visit(), 'gone@example.com')
  const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list`)
  const misses = missesOf(page)
  await page.getByRole('button', { name: 'Shortest path' }).click()
  const path = page.getByRole('region', { name: 'Shortest path' })
  await choose(page, 'From', 'anna', 'Anna Lindqvist')
  await choose(page, 'To', 'carla', 'Carla Rossi')
  await path.getByRole('button', { name: 'Carla Rossi' }).click()
  const panel = page.getByRole('complementary', { name: 'Selected entity' })
  await panel.getByRole('button', { name: 'Delete…', exact: true }).click()
  await page.getByRole('button', { name: 'Delete the entity' }).click()
  await path.getByText('Choose two entities.').waitFor()
  await expect.poll(() => entityNames(page)).not.toContain('Carla Rossi')
  // The same of one in the middle.
  await choose(page, 'Find an entity', 'emil', 'Emil Novak')
  await panel.getByRole('heading', { name: 'Emil Novak' }).waitFor()
  await panel.getByRole('button', { name: 'Delete…', exact: true }).click()
  await page.getByRole('button', { name: 'Delete the entity' }).click()
  await expect.poll(async () => (await entityNames(page)).length).toBe(16)
  expect(misses).toEqual([])
})

test('the name is marked where it is mentioned, as the text writes it', async () => {
  const client = await visit().member('izmir@example.com')
  const key = await visit().key(client, 'graph', 'free')
  const { id } = await key.call('POST', '/v1/entities', {
    json: { name: "O'Brien", type: 'PERSON' },
  })
  // Where a letter is longer when it is small, and the name is a part of another before.
  const content = 'From İstanbul with the O’Briens. '.repeat(9).concat('O’BRIEN stayed.')
  await key.call('POST', '/v1/memories', { json: { content, userId: 'anna' } })
  const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list&entity=${id}`)
  const mention = page.locator('.mentions a')
  expect(await mention.locator('mark').innerText()).toBe('O’BRIEN')
  expect(await mention.innerText()).toMatch(/^….*O’Briens\. O’BRIEN stayed\.$/)
})

test('the shortest path between two entities is found and told', async () => {
  const { client, key } = await drawn(visit(), 'path@example.com')
  const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list`)
  await page.getByRole('button', { name: 'Shortest path' }).click()
  const path = page.getByRole('region', { name: 'Shortest path' })
  await choose(page, 'From', 'emil', 'Emil Novak')
  await choose(page, 'To', 'scanner', 'Pallet scanner')
  await path.getByText('3 steps').waitFor()
  const steps = path.locator('.path-steps').getByRole('button')
  expect(await steps.first().innerText()).toContain('Emil Novak')
  expect(await steps.last().innerText()).toContain('Pallet scanner')
  await page.getByText('Picture', { exact: true }).click()
  await settled(page)
  // The two halves of the demonstration are not joined.
  await choose(page, 'To', 'carla', 'Carla Rossi')
  await path.getByText('No relations lead from one to the other.').waitFor()
})

test('entities and relations are made and deleted', async () => {
  const client = await visit().member('make@example.com')
  const key = await visit().key(client, 'graph', 'free')
  const page = await visit().as(client, `/console/keys/${key.id}/graph`)
  await page.getByRole('heading', { name: 'There is no graph yet' }).waitFor()
  for (const name of ['First', 'Second']) {
    await page.getByRole('button', { name: 'Add entity' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Type').selectOption('CONCEPT')
    await page.getByRole('button', { name: 'Add the entity' }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()
  }
  await page.getByRole('button', { name: 'Relation', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type').fill('not a type')
  await choose(page, 'To', 'first', 'First')
  await dialog.getByRole('button', { name: 'Add the relation' }).click()
  await dialog.getByText('It must be 1 to 64 letters').waitFor()
  await dialog.getByLabel('Type').fill('FOLLOWS')
  await dialog.getByRole('button', { name: 'Add the relation' }).click()
  await page.getByRole('img', { name: '2 entities and 1 relation as' }).waitFor()
  await page.getByRole('button', { name: 'Delete the relation FOLLOWS with Second' }).click()
  await page.getByRole('button', { name: 'Delete the relation', exact: true }).click()
  await page.getByRole('img', { name: '2 entities and 0 relations' }).waitFor()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete the entity' }).click()
  await page.getByRole('img', { name: '1 entity and 0 relations' }).waitFor()
  const { body } = await key.call('GET', '/v1/entities')
  expect(Object(body).items.map(({ name }: { name: string }) => name)).toEqual(['Second'])
  expect(visit().complaints()).toEqual([])
})

test('a graph of which every type is switched off says so', async () => {
  const client = await visit().member('types@example.com')
  const key = await visit().unlimitedKey(client, 'types')
  await key.call('POST', '/v1/entities', { json: { name: 'Anna', type: 'PERSON' } })
  for (const view of ['', '?view=list']) {
    const page = await visit().as(client, `/console/keys/${key.id}/graph${view}`)
    const type = page.getByRole('checkbox', { name: 'Person' })
    await type.uncheck()
    await page.getByText('All types are switched off').waitFor()
    await type.check()
    await page.getByText('All types are switched off').waitFor({ state: 'detached' })
  }
})
