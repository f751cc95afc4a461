// What was stored although its answer was lost, or although its page was closed before, exists once: sending
// it again makes no second one, and a dialog does not offer it as a draft again. What was deleted although the
// answer was lost is not shown as if it were there.
import type { Page } from 'playwright-core'
import { ConsoleClient } from '../../server/src/testing/console-client.ts'
import { expect, PASSWORD, test, visits } from './harness/visit.ts'

const visit = visits({ MNEMOGRAPH_CONSOLE_SIGN_UP: 'open' })

/** The field of a record that holds the typed text. */
const SHOWN = { memories: 'content', entities: 'name', relations: 'type' }

type Kind = readonly [kind: keyof typeof SHOWN, opener: string, field: string, verb: string]

const MEMORIES: Kind = ['memories', 'Add memory', 'Text', 'Remember']
const KINDS: readonly Kind[] = [
  MEMORIES,
  ['entities', 'Add entity', 'Name', 'Add the entity'],
  ['relations', 'Relation', 'Type', 'Add the relation'],
]

async function writing([kind, opener, field, verb]: Kind, what: string) {
  const client = await visit().member(`${what}-${kind}@example.com`)
  const { id, call } = await visit().key(client, 'answers', 'free')
  await call('POST', '/v1/entities', { json: { name: 'Anna', type: 'PERSON' } })
  const page = await visit().as(client, `/console/keys/${id}/usage`)
  const tab = kind === 'memories' ? 'Memories' : 'Graph'
  await page.getByRole('link', { name: tab, exact: true }).click()
  if (kind !== 'memories') await page.getByText('List', { exact: true }).click()
  if (kind === 'relations') await page.getByRole('button', { name: 'Anna' }).click()
  const dialog = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: verb }) })
  const open = () => page.getByRole('button', { name: opener, exact: true }).first().click()
  const write = async (text: string) => {
    await dialog.getByLabel(field, { exact: true }).fill(text)
    if (kind === 'memories') await dialog.getByLabel('User', { exact: true }).fill('anna')
    if (kind !== 'relations') return
    await dialog.getByLabel('To', { exact: true }).fill('Anna')
    await page.getByRole('option', { name: 'Anna' }).click()
  }
  const send = () => dialog.getByRole('button', { name: verb }).click()
  const stored = async (): Promise<string[]> => {
    const { items } = Object((await client.get(`/keys/${id}/${kind}`)).body)
    const texts = items.map((item: Record<string, string>) => item[SHOWN[kind]])
    return texts.filter((text: string) => text !== 'Anna')
  }
  return { page, dialog, open, write, send, stored }
}

/** The next answer from this address is lost when the server has done what was asked. */
const loseAnswerFrom = (page: Page, address: string | RegExp) =>
  page.route(
    address,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
const loseAnswer = (page: Page, kind: string) =>
  loseAnswerFrom(page, new RegExp(`/api/keys/[^/]+/${kind}$`))

test.each(KINDS)('of %s what is sent again after a lost answer is stored once', async (...kind) => {
  const { page, dialog, open, write, send, stored } = await writing(kind, 'lost')
  await open()
  await write('ONCE')
  await loseAnswer(page, kind[0])
  await send()
  await dialog.getByText('It may be stored all the same. Sent again, it is stored once.').waitFor()
  await send()
  await dialog.waitFor({ state: 'detached' })
  expect(await stored()).toEqual(['ONCE'])
  // The same text, written again, is a second record.
  await open()
  await write('ONCE')
  await send()
  await expect.poll(stored).toEqual(['ONCE', 'ONCE'])
  expect(visit().complaints()).toEqual([])
})

test('what is changed after a lost answer is another memory, and the list behind has both', async () => {
  const { page, dialog, open, write, send } = await writing(MEMORIES, 'changed')
  await open()
  await write('the first')
  await loseAnswer(page, 'memories')
  await send()
  const first = page.getByRole('link', { name: 'the first', includeHidden: true })
  await first.waitFor({ state: 'attached' })
  await write('the second')
  await send()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('1–2 of 2').waitFor()
})

/** Memories that are sent wait until the returned function is called. */
async function holdMemories(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/api\/keys\/[^/]+\/memories$/, async (route) => {
    if (route.request().method() === 'POST') await promise
    await route.continue()
  })
  return resolve
}

test('while an answer is awaited nothing can be typed that it would take away', async () => {
  const { page, dialog, open, write, send, stored } = await writing(MEMORIES, 'held')
  await open()
  await write('ONCE')
  const letGo = await holdMemories(page)
  await send()
  const text = dialog.getByLabel('Text', { exact: true })
  await text.focus()
  await page.keyboard.type(' and more')
  expect(await text.inputValue()).toBe('ONCE')
  letGo()
  await dialog.waitFor({ state: 'detached' })
  expect(await stored()).toEqual(['ONCE'])
  await open()
  await write('AGAIN')
  expect(await text.inputValue()).toBe('AGAIN')
})

test('what was stored after its page was left is not offered again', async () => {
  const { page, dialog, open, write, send, stored } = await writing(MEMORIES, 'left')
  await open()
  await write('ONCE')
  const letGo = await holdMemories(page)
  await send()
  await page.evaluate(() => history.back())
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
  letGo()
  await page
    .getByText(/^Remembered/)
    .first()
    .waitFor()
  await page.evaluate(() => history.forward())
  await page.getByRole('button', { name: 'Add memory', exact: true }).first().waitFor()
  expect(await dialog.count()).toBe(0)
  expect(await stored()).toEqual(['ONCE'])
})

