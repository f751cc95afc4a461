// What happens to a page meanwhile, in the server, in another tab or to the session, takes nothing
// from its reader and leaves nothing wrong in it.
import type { Page } from 'playwright-core'
import { expect, signIn, test, visits } from './harness/visit.ts'

const visit = visits()

/** As if the reader came back from another window. Answers younger than 5 seconds are not asked for again. */
async function comeBack(page: Page) {
  await page.clock.fastForward(6_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
}

/** Every answer of the console's interface from now on. */
const answerAll = (page: Page, status: number, code: string, message: string) =>
  page.route('**/console/api/**', (route) =>
    route.fulfill({ status, json: { error: { code, message, retryAfter: 2 } } }),
  )

async function opened(email: string, path: (key: string) => string) {
  const client = await visit().member(email)
  const key = await visit().key(client, 'interrupted', 'free')
  const page = await visit().withClock(client, `/console${path(key.id)}`)
  return { client, key, page }
}

const focusedHeading = (page: Page) => page.locator('h1:focus').allInnerTexts()

test('a refused look at the key leaves what is being written', async () => {
  const { page } = await opened('writes@example.com', (key) => `/keys/${key}/memories`)
  await page.getByRole('button', { name: 'Add memory' }).first().click()
  await page.getByLabel('Text', { exact: true }).fill('written for an hour')
  await answerAll(page, 503, 'INTERNAL_ERROR', 'The server is busy.')
  await comeBack(page)
  await page.getByText('The server is busy.').waitFor()
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('written for an hour')
})

test('a refused look at the keys leaves them there, and says so', async () => {
  const { page } = await opened('lists@example.com', () => '/keys')
  await page.getByRole('link', { name: 'interrupted' }).waitFor()
  await answerAll(page, 429, 'RATE_LIMIT_EXCEEDED', 'Too many requests. Wait 2 s.')
  await comeBack(page)
  await page.getByText('Too many requests. Wait 2 s.', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'interrupted' }).count()).toBe(1)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Too many requests.').waitFor({ state: 'detached' })

  // A proxy answers with the status alone. If that was slow it is not tried again: nobody waits twice more.
  let times = 0
  await page.route('**/console/api/keys', async (route) => {
    times += 1
    await page.clock.fastForward(4_000)
    await route.fulfill({ status: 504, body: '<h1>504 Gateway Time-out</h1>' })
  })
  await comeBack(page)
  await page.getByText('The service cannot be reached just now.').waitFor()
  expect(times).toBe(1)
})

test('a search that is refused when it is asked again says so', async () => {
  const { key, page } = await opened('asks@example.com', (id) => `/keys/${id}/playground`)
  await key.call('POST', '/v1/memories', { json: { content: 'Anna likes tea.', userId: 'anna' } })
  await page.getByLabel('Question').fill('tea')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('.result').waitFor()
  await answerAll(page, 503, 'INTERNAL_ERROR', 'The server is busy.')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('The server is busy.').waitFor()
})

test('a session that ended meanwhile leads back to the same page, filter and all', async () => {
  const { client, key, page } = await opened('ends@example.com', (id) => `/keys/${id}/memories`)
  await page.getByRole('heading', { name: 'Nothing is remembered yet' }).waitFor()
  await page.getByLabel('User').fill('anna')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('heading', { name: 'No memory passes this filter' }).waitFor()
  await client.post('/sign-out')
  await comeBack(page)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const next = new URL(page.url()).searchParams.get('next')
  expect(next).toBe(`/keys/${key.id}/memories?userId=anna`)
  // The page says why it is shown, and the focus follows to it and back.
  await page.getByText('A session ends when it is not used for a while.').waitFor()
  await expect.poll(() => focusedHeading(page)).toEqual(['Sign in'])
  await signIn(page, 'ends@example.com')
  await expect.poll(() => focusedHeading(page)).toEqual(['Memories'])
})

