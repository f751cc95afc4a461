// An answer that comes late, after its dialog was cancelled or its text changed, does not touch what is open or
// being written by then; a failure is told wherever the reader is.
// Only a dialog whose answer brings a key cannot be cancelled.
import type { Page } from 'playwright-core'
import { ConsoleClient } from '../../server/src/testing/console-client.ts'
import { ADMIN, expect, PASSWORD, test, visits } from './harness/visit.ts'

const visit = visits()

test.each([
  ['a memory', 'memories', 'Add memory', 'Text', 'Remember'],
  ['an entity', 'graph', 'Add entity', 'Name', 'Add the entity'],
] as const)(
  '%s that is stored after its dialog was cancelled takes no newer text away',
  async (_, path, opener, field, verb) => {
    const client = await visit().member(`${path}@example.com`)
    const { id, call } = await visit().unlimitedKey(client, 'late')
    await call('POST', '/v1/entities', { json: { name: 'There before', type: 'PERSON' } })
    const page = await visit().as(client, `/console/keys/${id}/${path}`)
    const { promise, resolve } = Promise.withResolvers<void>()
    const stored = page.waitForResponse((response) => response.status() === 201)
    await page.route(/\/(memories|entities)$/, async (route) => {
      await promise
      await route.continue()
    })
    const write = async (text: string) => {
      await page.getByRole('button', { name: opener }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(field, { exact: true }).fill(text)
      if (path === 'memories') await dialog.getByLabel('User', { exact: true }).fill('anna')
    }
    await write('the first')
    await page.getByRole('button', { name: verb }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await write('the second')
    resolve()
    await stored
    // The list behind the dialog shows it by now.
    await page.getByText('the first').first().waitFor({ state: 'attached' })
    await page.waitForTimeout(300)
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel(field, { exact: true }).inputValue()).toBe('the second')
  },
)

test.each([
  ['a memory', 'memory', 'memories', 'Text', 'Remember'],
  ['an entity', 'entity', 'graph', 'Name', 'Add the entity'],
  ['a relation', 'relation', 'graph', 'Type', 'Add the relation'],
] as const)(
  'the text of %s that was changed while no answer came stays when it comes',
  async (what, kind, path, field, verb) => {
    const client = await visit().member(`${kind}@example.com`)
    const { id, call } = await visit().unlimitedKey(client, 'silent')
    const { body } = await call('POST', '/v1/entities', {
      json: { name: 'There before', type: 'PERSON' },
    })
    const there = kind === 'relation' ? `?selected=${Object(body).id}` : ''
    const page = await visit().withClock(client, `/console/keys/${id}/${path}${there}`)
    const { promise, resolve } = Promise.withResolvers<void>()
    const stored = page.waitForResponse((response) => response.status() === 201)
    await page.route(/\/(memories|entities|relations)$/, async (route) => {
      await promise
      await route.continue()
    })
    const opener = kind === 'relation' ? 'Relation' : `Add ${kind}`
    await page.getByRole('button', { name: opener, exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: `Add ${what}` })
    const text = dialog.getByLabel(field, { exact: true })
    await text.fill('FIRST')
    if (kind === 'memory') await dialog.getByLabel('User', { exact: true }).fill('anna')
    if (kind === 'relation') {
      await dialog.getByLabel('To', { exact: true }).fill('There')
      await page.getByRole('option', { name: /There before/ }).click()
    }
    await dialog.getByRole('button', { name: verb }).click()
    await dialog.getByRole('button', { name: /…$/ }).waitFor()
    await page.clock.fastForward(11_000)
    await dialog.getByText('The server has not answered yet.').waitFor()
    await text.fill('SECOND')
    resolve()
    await stored
    await dialog.getByText('The server has not answered yet.').waitFor({ state: 'detached' })
    expect(await text.inputValue()).toBe('SECOND')
    await dialog.getByRole('button', { name: verb }).click()
    await dialog.waitFor({ state: 'detached' })
    const plural = { memory: 'memories', entity: 'entities', relation: 'relations' }[kind]
    const list = await call('GET', `/v1/${plural}`)
    expect(Object(list.body).pagination.total).toBe(kind === 'entity' ? 3 : 2)
  },
)

test('whom to invite next, written while no answer came, stays when it comes', async () => {
  const page = await visit().withClock(await visit().admin(), '/console/people')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/invitations$/, async (route) => {
    if (route.request().method() === 'POST') await promise
    await route.continue()
  })
  const email = page.getByLabel('E-mail address')
  await email.fill('first@example.com')
  await page.getByRole('button', { name: 'Make an invitation link' }).click()
  await page.getByRole('button', { name: 'Making the link…' }).waitFor()
  await page.clock.fastForward(11_000)
  await page.getByText('The server has not answered yet.').waitFor()
  await email.fill('second@example.com')
  resolve()
  await page.getByRole('button', { name: 'Copy the link for first@example.com' }).waitFor()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  expect(await email.inputValue()).toBe('second@example.com')
})

test('a link that comes while another one is shown waits until that one is saved', async () => {
  await visit().member('forgets@example.com')
  const page = await visit().as(await visit().admin(), '/console/people')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/invitations$/, async (route) => {
    if (route.request().method() === 'POST') await promise
    await route.continue()
  })
  await page.getByLabel('E-mail address').fill('invited@example.com')
  await page.getByRole('button', { name: 'Make an invitation link' }).click()
  await page.getByRole('button', { name: 'Reset link… for forgets@example.com' }).click()
  await page.getByRole('button', { name: 'Make the link', exact: true }).click()
  const shown = page.getByTestId('issued-link')
  const reset = await shown.innerText()
  resolve()
  // Behind the dialog, in the list of open invitations.
  await page.locator('li', { hasText: 'invited@example.com' }).waitFor({ state: 'attached' })
  expect(await shown.innerText()).toBe(reset)
  await page.getByRole('button', { name: 'Copy the link for forgets@example.com' }).click()
  await page.getByRole('button', { name: 'Copied the link for forgets@example.com' }).waitFor()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  const ofTheOther = page.getByRole('button', { name: /the link for invited@example.com$/ })
  expect(await ofTheOther.innerText()).toMatch(/^Copy\b/)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await shown.waitFor({ state: 'detached' })
})

