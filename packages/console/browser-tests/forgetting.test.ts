// All memories of a user are deleted from the page that lists them: of nobody else, by no slip, and with a
// progress that only goes on.
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()

/** The first word of each memory is its user. */
async function remembering(email: string, contents: readonly string[]) {
  const client = await visit().member(email)
  const key = await visit().key(client, 'memories', 'free')
  const ids: string[] = []
  for (const content of contents) {
    const json = { content, userId: content.split(' ')[0] ?? 'x', tags: ['note'] }
    ids.push((await key.call('POST', '/v1/memories', { json })).id)
  }
  return { client, key, ids }
}

test('a user is forgotten only when the id is typed, and nobody else with it', async () => {
  const contents = ['anna likes coffee', 'ben likes tea', 'ben likes trains', 'ben rides']
  const { client, key } = await remembering('forget@example.com', contents)
  const page = await visit().as(client, `/console/keys/${key.id}/memories`)
  const forget = page.getByRole('button', { name: 'Forget this user…' })
  await page.getByText('1–4 of 4').waitFor()
  expect(await forget.count()).toBe(0)
  await page.getByLabel('User').fill('ben')
  // The filter's other fields do not limit what is forgotten.
  await page.getByLabel('Tags (with commas)').fill('note')
  await page.getByRole('button', { name: 'Filter' }).click()
  await forget.click()
  const dialog = page.getByRole('dialog', { name: 'Forget this user?' })
  await dialog.getByText('3 memories').waitFor()
  const act = dialog.getByRole('button', { name: 'Forget the user' })
  await dialog.getByLabel(/to confirm/).fill('anna')
  expect(await act.isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Forget this user…')
  await forget.click()
  await dialog.getByLabel(/to confirm/).fill('ben')

  // Each answer but the last says how many are left.
  let asked = 0
  await page.route('**/memories/forget', async (route) => {
    asked += 1
    if (asked > 1) await route.continue()
    else await route.fulfill({ json: { deleted: 1, remaining: 2 } })
  })
  await act.click()
  await page.getByText('Forgot ben: 4 memories deleted.').waitFor()
  await page.getByRole('heading', { name: 'No memory passes this filter' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('title')
  expect(await forget.count()).toBe(0)
  const { body } = await key.call('GET', '/v1/memories')
  expect(Object(body).items).toMatchObject([{ content: 'anna likes coffee' }])
  expect(visit().complaints()).toEqual([])
})

test('the progress of forgetting a user goes on where it was for who comes back to it', async () => {
  const contents = ['ben one', 'ben two', 'ben three', 'ben four']
  const { client, key, ids } = await remembering('returns@example.com', contents)
  const page = await visit().withClock(client, `/console/keys/${key.id}/memories?userId=ben`)
  await page.getByRole('button', { name: 'Forget this user…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Forget this user?' })
  await dialog.getByLabel(/to confirm/).fill('ben')
  const goOn = Promise.withResolvers<void>()
  let asked = 0
  await page.route('**/memories/forget', async (route) => {
    asked += 1
    if (asked > 1) {
      await goOn.promise
      await route.continue()
      return
    }
    for (const id of ids.slice(1)) await key.call('DELETE', `/v1/memories/${id}`)
    await route.fulfill({ json: { deleted: 3, remaining: 1 } })
  })
  await dialog.getByRole('button', { name: 'Forget the user' }).click()
  await dialog.getByText('1 memory left').waitFor()
  const position = () =>
    dialog
      .getByRole('progressbar')
      .evaluate((bar) => bar instanceof HTMLProgressElement && bar.position)
  expect(await position()).toBe(0.75)
  // The reader comes back from another window. Answers younger than 5 seconds are not asked for again.
  await page.clock.fastForward(6_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await dialog.getByText('with this key, 1 memory, is').waitFor()
  expect(await position()).toBe(0.75)
  goOn.resolve()
  await page.getByText('Forgot ben: 4 memories deleted.').waitFor()
})

test('a question whether to forget a user ends on the way back, and is not asked of another', async () => {
  const contents = ['anna likes coffee', 'ben likes tea']
  const { client, key } = await remembering('back@example.com', contents)
  const page = await visit().as(client, `/console/keys/${key.id}/memories`)
  const filter = async (userId: string) => {
    await page.getByLabel('User').fill(userId)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('1–1 of 1').waitFor()
    await page.waitForURL(`**?userId=${userId}`)
  }
  const dialog = page.getByRole('dialog', { name: 'Forget this user?' })
  const ask = async () => {
    await page.getByRole('button', { name: 'Forget this user…' }).click()
    await dialog.getByText('1 memory, is deleted').waitFor()
  }
  await filter('anna')
  await filter('ben')
  await ask()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator(':focus').allInnerTexts()).toEqual(['Forget this user…'])
  await ask()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('h1:focus').allInnerTexts()).toEqual(['Memories'])
  await ask()
  await page.goBack()
  await page.getByText('1–2 of 2').waitFor()
  await filter('ben')
  await page.getByRole('button', { name: 'Forget this user…' }).waitFor()
  expect(await dialog.count()).toBe(0)
})
