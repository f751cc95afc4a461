// A server that does not answer keeps nobody in a dialog for ever, and what it did after all is shown when
// the answer comes: above all a key, which is shown only once.
import type { APIResponse, Page, Route } from 'playwright-core'
import { expect, PASSWORD, signIn, test, visits } from './harness/visit.ts'

const visit = visits()

const PATIENCE_MS = 11_000

/** Writes wait until they are let through to the server, or fail. */
async function holdWrites(page: Page) {
  const { promise, resolve } = Promise.withResolvers<'through' | 'lost'>()
  await page.route('**/console/api/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    return (await promise) === 'through' ? route.continue() : route.abort()
  })
  return resolve
}

async function opened(email: string, path: (key: string) => string) {
  const client = await visit().member(email)
  const key = await visit().key(client, 'slow', 'free')
  const page = await visit().withClock(client, `/console${path(key.id)}`)
  return { client, key, page }
}

async function askForKey(page: Page, name: string) {
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Creating…' }).waitFor()
}

/** Waits until it is said that no answer comes, and closes what says so. */
async function giveUp(page: Page) {
  await page.clock.fastForward(PATIENCE_MS)
  await page.getByRole('alert').filter({ hasText: 'The server has not answered yet.' }).waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).last().click()
}

/** The button answers only after a moment. */
async function confirm(page: Page, verb: string) {
  await page.clock.runFor(1_000)
  await page.getByRole('button', { name: verb }).click()
  await page.getByRole('button', { name: 'Working…' }).waitFor()
}

async function askToRotate(page: Page) {
  await page.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Rotate…' }).click()
  await confirm(page, 'Rotate the key')
}

test('a key whose answer is late is shown on whatever page its maker is by then', async () => {
  const { key, page } = await opened('late-key@example.com', () => '/keys')
  const letThrough = await holdWrites(page)
  await askForKey(page, 'made late')
  await giveUp(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'slow', exact: true }).click()
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
  letThrough('through')
  const dialog = page.getByRole('dialog', { name: 'Save this key now' })
  await dialog.getByText('made late', { exact: true }).waitFor()
  expect(await dialog.getByTestId('secret').innerText()).toMatch(/^mng_/)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'I have saved it', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(`/console/keys/${key.id}/usage`)
  await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
  await page.getByRole('link', { name: 'made late' }).waitFor()
  expect(visit().complaints()).toEqual([])
})

test('a late key comes before what is being written, and leaves it there', async () => {
  const { page } = await opened('late-writes@example.com', () => '/keys')
  const letThrough = await holdWrites(page)
  await askForKey(page, 'the first')
  await giveUp(page)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
  await name.fill('the second')
  letThrough('through')
  const secret = page.getByRole('dialog', { name: 'Save this key now' })
  await secret.getByRole('button', { name: 'Copy the key the first' }).click()
  await secret.getByRole('button', { name: 'I have saved it', exact: true }).click()
  await secret.waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('the second')
  await name.press('Enter')
  await page.getByRole('button', { name: 'Copy the key the second' }).waitFor()
})

test('a rotated key whose answer is late is shown, and leads to the pages that it has now', async () => {
  const { key, page } = await opened('late-turn@example.com', (id) => `/keys/${id}/usage`)
  const letThrough = await holdWrites(page)
  await askToRotate(page)
  await page.clock.fastForward(PATIENCE_MS)
  await page.getByText('The new key may have been made all the same').waitFor()
  await giveUp(page)
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  letThrough('through')
  await page.getByRole('button', { name: 'Copy the key slow' }).click()
  await page.getByRole('button', { name: 'I have saved it', exact: true }).click()
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).not.toContain(key.id)
})

test('a key whose answer is lost may be there all the same, and it is said what to do then', async () => {
  const { page } = await opened('lost-key@example.com', () => '/keys')
  const settle = await holdWrites(page)
  await askForKey(page, 'lost')
  settle('lost')
  await page.getByText('The server cannot be reached.').waitFor()
  await page.getByText('The key may have been made all the same.').waitFor()
  expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(false)
})

test.each([
  ['through', 'Revoked slow.'],
  ['lost', 'Revoke the key: The server cannot be reached.'],
] as const)('what becomes of a revocation that was left is said: %s', async (outcome, said) => {
  const { page } = await opened(`revokes-${outcome}@example.com`, () => '/keys')
  const settle = await holdWrites(page)
  await page.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  await confirm(page, 'Revoke the key')
  await giveUp(page)
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  settle(outcome)
  await page.getByText(said).first().waitFor()
})