/** Ways to send what can still fail when its page was left, and how that is told then. */
const SENT: readonly (readonly [string, string, (page: Page) => Promise<void>, string])[] = [
  [
    'a new password',
    '/account',
    async (page) => {
      await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
      await page.getByLabel('New password', { exact: true }).fill('another horse battery')
      await page.getByRole('button', { name: 'Change the password' }).click()
    },
    'The new password',
  ],
  [
    'the end of a session',
    '/account',
    (page) => page.getByRole('button', { name: 'End the session of' }).first().click(),
    'The end of the session',
  ],
  [
    'an invitation',
    '/people',
    async (page) => {
      await page.getByLabel('E-mail address').fill('invited@example.com')
      await page.getByRole('button', { name: 'Make an invitation link' }).click()
    },
    'The invitation of invited@example.com',
  ],
  [
    'the withdrawal of an invitation',
    '/people',
    (page) => page.getByRole('button', { name: 'Withdraw' }).first().click(),
    'The withdrawal',
  ],
]

test.each(SENT)('that %s came to nothing is said, though its page was left', async (...sent) => {
  const [, path, send, what] = sent
  const admin = await visit().admin()
  await new ConsoleClient(admin.address).post('/sign-in', { email: ADMIN, password: PASSWORD })
  await admin.post('/invitations', { email: 'open@example.com', plans: ['free'] })
  const page = await visit().as(admin, `/console${path}`)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/console/api/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await promise
    return route.abort()
  })
  await send(page)
  await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  resolve()
  await page.getByText(`${what}: The server cannot be reached.`).first().waitFor()
})

test('an invitation that came to nothing is told by its own address, whatever was written since', async () => {
  const page = await visit().withClock(await visit().admin(), '/console/people')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/invitations$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await promise
    return route.abort()
  })
  const email = page.getByLabel('E-mail address')
  await email.fill('sent@example.com')
  await page.getByRole('button', { name: 'Make an invitation link' }).click()
  await page.getByRole('button', { name: 'Making the link…' }).waitFor()
  await page.clock.fastForward(11_000)
  await page.getByText('The server has not answered yet.').waitFor()
  await email.fill('next@example.com')
  await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  resolve()
  await page.getByText('The invitation of sent@example.com: ').first().waitFor()
})

test('a link whose page was left before it came is not shown, and it is said what to do', async () => {
  const page = await visit().as(await visit().admin(), '/console/people')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/invitations$/, async (route) => {
    if (route.request().method() === 'POST') await promise
    await route.continue()
  })
  await page.getByLabel('E-mail address').fill('missed@example.com')
  await page.getByRole('button', { name: 'Make an invitation link' }).click()
  await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  resolve()
  const said = 'The link for missed@example.com came when its page was left: make another one.'
  await page.getByText(said).first().waitFor()
})

test('what is stored while a list is loaded for the first time is in it', async () => {
  const client = await visit().member('loading@example.com')
  const { id } = await visit().key(client, 'loading', 'free')
  const page = await visit().as(client, `/console/keys/${id}/usage`)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/memories(\?.*)?$/, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    // Fetches the list now, and delivers it later.
    const response = await route.fetch()
    await promise
    return route.fulfill({ response })
  })
  await page.getByRole('link', { name: 'Memories', exact: true }).click()
  await page.getByRole('button', { name: 'Add memory' }).first().click()
  // By its name, since the toast that says it is stored is a dialog too.
  const dialog = page.getByRole('dialog', { name: 'Add a memory' })
  await dialog.getByLabel('Text', { exact: true }).fill('stored meanwhile')
  await dialog.getByLabel('User', { exact: true }).fill('anna')
  await dialog.getByRole('button', { name: 'Remember' }).click()
  await dialog.waitFor({ state: 'detached' })
  resolve()
  await page.getByRole('main').getByText('stored meanwhile').waitFor()
})

test.each(['made', 'rotated'])(
  'while a key is %s nothing leads away from where it will be shown',
  async (how) => {
    const client = await visit().member(`${how}@example.com`)
    const { id } = await visit().key(client, 'before', 'free')
    const page = await visit().as(client, `/console/keys/${id}/usage`)
    await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(/\/(keys|rotate)$/, async (route) => {
      if (route.request().method() === 'POST') await promise
      await route.continue()
    })
    if (how === 'made') {
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('on its way')
      await page.keyboard.press('Enter')
    } else {
      await page.getByRole('button', { name: 'Actions for the key before' }).click()
      await page.getByRole('menuitem', { name: 'Rotate…' }).click()
      await page.getByRole('button', { name: 'Rotate the key' }).click()
    }
    await page.getByRole('button', { name: /Creating…|Working…/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await page.evaluate(() => history.back())
    // Long enough for any of these to have taken effect.
    await page.waitForTimeout(500)
    resolve()
    await page.getByTestId('secret').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/keys')
    await page.getByRole('button', { name: 'I have saved it', exact: true }).click()
    // The dialog for the next key is empty.
    await page.getByRole('button', { name: 'Create key' }).click()
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
    expect(await name.inputValue()).toBe('')
    expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(false)
  },
)
