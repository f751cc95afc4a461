// A page that stays open, over minutes, over a server that is away or over a lost answer, goes on telling
// the truth.
import type { Page } from 'playwright-core'
import { ConsoleClient } from '../../server/src/testing/console-client.ts'
import { expect, PASSWORD, signIn, test, visits } from './harness/visit.ts'

const visit = visits()

/** By script: the page also retries by itself, and a real click might come too late for its button. */
const tryAgain = (page: Page) =>
  page.getByRole('button', { name: 'Try again' }).evaluateAll((buttons) => {
    for (const button of buttons) if (button instanceof HTMLElement) button.click()
  })

test('what was just now is minutes ago in a page that stays open', async () => {
  const client = await visit().admin()
  const { id, call } = await visit().key(client, 'left open', 'free')
  const page = await visit().withClock(client, `/console/keys/${id}/start`)
  await page.getByRole('heading', { name: 'Waiting for the first request' }).waitFor()
  await call('GET', '/v1/entities')
  await page.clock.runFor(2_000)
  await page.getByRole('heading', { name: 'It works' }).waitFor()
  const time = page.locator('.arrival time')
  expect(await time.innerText()).toBe('just now')
  await page.clock.fastForward(10 * 60_000)
  await expect.poll(() => time.innerText()).toBe('10 minutes ago')

  await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
  const used = page.getByRole('row').filter({ hasText: 'left open' }).locator('time').first()
  await expect.poll(() => used.innerText()).toBe('10 minutes ago')
  await page.clock.fastForward(2 * 3_600_000)
  await expect.poll(() => used.innerText()).toBe('2 hours ago')
})

test.each(['usage', 'start'])(
  'figures that can no longer be asked for stay, and it is said: %s',
  async (name) => {
    const client = await visit().member(`${name}@example.com`)
    const { id } = await visit().key(client, 'away', 'free')
    const page = await visit().withClock(client, `/console/keys/${id}/${name}`)
    const shown = page.getByRole('heading', { name: /Nothing has happened|Waiting for/ })
    await shown.waitFor()
    await page.route('**/console/api/**', (route) => route.abort())
    const refusal = page.getByText('The server cannot be reached.')
    await expect
      .poll(async () => {
        await page.clock.runFor(2_000)
        return refusal.count()
      })
      .toBe(1)
    expect(await shown.count()).toBe(1)
    await page.unrouteAll()
    await tryAgain(page)
    await refusal.waitFor({ state: 'detached' })
  },
)

const AWAY = [
  [
    'without an answer',
    'The server cannot be reached.',
    (page: Page) => page.context().setOffline(true),
    (page: Page) => page.context().setOffline(false),
  ],
  [
    'behind a proxy',
    'The service cannot be reached just now.',
    (page: Page) => page.route('**', (route) => route.fulfill({ status: 502, body: 'Bad' })),
    (page: Page) => page.unrouteAll(),
  ],
] as const

test.each(AWAY)(
  'a page whose code cannot be fetched says so in its place, and comes when the server is back: %s',
  async (how, said, leave, comeBack) => {
    const client = await visit().member(`${how.replaceAll(' ', '-')}@example.com`)
    const page = await visit().as(client, '/console/keys')
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
    await leave(page)
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await page.getByText(said).waitFor()
    const asked = page.waitForRequest('**/api/start')
    await page.getByRole('button', { name: 'Try again' }).click()
    await (await asked).response()
    await page.getByText(said).waitFor()
    await comeBack(page)
    await tryAgain(page)
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    visit().complaints()
  },
)

test('a console whose code does not come says so by and by, and is there when it is loaded anew', async () => {
  const page = await visit().open('/console/sign-in')
  const form = page.getByRole('button', { name: 'Sign in', exact: true })
  await form.or(page.getByText('Set up the console')).first().waitFor()
  const said = page.getByText('The console has not been loaded yet.')
  expect(await said.count()).toBe(0)
  await page.route('**/assets/index-*.js', (route) => route.abort())
  await page.reload()
  expect(await said.isVisible()).toBe(false)
  await said.evaluate((text) => {
    for (const animation of text.getAnimations()) animation.finish()
  })
  expect(await said.isVisible()).toBe(true)
  await page.unrouteAll()
  await page.reload()
  await form.or(page.getByText('Set up the console')).first().waitFor()
  expect(await said.count()).toBe(0)
  visit().complaints()
})