test('a purge that does not go on can be left', async () => {
  const { client, key, page } = await opened('purges-late@example.com', () => '/keys')
  await client.post(`/keys/${key.id}/revoke`)
  await page.reload()
  const settle = await holdWrites(page)
  await page.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Purge its data…' }).click()
  await page.getByLabel(/to confirm/).fill('slow')
  await page.getByRole('button', { name: 'Purge the data' }).click()
  await page.getByRole('button', { name: 'Purging…' }).waitFor()
  await giveUp(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  settle('through')
  await page.getByText('Purged the data of slow.').first().waitFor()
  await page.getByText('revoked, purged').waitFor()
})

test('a deletion that is done late leads nobody away from where they are by then', async () => {
  const { client, key, page } = await opened(
    'deletes-late@example.com',
    (id) => `/keys/${id}/memories`,
  )
  await client.post(`/keys/${key.id}/memories`, { content: 'Anna likes tea.', userId: 'anna' })
  await page.reload()
  const settle = await holdWrites(page)
  await page.getByRole('link', { name: 'Anna likes tea.' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await confirm(page, 'Delete the memory')
  await giveUp(page)
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByLabel('Question', { exact: true }).fill('being written')
  settle('through')
  await page.getByText('Deleted the memory.').first().waitFor()
  expect(await page.getByLabel('Question', { exact: true }).inputValue()).toBe('being written')
})

test.each([
  ['as a picture', 'view=list', (page: Page) => page.getByText('Picture', { exact: true })],
  ['from what is deleted', '', (page: Page) => page.getByRole('button', { name: 'Neighbourhood' })],
] as const)(
  'a graph that is looked at %s while an entity is deleted shows it without that one',
  async (how, shown, control) => {
    const email = `${how.replaceAll(' ', '-')}@example.com`
    const { key, page } = await opened(email, (id) => `/keys/${id}/graph`)
    const made = ['Anna', 'Bert'].map((name) =>
      key.call('POST', '/v1/entities', { json: { name, type: 'PERSON' } }),
    )
    const [anna] = await Promise.all(made)
    const path = `/console/keys/${key.id}/graph`
    await page.goto(`${visit().service.address}${path}?${shown}&selected=${anna?.id}`)
    const settle = await holdWrites(page)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await confirm(page, 'Delete the entity')
    await giveUp(page)
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await control(page).click()
    await page.waitForURL((url) => url.searchParams.get('view') === null && url.search !== '')
    await page.getByRole('img', { name: /^[12] entit/ }).waitFor()
    settle('through')
    await page.waitForURL((url) => url.pathname === path && url.search === '')
    await page.getByRole('img', { name: /^1 entity/ }).waitFor()
  },
)

test('an end of a path that is chosen while the other end is deleted stays', async () => {
  const { key, page } = await opened('other-end@example.com', (id) => `/keys/${id}/graph`)
  for (const name of ['Anna', 'Bert']) {
    await key.call('POST', '/v1/entities', { json: { name, type: 'PERSON' } })
  }
  await page.goto(`${page.url()}?view=list`)
  await page.getByRole('button', { name: 'Anna' }).click()
  await page.getByRole('button', { name: 'Path from here' }).click()
  const settle = await holdWrites(page)
  await page.getByRole('button', { name: 'Delete…' }).click()
  await confirm(page, 'Delete the entity')
  await giveUp(page)
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await page.getByLabel('To', { exact: true }).fill('Bert')
  await page.getByRole('option', { name: 'Bert' }).click()
  settle('through')
  await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe('')
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('Bert')
})

test('a form that is sent into silence says so', async () => {
  const { page } = await opened('silence@example.com', () => '/account')
  await holdWrites(page)
  await page.getByLabel('Current password').fill('not the password')
  await page.getByLabel('New password').fill('a password of many words')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Changing…' }).waitFor()
  await page.clock.fastForward(PATIENCE_MS)
  await page.getByRole('alert').filter({ hasText: 'The server has not answered yet.' }).waitFor()
})

test('a page whose answers do not come says so', async () => {
  const { page } = await opened('waits@example.com', () => '/account')
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  await page.route('**/console/api/keys', () => {})
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await page.getByText('Loading your keys…').waitFor()
  await page.clock.fastForward(PATIENCE_MS)
  await page.getByRole('status').getByText('The server has not answered yet.').waitFor()
})

test('while the answer to a filter is awaited it is not said that there is nothing', async () => {
  const { key, page } = await opened('filters@example.com', () => '/keys')
  await key.call('POST', '/v1/memories', { json: { content: 'likes tea', userId: 'anna' } })
  await page.goto(`${visit().service.address}/console/keys/${key.id}/memories?userId=nobody`)
  await page.getByRole('heading', { name: 'No memory passes this filter' }).waitFor()
  await page.route('**/api/keys/*/memories*', () => {})
  const waits = async () => {
    await page.getByText('Loading the memories…').waitFor()
    const main = await page.getByRole('main').innerText()
    expect(main).not.toMatch(/No memory passes|Nothing is remembered|0 memories/)
  }
  await page.getByLabel('User').fill('anna')
  await page.keyboard.press('Enter')
  await waits()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.waitForURL('**/memories')
  await waits()
})

test('a late key is shown to the account that asked for it, and to no other', async () => {
  const email = 'asked@example.com'
  const { client, page } = await opened(email, () => '/keys')
  await visit().member('other@example.com')
  const { promise, resolve } = Promise.withResolvers<void>()
  const answered = page.waitForResponse((response) => response.status() === 201)
  await page.route('**/console/api/keys', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch()
    await promise
    return route.fulfill({ response })
  })
  await askForKey(page, 'made late')
  await giveUp(page)
  await client.post('/sign-out')
  const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await comeBack()
  await signIn(page, 'other@example.com')
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  resolve()
  await answered
  // Long enough for it to have been shown.
  await page.waitForTimeout(500)
  expect(await page.getByTestId('secret').count()).toBe(0)
  await page.getByRole('button', { name: 'Account of other@example.com' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(page, email)
  await page.getByRole('button', { name: 'Copy the key made late' }).waitFor()
})

/** Ways to answer late what was asked before. */
const LATE = {
  done: (route: Route, answer: APIResponse) => route.fulfill({ response: answer }),
  failed: (route: Route) => route.abort(),
}

test.each(['done', 'failed'] as const)(
  'what comes after somebody else has signed in is not told to them: %s',
  async (outcome) => {
    const { key, page } = await opened(`departs-${outcome}@example.com`, () => '/keys')
    const next = `comes-${outcome}@example.com`
    await visit().member(next)
    await key.call('POST', '/v1/memories', { json: { content: 'likes tea', userId: 'anna' } })
    await page.goto(`${visit().service.address}/console/keys/${key.id}/memories?userId=anna`)
    await page.getByRole('button', { name: 'Forget this user…' }).click()
    await page.getByLabel(/to confirm/).fill('anna')
    const { promise, resolve } = Promise.withResolvers<void>()
    const settled = Promise.withResolvers<void>()
    await page.route('**/memories/forget', async (route) => {
      const answer = await route.fetch()
      await promise
      await LATE[outcome](route, answer)
      settled.resolve()
    })
    await page.getByRole('button', { name: 'Forget the user' }).click()
    await giveUp(page)
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await signIn(page, next)
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
    resolve()
    await settled.promise
    // Long enough for it to have been shown.
    await page.waitForTimeout(500)
    expect(await page.getByText('anna').count()).toBe(0)
  },
)

test('that the session before has ended leads nobody out of the next one', async () => {
  const { page } = await opened('changes@example.com', () => '/account')
  await visit().member('follows@example.com')
  const { promise, resolve } = Promise.withResolvers<void>()
  const answered = page.waitForResponse('**/api/password')
  const error = { code: 'NOT_SIGNED_IN', message: 'Sign in first.' }
  await page.route('**/api/password', async (route) => {
    await promise
    await route.fulfill({ status: 401, json: { error } })
  })
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByLabel('New password').fill('a password of many words')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Changing…' }).waitFor()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(page, 'follows@example.com')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
  await name.fill('being written')
  resolve()
  await answered
  // Long enough to be led to the sign-in page and back.
  await page.waitForTimeout(500)
  expect(await name.inputValue()).toBe('being written')
})

test('whoever signs out into silence is told that they may still be signed in', async () => {
  const { page } = await opened('leaves@example.com', () => '/keys')
  await holdWrites(page)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.clock.runFor(1_000)
  await page.clock.fastForward(PATIENCE_MS)
  await page.getByText('You may still be signed in').first().waitFor()
})
