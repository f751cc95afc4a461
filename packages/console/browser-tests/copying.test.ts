// Copy buttons copy, also where the browser gives scripts no clipboard.
import type { Page } from 'playwright-core'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()

/** What a person would paste; asked of another page, for this one has no clipboard. */
async function pasted(page: Page) {
  const other = await page.context().newPage()
  await other.goto(`${visit().service.address}/docs`)
  const text = await other.evaluate(() => navigator.clipboard.readText())
  await other.close()
  return text
}

test.each(['is not there', 'refuses'])(
  'a key and a snippet are copied where the clipboard %s, and the focus stays',
  async (state) => {
    const client = await visit().member(`${state.replaceAll(' ', '-')}@example.com`)
    const page = await visit().as(client, '/console/keys')
    await page.evaluate((isMissing) => {
      const value = isMissing ? undefined : { writeText: () => Promise.reject(new Error('no')) }
      Object.defineProperty(navigator, 'clipboard', { value })
    }, state === 'is not there')
    await page.getByRole('button', { name: 'Create key' }).first().click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('copied')
    await page.keyboard.press('Enter')
    const copy = page.getByRole('button', { name: /the key copied$/ })
    await copy.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Copied', { exact: true }).waitFor()
    expect(await copy.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await pasted(page)).toBe(await page.getByTestId('secret').innerText())

    await page.getByRole('button', { name: /show me how/ }).click()
    await page.getByRole('button', { name: /curl snippet$/ }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    expect(await pasted(page)).toBe(await page.locator('.code pre:visible').innerText())
  },
)

test('"Copied" is said for its whole time after each press, not only after the first', async () => {
  const client = await visit().member('twice@example.com')
  const { id } = await visit().key(client, 'twice', 'free')
  const page = await visit().withClock(client, `/console/keys/${id}/start`)
  const copy = page.getByRole('button', { name: /curl snippet$/ })
  const said = page.getByText('Copied', { exact: true })
  await copy.click()
  await said.waitFor()
  await page.clock.runFor(2_000)
  await page.evaluate(() => navigator.clipboard.writeText('something else'))
  await copy.click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .not.toBe('something else')
  await page.clock.runFor(2_000)
  expect(await said.count()).toBe(1)
  await page.clock.runFor(1_000)
  await said.waitFor({ state: 'detached' })
})
