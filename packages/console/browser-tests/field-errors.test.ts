// What the server refuses about one field is said at that field, for readers by eye and by ear, and nowhere else.
import type { Locator, Page } from 'playwright-core'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()

const TOO_LONG = 'x'.repeat(300)

async function opened(email: string, path: 'memories' | 'playground') {
  const client = await visit().member(email)
  const { id, call } = await visit().key(client, 'fields', 'free')
  await call('POST', '/v1/memories', { json: { content: 'Anna likes tea.', userId: 'anna' } })
  return await visit().as(client, `/console/keys/${id}/${path}`)
}

/** Sends the form with a text in the field that is too long, and then with one that is not. */
async function refuseOnce(page: Page, field: Locator) {
  await field.fill(TOO_LONG)
  await field.press('Enter')
  const alert = page.getByRole('alert').filter({ hasText: /^It must be / })
  await alert.waitFor()
  expect(await page.getByRole('alert').count()).toBe(1)
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await field.getAttribute('aria-describedby')).toBe(await alert.getAttribute('id'))
  await field.fill('anna')
  await field.press('Enter')
  await alert.waitFor({ state: 'detached' })
}

test.each(['User', 'Agent', 'Tags (with commas)'])(
  'a filter of memories that is refused says so at its field: %s',
  async (label) => {
    const page = await opened(`filters-${label.slice(0, 4)}@example.com`, 'memories')
    await page.getByText('1–1 of 1').waitFor()
    await refuseOnce(page, page.getByLabel(label, { exact: true }))
  },
)

test.each(['User', 'Agent (optional)', 'Tags (optional)'])(
  'a memory that is refused says so at its field: %s',
  async (label) => {
    const page = await opened(`adds-${label.slice(0, 4)}@example.com`, 'memories')
    await page.getByRole('button', { name: 'Add memory' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Text', { exact: true }).fill('Anna likes coffee.')
    await dialog.getByLabel('User', { exact: true }).fill('anna')
    await refuseOnce(page, dialog.getByLabel(label, { exact: true }))
  },
)

test.each(['User', 'Agent', 'Tags (with commas)'])(
  'a filter of a question that is refused says so at its field, also when it was folded away: %s',
  async (label) => {
    const page = await opened(`asks-${label.slice(0, 4)}@example.com`, 'playground')
    await page.getByLabel('Question').fill('tea')
    const field = page.getByLabel(label, { exact: true })
    await page.getByText('Filters').click()
    await field.fill(TOO_LONG)
    await page.getByText('Filters').click()
    await page.getByRole('button', { name: 'Search' }).click()
    await field.waitFor()
    await refuseOnce(page, field)
  },
)