test('an invitation whose answer was lost is among the open ones, and asked for again it is one', async () => {
  const page = await visit().as(await visit().admin(), '/console/people')
  await page.getByText('No invitation is open.').waitFor()
  await page.getByLabel('E-mail address').fill('invited@example.com')
  await page.route(
    '**/api/invitations',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Make an invitation link' }).click()
  await page.getByText('The server cannot be reached.').waitFor()
  const open = page.getByRole('button', { name: /^Withdraw/, includeHidden: true })
  await open.waitFor()
  await page.getByRole('button', { name: 'Make an invitation link' }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('dialog', { name: 'Copy this link now' }).waitFor({ state: 'detached' })
  expect(await open.count()).toBe(1)
})

/** What is deleted: the page that shows it, what to press there, and what is gone from the page then. */
const DELETED = [
  ['a memory', 'memories', ['ONCE', 'Delete…', 'Delete the memory'], '.memories li'],
  ['an entity', 'graph', ['Ben', 'Delete…', 'Delete the entity'], '.graph-list > li:nth-child(2)'],
  ['a relation', 'graph', ['Ben', /^Delete the relation/, 'Delete the relation'], '.relation'],
] as const

test.each(DELETED)(
  '%s that was deleted though the answer was lost is gone from the page',
  async (what, path, presses, item) => {
    const client = await visit().member(`${what.replaceAll(' ', '-')}@example.com`)
    const { id, call } = await visit().key(client, 'deletes', 'free')
    await call('POST', '/v1/memories', { json: { content: 'ONCE', userId: 'anna' } })
    const make = (name: string) =>
      call('POST', '/v1/entities', { json: { name, type: 'PERSON' } }).then((made) => made.id)
    const [sourceId, targetId] = [await make('Anna'), await make('Ben')]
    await call('POST', '/v1/relations', { json: { sourceId, targetId, type: 'KNOWS' } })
    const page = await visit().as(client, `/console/keys/${id}/${path}?view=list`)
    await loseAnswerFrom(page, /\/delete$/)
    const row = page.getByRole('main').locator('li').filter({ hasText: presses[0] })
    await row.locator('a, button').filter({ hasText: presses[0] }).first().click()
    for (const name of presses.slice(1)) {
      await page.getByRole('button', { name, exact: true }).last().click()
    }
    await page.getByText('It may be done all the same.').waitFor()
    await page.locator(item).waitFor({ state: 'detached' })
  },
)

test.each([
  ['a session', '/end', [/^End the session/]],
  ['all other sessions', '/end-others', ['End all others…', 'End the others']],
] as const)(
  '%s that ended though the answer was lost left the page',
  async (what, path, presses) => {
    const email = `${what.replaceAll(' ', '-')}@example.com`
    const client = await visit().member(email)
    const other = new ConsoleClient(visit().service.address)
    await other.post('/sign-in', { email, password: PASSWORD })
    const page = await visit().as(client, '/console/account')
    await loseAnswerFrom(page, new RegExp(`${path}$`))
    for (const name of presses) await page.getByRole('button', { name, exact: true }).click()
    await page.getByText('The server cannot be reached.').waitFor()
    const end = page.getByRole('button', { name: /^End the session/, includeHidden: true })
    await end.waitFor({ state: 'detached' })
  },
)

test('an invitation that was withdrawn though the answer was lost left the page', async () => {
  const client = await visit().admin()
  await client.post('/invitations', { email: 'withdrawn@example.com', plans: ['free'] })
  const page = await visit().as(client, '/console/people')
  await loseAnswerFrom(page, /\/withdraw$/)
  await page
    .getByRole('button', { name: 'Withdraw the invitation of withdrawn@example.com' })
    .click()
  await page.getByText('The server cannot be reached.').waitFor()
  await page.getByText('withdrawn@example.com', { exact: true }).waitFor({ state: 'detached' })
})

test.each(['sign-up', 'links/use'])(
  'whoever chose a password without an answer is told that it may hold: %s',
  async (way) => {
    await visit().admin()
    const invitation = await visit().service.console.links.invite('invited@example.com')
    const path = way === 'sign-up' ? '/console/sign-up' : `/console/link#${invitation?.token}`
    const page = await visit().open(path)
    const email = page.getByLabel('E-mail address')
    if (way === 'sign-up') await email.fill('signs-up@example.com')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await loseAnswerFrom(page, `**/api/${way}`)
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByText('It may be done all the same').waitFor()
    await page.getByRole('link', { name: 'sign in', exact: true }).waitFor()
  },
)

test('of a new password and of signing out it is not said that they failed when their answers were lost', async () => {
  const client = await visit().member('lost-account@example.com')
  const page = await visit().as(client, '/console/account')
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('New password', { exact: true }).fill(`new ${PASSWORD}`)
  await loseAnswerFrom(page, '**/api/password')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The password may be changed all the same').waitFor()
  await loseAnswerFrom(page, '**/api/sign-out')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('You may still be signed in').first().waitFor()
})
