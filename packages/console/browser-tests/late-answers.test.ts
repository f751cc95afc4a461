// An answer that comes after its dialog was cancelled leaves alone what is open and written by then.
import { expect, test, visits } from './harness/visit.ts'

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
    // The list behind the dialog has it by now.
    await page.getByText('the first').first().waitFor({ state: 'attached' })
    await page.waitForTimeout(300)
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel(field, { exact: true }).inputValue()).toBe('the second')
  },
)