test('a browser without scripts shows at once what the console needs', async () => {
  const page = await visit().open('/console', { javaScriptEnabled: false })
  const box = await page.locator('noscript').boundingBox()
  expect(box?.y).toBeLessThan(100)
})

test.each(['usage-page-*.css', 'usage-page-*.js'])(
  'a page of which the server has another build by now says so, and comes with the new one: %s',
  async (file) => {
    const client = await visit().member(`${file.replaceAll(/\W/g, '')}@example.com`)
    await visit().key(client, 'updated', 'free')
    const page = await visit().as(client, '/console/keys')
    const missing = `**/assets/${file}`
    await page.route(missing, (route) => route.fulfill({ status: 404, body: 'Not found' }))
    await page.getByRole('link', { name: 'updated' }).click()
    await page.getByText('The console was updated meanwhile.').waitFor()
    await page.unroute(missing)
    await page.getByRole('button', { name: 'Load it anew' }).click()
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
    visit().complaints()
  },
)

test('when a key was last used is asked again as soon as one comes back to the list', async () => {
  const client = await visit().member('used@example.com')
  const { call } = await visit().key(client, 'used', 'free')
  const page = await visit().as(client, '/console/keys')
  const row = page.getByRole('row').filter({ hasText: 'used' })
  await row.getByText('never').waitFor()
  await call('GET', '/v1/entities')
  // As when coming back from a terminal beside the browser, which stayed visible.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await row.getByText('just now').waitFor()
})

test('a key whose answer was lost on its way is in the list all the same', async () => {
  const client = await visit().member('lost@example.com')
  const page = await visit().as(client, '/console/keys')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
  await name.fill('lost')
  await page.route('**/console/api/keys', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    return route.abort()
  })
  await name.press('Enter')
  await page.getByText('The server cannot be reached.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'lost' }).waitFor()
})

test('"back" after signing in does not lead to the sign-in page', async () => {
  await visit().member('comes@example.com')
  const page = await visit().open('/docs')
  await page.goto(`${visit().service.address}/console`)
  await signIn(page, 'comes@example.com')
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  await page.goBack()
  await page.waitForURL('**/docs')
})

test('an error beside its field is said aloud', async () => {
  const client = await visit().member('hears@example.com')
  const page = await visit().as(client, '/console/account')
  await page.getByLabel('Current password').fill('not the password')
  await page.getByLabel('New password').fill('a password of many words')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'The current password is wrong.' }).waitFor()
})

test('the page of a revoked key promises nothing that the key cannot do', async () => {
  const client = await visit().member('revokes@example.com')
  const { id } = await visit().key(client, 'revoked', 'free')
  await client.post(`/keys/${id}/revoke`)
  const page = await visit().as(client, `/console/keys/${id}/memories`)
  await page.getByText('This key is revoked: nothing can be added with it.').waitFor()
  expect(await page.getByText('add a memory yourself').count()).toBe(0)
  await page.getByRole('link', { name: 'Graph', exact: true }).click()
  await page.getByRole('heading', { name: 'There is no graph', exact: true }).waitFor()
  expect(await page.getByText('appear here').count()).toBe(0)
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByText('This key is revoked: requests with it are refused.').waitFor()
  await page.getByRole('link', { name: 'Start here' }).click()
  await page.getByText('This key is revoked: requests with it are refused.').waitFor()
  expect(await page.getByRole('tab').count()).toBe(0)
})

