// When a refetch fails, what was shown stays, with the error beside it; what could not be fetched at all has
// a "Try again" in its place.
import type { Page } from 'playwright-core'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()

async function opened(name: string) {
  const admin = await visit().admin()
  const { id, call } = await visit().unlimitedKey(admin, name)
  await call('POST', '/v1/memories', { json: { content: 'Anna likes tea.', userId: 'ann' } })
  const made = await call('POST', '/v1/entities', { json: { name: 'Anna', type: 'PERSON' } })
  const page = await visit().withClock(admin, '/console/keys')
  const go = (path: string) => page.goto(`${visit().service.address}/console/${path}`)
  return { client: admin, call, page, go, key: `keys/${id}`, entity: made.id }
}

const REFUSAL = 'The server is busy.'
const refuse = (page: Page, what: RegExp) =>
  page.route(what, (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'INTERNAL_ERROR', message: REFUSAL } } }),
  )

async function tryAgain(page: Page) {
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await page.getByText(REFUSAL).waitFor({ state: 'detached' })
}

test.each([
  ['memories', /\/memories(\?|$)/, 'Anna likes tea.'],
  ['sessions', /\/sessions$/, 'this one'],
  ['invitations', /\/invitations$/, 'invited@example.com'],
  ['accounts', /\/accounts$/, 'administrator'],
  ['graph', /\/graph$/, 'Anna'],
] as const)(
  'a refused look at the %s leaves them there, and says so',
  async (what, path, shown) => {
    const { client, page, go, key } = await opened(what)
    await client.post('/invitations', { email: 'invited@example.com', plans: ['free'] })
    const pages = {
      memories: `${key}/memories`,
      sessions: 'account',
      invitations: 'people',
      accounts: 'people',
      graph: `${key}/graph?view=list`,
    }
    await go(pages[what])
    await page.getByText(shown, { exact: true }).waitFor()
    await refuse(page, path)
    // Whoever comes back to the window after a while has what it shows asked for again.
    await page.clock.fastForward(70_000)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await page.getByText(REFUSAL).waitFor()
    expect(await page.getByText(shown, { exact: true }).count()).toBe(1)
    await tryAgain(page)
  },
)

test('a memory that could not be fetched can be asked for again in its dialog', async () => {
  const { page, go, key } = await opened('dialog')
  await go(`${key}/memories`)
  await page.getByRole('link', { name: 'Anna likes tea.' }).waitFor()
  await refuse(page, /\/memories\/mem_/)
  await page.getByRole('link', { name: 'Anna likes tea.' }).click()
  await page.getByRole('dialog').getByText(REFUSAL).waitFor()
  await tryAgain(page)
  await page.getByRole('dialog').getByText('ann', { exact: true }).waitFor()
})

test.each([
  ['relations', /\/relations\?/, 'None yet.'],
  ['mentions', /\/entities\/[^/]+\/memories\?/, 'likes tea.'],
] as const)(
  'an entity’s %s that could not be fetched can be asked for again',
  async (what, path, shown) => {
    const { page, go, key, entity } = await opened(what)
    await refuse(page, path)
    await go(`${key}/graph?view=list&selected=${entity}`)
    const panel = page.getByRole('complementary', { name: 'Selected entity' })
    await panel.getByText(REFUSAL).waitFor()
    await tryAgain(page)
    await panel.getByText(shown).waitFor()
  },
)

test('a path that could not be looked for can be looked for again', async () => {
  const { page, go, key } = await opened('path')
  await go(`${key}/graph?view=list`)
  await refuse(page, /\/path\?/)
  await page.getByRole('button', { name: 'Shortest path' }).click()
  const path = page.getByRole('region', { name: 'Shortest path' })
  for (const label of ['From', 'To']) {
    await path.getByLabel(label, { exact: true }).fill('Anna')
    await page.getByRole('option', { name: 'Anna' }).click()
  }
  await path.getByText(REFUSAL).waitFor()
  await tryAgain(page)
})

test('a neighbourhood that could not be opened beside another says so, and can be opened again', async () => {
  const { call, page, go, key, entity } = await opened('beside')
  const make = async (name: string, sourceId: string) => {
    const { id } = await call('POST', '/v1/entities', { json: { name, type: 'PERSON' } })
    const json = { sourceId, targetId: id, type: 'KNOWS' }
    await call('POST', '/v1/relations', { json })
    return id
  }
  await make('Carla', await make('Ben', entity))
  await go(`${key}/graph?view=list&entity=${entity}`)
  const list = page.getByRole('list', { name: 'Entities' })
  const ben = list.getByRole('button', { name: 'Ben' }).first()
  await ben.waitFor()
  await refuse(page, /\/neighbourhood\?/)
  await ben.click()
  await page.getByText(REFUSAL).waitFor()
  await tryAgain(page)
  await list.getByRole('button', { name: 'Carla' }).first().waitFor()
})

test('what is gone is not offered to be asked for again', async () => {
  const { page, go, key } = await opened('gone')
  for (const [path, text] of [
    ['memories?open=mem_gone', 'There is no memory with this id.'],
    ['graph?selected=ent_gone', 'There is no entity with this id.'],
  ] as const) {
    await go(`${key}/${path}`)
    await page.getByText(text).waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  }
})

test('a page of something in between that says it is all right is not taken for an answer', async () => {
  const { page, go, key } = await opened('between')
  await page.route(/\/memories(\?|$)/, (route) =>
    route.request().resourceType() === 'fetch'
      ? route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Sign in first</h1>' })
      : route.fallback(),
  )
  await go(`${key}/memories`)
  await page
    .getByText(
      'Something in between answered for the server, maybe a proxy that wants you to sign in.',
    )
    .waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Anna likes tea.' }).waitFor()
})

test('what a proxy does not find can be asked for again', async () => {
  const { page, go, key } = await opened('unfound')
  await page.route(/api\/keys\/[^/]+\/memories(\?|$)/, (route) => route.fulfill({ status: 404 }))
  await go(`${key}/memories`)
  await page.getByText('The server answered with status 404').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Anna likes tea.' }).waitFor()
})