test('a memory that was being written when the session ended is there again after signing in', async () => {
  const { client, key, page } = await opened('drafts@example.com', (id) => `/keys/${id}/memories`)
  await page.getByRole('button', { name: 'Add memory' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Text', { exact: true }).fill('written for an hour')
  await dialog.getByLabel('User').fill('anna ')
  await client.post('/sign-out')
  await dialog.getByRole('button', { name: 'Remember' }).click()
  await signIn(page, 'drafts@example.com')
  await dialog.waitFor()
  await dialog.locator(':focus').waitFor()
  await page.keyboard.press('Escape')
  expect(await dialog.getByLabel('Text', { exact: true }).inputValue()).toBe('written for an hour')
  await dialog.getByRole('button', { name: 'Remember' }).click()
  await page.getByText('1–1 of 1').waitFor()
  const { body } = await key.call('GET', '/v1/memories')
  expect(Object(body).items).toMatchObject([{ content: 'written for an hour', userId: 'anna ' }])

  // A text that was stored or thrown away is not there the next time.
  for (const leave of ['Cancel', undefined] as const) {
    await page.getByRole('button', { name: 'Add memory' }).click()
    expect(await dialog.getByLabel('Text', { exact: true }).inputValue()).toBe('')
    await dialog.getByLabel('Text', { exact: true }).fill('thrown away')
    if (leave) await dialog.getByRole('button', { name: leave }).click()
  }
})

test('a question that was asked when the session had ended is there again after signing in', async () => {
  const { client, page } = await opened('question@example.com', (id) => `/keys/${id}/playground`)
  await page.getByLabel('Question', { exact: true }).fill('Who flies to Lisbon?')
  await client.post('/sign-out')
  await page.getByRole('button', { name: 'Search' }).click()
  await signIn(page, 'question@example.com')
  await page.getByRole('heading', { name: 'Playground' }).waitFor()
  const question = () => page.getByLabel('Question', { exact: true }).inputValue()
  expect(await question()).toBe('Who flies to Lisbon?')

  await page.context().clearCookies()
  await page.reload()
  await signIn(page, 'question@example.com')
  await page.getByRole('heading', { name: 'Playground' }).waitFor()
  expect(await question()).toBe('Who flies to Lisbon?')
})

test('an entity that was being written when the session ended is there again after signing in', async () => {
  const email = 'entities@example.com'
  const { client, page } = await opened(email, (id) => `/keys/${id}/graph`)
  await page.getByRole('button', { name: 'Add entity' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Lisbon')
  await dialog.getByLabel('Type').selectOption('LOCATION')
  await dialog.getByLabel('Description').fill('Written for an hour.')
  await client.post('/sign-out')
  await dialog.getByRole('button', { name: 'Add the entity' }).click()
  await signIn(page, email)
  await dialog.waitFor()
  await dialog.locator(':focus').waitFor()
  await page.keyboard.press('Escape')
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Lisbon')
  expect(await dialog.getByLabel('Type').inputValue()).toBe('LOCATION')
  expect(await dialog.getByLabel('Description').inputValue()).toBe('Written for an hour.')
  await dialog.getByRole('button', { name: 'Add the entity' }).click()
  await page.getByRole('heading', { name: 'Lisbon' }).waitFor()
  await page.getByRole('button', { name: 'Add entity' }).click()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('')
})

test('a relation that was being written when the session ended is there again after signing in', async () => {
  const email = 'relations@example.com'
  const { client, key, page } = await opened(email, (id) => `/keys/${id}/graph?view=list`)
  for (const name of ['Anna', 'Lisbon']) {
    await key.call('POST', '/v1/entities', { json: { name, type: 'OTHER' } })
  }
  await page.reload()
  await page.locator('.entity-name', { hasText: 'Anna' }).click()
  const start = page.getByRole('button', { name: 'Relation', exact: true })
  await start.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type').fill('LIVES_IN')
  await dialog.getByLabel('To', { exact: true }).fill('lis')
  await page.getByRole('option', { name: 'Lisbon' }).click()
  await client.post('/sign-out')
  await dialog.getByRole('button', { name: 'Add the relation' }).click()
  await signIn(page, email)
  await dialog.getByText('From Anna').waitFor()
  await dialog.locator(':focus').waitFor()
  await page.keyboard.press('Escape')
  expect(await dialog.getByLabel('Type').inputValue()).toBe('LIVES_IN')
  expect(await dialog.getByLabel('To', { exact: true }).inputValue()).toBe('Lisbon')
  await dialog.getByRole('button', { name: 'Add the relation' }).click()
  await page.getByText('Added the relation.').waitFor()
  const { body } = await key.call('GET', '/v1/relations')
  expect(Object(body).items).toMatchObject([{ type: 'LIVES_IN' }])
  await start.click()
  expect(await dialog.getByLabel('Type').inputValue()).toBe('')
})

test('a memory that was being written when another tab rotated the key is there with the new key', async () => {
  const { client, key, page } = await opened('rotates@example.com', (id) => `/keys/${id}/memories`)
  await page.getByRole('button', { name: 'Add memory' }).first().click()
  await page.getByLabel('Text', { exact: true }).fill('written for an hour')
  await client.post(`/keys/${key.id}/rotate`)
  await comeBack(page)
  await page.getByRole('heading', { name: 'This key was replaced' }).waitFor()
  await expect.poll(() => focusedHeading(page)).toEqual(['This key was replaced'])
  await page.getByRole('link', { name: 'To that key' }).click()
  await page.getByRole('heading', { name: 'This key was replaced' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Memories' }).click()
  const text = page.getByRole('dialog').getByLabel('Text', { exact: true })
  expect(await text.inputValue()).toBe('written for an hour')
})

test('signing out of a session that ended meanwhile is no failure', async () => {
  const { client, page } = await opened('leaves@example.com', () => '/keys')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await client.post('/sign-out')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByText('You are still signed in').count()).toBe(0)
})

test('a tab follows when another one signs in as somebody else', async () => {
  const { page } = await opened('first@example.com', () => '/keys')
  await page.getByRole('button', { name: 'Account of first@example.com' }).waitFor()
  const other = await visit().member('second@example.com')
  const [name = '', value = ''] = other.cookie?.split('=') ?? []
  await page.context().addCookies([{ name, value, url: visit().service.address }])
  await comeBack(page)
  await page.getByRole('button', { name: 'Account of second@example.com' }).waitFor()
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
})

test('a console that cannot be asked says so, and tries again', async () => {
  const { page } = await opened('waits@example.com', () => '/account')
  await answerAll(page, 503, 'INTERNAL_ERROR', 'The server is busy.')
  await page.reload()
  await page.getByRole('heading', { name: 'The console cannot be shown' }).waitFor()
  await page.getByText('The server is busy.').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Account' }).waitFor()
})

test.each(['made', 'rotated'])(
  'a key that was just %s stays to be saved when its session ends, and then the way leads to sign in',
  async (how) => {
    const email = `saves-${how}@example.com`
    const isMade = how === 'made'
    const { client, page } = await opened(email, (id) => (isMade ? '/keys' : `/keys/${id}/usage`))
    if (isMade) {
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('unsaved')
      await page.keyboard.press('Enter')
    } else {
      await page.getByRole('button', { name: /^Actions/ }).click()
      await page.getByRole('menuitem', { name: 'Rotate…' }).click()
      await page.getByRole('button', { name: 'Rotate the key' }).click()
    }
    const secret = await page.getByTestId('secret').innerText()
    // Lets the refetches after the new key end first.
    await page.waitForLoadState('networkidle')
    await client.post('/sign-out')
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() !== 200) refused.push(`${response.status()} ${response.url()}`)
    })
    await comeBack(page)
    await expect.poll(() => refused.length).toBeGreaterThan(0)
    // As long as it would take to ask many times more.
    await page.waitForTimeout(1_000)
    expect(refused.length).toBe(new Set(refused).size)
    expect(await page.getByTestId('secret').innerText()).toBe(secret)
    await page.getByRole('button', { name: /^Copy the key/ }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
    await page.getByRole('button', { name: 'I have saved it', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, email)
    await expect.poll(() => focusedHeading(page)).toEqual([isMade ? 'Keys' : 'Usage'])
  },
)

test('what was said to an account is not said to whoever signs in after it', async () => {
  const { page } = await opened('said@example.com', () => '/keys')
  await page.getByRole('button', { name: 'Actions for the key' }).click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('Revoked interrupted.').waitFor()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByText('Revoked interrupted.').count()).toBe(0)
})

test('what an account has fetched is gone from the page when it signs out', async () => {
  const { page } = await opened('forgets@example.com', () => '/keys')
  await page.getByRole('link', { name: 'interrupted' }).waitFor()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await page.getByRole('link', { name: 'interrupted' }).count()).toBe(0)
})
