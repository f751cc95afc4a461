// Accounts as people meet them, from the first one to a forgotten password: a link that does not work says
// so, and a session that was ended lets nobody in.
import { ADMIN, expect, PASSWORD, signIn, test, visits } from './harness/visit.ts'

const visit = visits()
const NEW_PASSWORD = 'a longer sentence than before'

test('the set-up link makes the first account once; then people sign in and out', async () => {
  const { service, complaints } = visit()
  const page = await visit().open()
  await page.getByRole('heading', { name: 'Set up the console' }).waitFor()
  await page.getByText('accounts setup-link').waitFor()

  const link = await service.console.links.setUp()
  await page.goto(`${service.address}/console/link#${link?.token}`)
  await page.getByLabel('E-mail address').fill(ADMIN)
  await page.getByLabel('Password', { exact: true }).fill('too short')
  await page.getByRole('button', { name: 'Create the account' }).click()
  expect(new URL(page.url()).pathname).toBe('/console/link')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  expect(page.url()).not.toContain('#')

  const second = await visit().open(`/console/link#${link?.token}`)
  await second.getByRole('heading', { name: 'This link does not work' }).waitFor()

  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(`${service.address}/console/account`)
  await signIn(page, ADMIN, 'not the password')
  await page.getByText('The address or the password is wrong.').waitFor()
  await signIn(page, ADMIN)
  // Back to the page that was asked for.
  await page.getByRole('heading', { name: 'Account' }).waitFor()
  expect(complaints()).toEqual([])
})

test('a changed password ends the other sessions, and each session can be ended', async () => {
  const { service } = visit()
  const page = await visit().open()
  await signIn(page, ADMIN)
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  const other = await visit().open()
  await signIn(other, ADMIN)
  await other.getByRole('heading', { name: 'Keys', exact: true }).waitFor()

  await page.goto(`${service.address}/console/account`)
  await page.getByText('this one').waitFor()
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The password is changed').waitFor()
  await other.getByRole('link', { name: 'People' }).click()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()

  await signIn(other, ADMIN, NEW_PASSWORD)
  await other.getByRole('heading', { name: 'People' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: /^End the session/ }).click()
  await page.getByText('Ended the session.').waitFor()
  await other.getByRole('link', { name: 'Keys', exact: true }).click()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('an administrator invites somebody and helps with a forgotten password', async () => {
  const page = await visit().open('/console/people')
  await signIn(page, ADMIN, NEW_PASSWORD)
  await page.getByRole('heading', { name: 'People' }).waitFor()
  await page.getByLabel('E-mail address').fill('ben@example.com')
  await page.getByLabel('Hobby').check()
  await page.getByRole('button', { name: 'Make an invitation link' }).click()
  const invitation = await page.getByTestId('issued-link').innerText()
  await page.keyboard.press('Escape')
  expect(await page.getByTestId('issued-link').isVisible()).toBe(true)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByText('Free, Hobby; until').waitFor()
  // The form is back to its preset for the next person.
  expect(await page.getByLabel('Hobby').isChecked()).toBe(false)
  expect(await page.getByLabel('Free').isChecked()).toBe(true)

  const guest = await visit().open(new URL(invitation).pathname + new URL(invitation).hash)
  expect(await guest.getByLabel('E-mail address').inputValue()).toBe('ben@example.com')
  await guest.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await guest.getByRole('button', { name: 'Create the account' }).click()
  await guest.getByRole('heading', { name: 'No keys yet' }).waitFor()
  expect(await guest.getByRole('link', { name: 'People' }).count()).toBe(0)
  await guest.goto(`${visit().service.address}/console/people`)
  await guest.getByText('Only an administrator can do this.').waitFor()

  await page.reload()
  await page.getByText(/^Free, Hobby; since/).waitFor()
  await page.getByRole('button', { name: 'Reset link… for ben@example.com' }).click()
  await page.getByRole('button', { name: 'Make the link' }).click()
  const reset = await page.getByTestId('issued-link').innerText()
  const forgetful = await visit().open(new URL(reset).pathname + new URL(reset).hash)
  await forgetful.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await forgetful.getByRole('button', { name: 'Set the password' }).click()
  await forgetful.getByRole('heading', { name: 'No keys yet' }).waitFor()
  expect(visit().complaints()).toEqual([])
})

test('who was invited by an address in their own letters signs in with it', async () => {
  const email = 'jürgen@пример.рф'
  await visit().member(email)
  const page = await visit().open('/console/sign-in')
  await signIn(page, 'jürgen')
  await page.locator('input:invalid').waitFor()
  await signIn(page, ` ${email} `)
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  await page.getByRole('button', { name: `Account of ${email}` }).waitFor()
})

test('a whole link that is pasted over a broken one works', async () => {
  const { service } = visit()
  const link = await service.console.links.invite('pasted@example.com')
  const page = await visit().open('/console/link')
  await page.getByRole('heading', { name: 'This link is not complete' }).waitFor()
  await page.goto(`${service.address}/console/link#${link?.token.slice(0, 9)}`)
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  await page.goto(`${service.address}/console/link#${link?.token}`)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('pasted@example.com')
})

test('a page says when a session ends, a link which other one it ends, and an address that there is nothing', async () => {
  const page = await visit().open('/console/account')
  await signIn(page, ADMIN, NEW_PASSWORD)
  await page.getByText('A session ends after 30 minutes without use.').waitFor()
  await page
    .getByText(/, ends by /)
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'People' }).click()
  for (let times = 1; times <= 2; times++) {
    await page.getByLabel('E-mail address').fill('emil@example.com')
    await page.getByRole('button', { name: 'Make an invitation link' }).click()
    await page.getByText('An earlier link of its kind for this address has ended.').waitFor()
    // It is shown only once: "back" does not take it away.
    await page.evaluate(() => history.back())
    await page.waitForTimeout(200)
    expect(await page.getByTestId('issued-link').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByTestId('issued-link').waitFor({ state: 'detached' })
  }
  // That of a link which was cut in the middle, whose path cannot be decoded.
  await page.goto(`${visit().service.address}/console/keys/%zz/usage`)
  await page.getByRole('link', { name: 'To the keys' }).click()
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  await page.goto(`${visit().service.address}/console/nowhere/at/all`)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await page.getByRole('link', { name: 'People' }).click()
  const open = page.getByRole('button', { name: 'Withdraw the invitation of emil@example.com' })
  await expect.poll(() => open.count()).toBe(1)
})

test('of a link that cannot be looked at just now it is not said that it does not work', async () => {
  const link = await visit().service.console.links.invite('invited@example.com')
  const page = await visit().open('/console/sign-in')
  const ask = '**/console/api/links/look'
  await page.route(ask, (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto(`${visit().service.address}/console/link#${link?.token}`)
  await page.getByRole('heading', { name: 'The link cannot be looked at' }).waitFor()
  await page.unroute(ask)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
})