test('what another tab has deleted meanwhile is deleted, and the list shows it', async () => {
  const client = await visit().member('two-tabs@example.com')
  const { id, call } = await visit().key(client, 'two tabs', 'free')
  const json = { content: 'Anna plays the cello.', userId: 'u' }
  const memory = await call('POST', '/v1/memories', { json })
  const page = await visit().as(client, `/console/keys/${id}/memories`)
  await expect.poll(() => page.title()).toBe('Memories · two tabs · Mnemograph')
  await page.getByRole('link', { name: /cello/ }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await call('DELETE', `/v1/memories/${memory.id}`)
  await page.getByRole('button', { name: 'Delete the memory' }).click()
  await page.getByText('Deleted the memory.').waitFor()
  await page.getByRole('heading', { name: 'Nothing is remembered yet' }).waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('of an entity that another tab has deleted meanwhile its panel says so', async () => {
  const client = await visit().member('deleted@example.com')
  const { id, call } = await visit().key(client, 'deleted', 'free')
  const json = { name: 'Anna', type: 'PERSON' }
  const entity = await call('POST', '/v1/entities', { json })
  const path = `/console/keys/${id}/graph?view=list&selected=${entity.id}`
  const page = await visit().withClock(client, path)
  const panel = page.getByRole('complementary')
  await panel.getByText('No memory has this name in its text.').waitFor()
  await call('DELETE', `/v1/entities/${entity.id}`)
  await page.clock.fastForward(6_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect
    .poll(() => panel.locator('> [role="alert"]').allInnerTexts())
    .toEqual(['There is no entity with this id.'])
})

test('a session that has ended meanwhile is ended, and the list shows it', async () => {
  const email = 'two-sessions@example.com'
  const client = await visit().member(email)
  const other = new ConsoleClient(visit().service.address)
  await other.post('/sign-in', { email, password: PASSWORD })
  const page = await visit().as(client, '/console/account')
  const end = page.getByRole('button', { name: /^End the session/ })
  await end.waitFor()
  await other.post('/sign-out')
  await end.click()
  await page.getByText('Ended the session.').first().waitFor()
  await end.waitFor({ state: 'detached' })
})

test('an invitation that was withdrawn meanwhile leaves the list, and it is said', async () => {
  const client = await visit().admin()
  const invited = await client.post('/invitations', { email: 'withdrawn@example.com' })
  const page = await visit().as(client, '/console/people')
  const withdraw = page.getByRole('button', { name: /^Withdraw/ })
  await withdraw.waitFor()
  await client.post(`/invitations/${invited.id}/withdraw`)
  await withdraw.click()
  await page.getByText('There is no open invitation with this id.').waitFor()
  await page.getByText('No invitation is open.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('invitations')
})

test('a computer without a network has the console of its own server all the same', async () => {
  const client = await visit().member('alone@example.com')
  const page = await visit().as(client, '/console/keys')
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('alone')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have saved it', exact: true }).click()
  await page.getByRole('link', { name: 'alone' }).click()
  await page.getByRole('heading', { name: 'Nothing has happened this month' }).waitFor()
})

test.each([
  ['start', 'Waiting for the first request'],
  ['usage', 'Nothing has happened this month'],
])('a page that has nothing to show says so until it is tried again: %s', async (name, heading) => {
  const client = await visit().member(`nothing-${name}@example.com`)
  const { id } = await visit().key(client, 'away', 'free')
  const page = await visit().withClock(client, '/console/account')
  let asked = 0
  await page.route(/first-request|usage(\?|$)/, (route) => {
    if (!route.request().url().includes('/console/api/')) return route.continue()
    asked += 1
    return route.abort()
  })
  await page.goto(`${visit().service.address}/console/keys/${id}/${name}`)
  const refusal = page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' })
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000)
      return refusal.count()
    })
    .toBe(1)
  const before = asked
  await refusal.evaluate((element) => element.setAttribute('data-steady', ''))
  for (let second = 0; second < 40; second++) await page.clock.runFor(1_000)
  expect(asked).toBe(before)
  expect(await page.locator('[role=alert][data-steady]').count()).toBe(1)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: heading }).waitFor()
})
