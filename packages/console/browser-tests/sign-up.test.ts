// Who may make an account: anybody, where the server says so, and otherwise who was invited.
import { describe } from 'vitest'
import { expect, PASSWORD, signIn, test, visits } from './harness/visit.ts'

describe('where sign-up is open', () => {
  const visit = visits({ MNEMOGRAPH_CONSOLE_SIGN_UP: 'open' })

  test('before the first account neither page asks for a password: both say how to make it', async () => {
    const page = await visit().open('/console/sign-up')
    await page.getByText('accounts setup-link').waitFor()
    expect(await page.locator('form').count()).toBe(0)
  })

  test('the sign-in page leads to a form that makes an account and signs it in', async () => {
    await visit().admin()
    const page = await visit().open('/console')
    await page.getByText('Password lost? An administrator').waitFor()
    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByLabel('E-mail address').fill('carla@example.com')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
    expect(visit().complaints()).toEqual([])
  })

  test('who is the only administrator is told by the sign-in page how to come by another password', async () => {
    await visit().admin()
    const page = await visit().open('/console/sign-in')
    await page.getByText('npx mnemograph accounts reset').waitFor()
  })

  test('over a connection that is not encrypted no page asks for a password', async () => {
    const link = await visit().service.console.links.invite('unsafe@example.com')
    const page = await visit().open()
    // A name of this machine to the browser, and of any machine to the server.
    const address = visit().service.address.replace('127.0.0.1', 'memory.localhost')
    for (const path of ['sign-in', 'sign-up', `link#${link?.token}`]) {
      await page.goto(`${address}/console/${path}`)
      await page.getByRole('heading', { name: 'This connection is not encrypted' }).waitFor()
      expect(await page.locator('input').count(), path).toBe(0)
    }
  })

  test('in a browser that refuses cookies no page asks for a password, and no link is used up', async () => {
    const link = await visit().service.console.links.invite('refuses@example.com')
    const page = await visit().open()
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Emulation.setDocumentCookieDisabled', { disabled: true })
    for (const path of ['sign-in', 'sign-up', `link#${link?.token}`]) {
      await page.goto(`${visit().service.address}/console/${path}`)
      await page.getByRole('heading', { name: 'This browser refuses cookies' }).waitFor()
      expect(await page.locator('input').count(), path).toBe(0)
    }
    await devTools.send('Emulation.setDocumentCookieDisabled', { disabled: false })
    await page.reload()
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  })

  test('an address that has an account is told beside its field', async () => {
    await visit().member('dora@example.com')
    const page = await visit().open('/console/sign-up')
    await page.getByLabel('E-mail address').fill('dora@example.com')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByText('There is an account with this address already.').waitFor()
    expect(await page.getByLabel('E-mail address').getAttribute('aria-invalid')).toBe('true')
  })

  test('a password that is refused is told once, beside its field', async () => {
    await visit().member('fritz@example.com')
    const page = await visit().open('/console/sign-up')
    await page.getByLabel('E-mail address').fill('emil@example.com')
    await page.getByLabel('Password', { exact: true }).fill('long '.repeat(300))
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('alert').first().waitFor()
    const told = await page.getByRole('alert').allInnerTexts()
    expect(told).toEqual([expect.stringContaining('a password of 12 to')])
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe(
      'true',
    )
  })
})

describe('where sign-up is closed', () => {
  const visit = visits()

  test('its page says how to come by an account, instead of a form that would be refused', async () => {
    await visit().admin()
    const page = await visit().open('/console/sign-up')
    await page.getByRole('heading', { name: 'Accounts are by invitation' }).waitFor()
    expect(await page.locator('form').count()).toBe(0)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })
})

describe('who is signed in already', () => {
  const visit = visits()

  test('is led from the sign-in page to where it would have led, and from the sign-up page too', async () => {
    const client = await visit().admin()
    const page = await visit().as(client, '/console/sign-in?next=%2Faccount')
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    for (const path of ['sign-in', 'sign-up']) {
      await page.goto(`${visit().service.address}/console/${path}`)
      await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
    }
    expect(new URL(page.url()).search).toBe('')
  })

  test('is led there too when another tab signed in meanwhile', async () => {
    const email = 'tabs@example.com'
    await visit().member(email)
    const page = await visit().open('/console/sign-in')
    const second = await page.context().newPage()
    await second.goto(`${visit().service.address}/console/people`)
    await second.getByRole('button', { name: 'Sign in' }).waitFor()
    await signIn(page, email)
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
    await second.evaluate(() => window.dispatchEvent(new Event('focus')))
    await second.getByRole('heading', { name: 'People' }).waitFor()
    expect(visit().complaints()).toEqual([])
  })
})
