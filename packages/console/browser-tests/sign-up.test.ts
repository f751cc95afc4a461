// Who may make an account: anybody, where the server says so, and otherwise who was invited.
import { describe } from 'vitest'
import { expect, PASSWORD, test, visits } from './harness/visit.ts'

describe('where sign-up is open', () => {
  const visit = visits({ MNEMOGRAPH_CONSOLE_SIGN_UP: 'open' })

  test('the sign-in page leads to a form that makes an account and signs it in', async () => {
    await visit().admin()
    const page = await visit().open('/console')
    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByLabel('E-mail address').fill('carla@example.com')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
    expect(visit().complaints()).toEqual([])
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

  test('is led from the sign-in page to where it would have led', async () => {
    const client = await visit().admin()
    const page = await visit().as(client, '/console/sign-in?next=%2Faccount')
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await page.goto(`${visit().service.address}/console/sign-in`)
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('is led there too when another tab signed in meanwhile', async () => {
    const email = 'tabs@example.com'
    await visit().member(email)
    const page = await visit().open('/console/sign-in')
    const second = await page.context().newPage()
    await second.goto(`${visit().service.address}/console/people`)
    await second.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
    await second.evaluate(() => window.dispatchEvent(new Event('focus')))
    await second.getByRole('heading', { name: 'People' }).waitFor()
    expect(visit().complaints()).toEqual([])
  })
})
