// One intention is one request, whether a button is pressed twice or Enter while the answer is awaited;
// and a dialog that a double click opens is not closed by it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()

/** The keys that the page asks for; the answers wait until they are let through. */
async function holdCreations(page: Page) {
  const asked: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/console/api/keys', async (route) => {
    if (route.request().method() === 'POST') {
      asked.push(route.request().postData() ?? '')
      await promise
    }
    await route.continue()
  })
  return { asked, letThrough: resolve }
}

async function openCreation(page: Page, name: string) {
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name)
}

const keys = async (page: Page) => {
  await page.getByRole('button', { name: 'I have saved it', exact: true }).click()
  await page.reload()
  await page.getByRole('table').waitFor()
  return page.locator('.keys .name').allInnerTexts()
}

test('Enter pressed again while a key is made does not make another', async () => {
  const page = await visit().as(await visit().admin())
  const { asked, letThrough } = await holdCreations(page)
  await openCreation(page, 'by Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Creating…' }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  letThrough()
  await page.getByTestId('secret').waitFor()
  expect(asked).toHaveLength(1)
  expect(await keys(page)).toEqual(['by Enter'])
})

test('a double click makes one key', async () => {
  const page = await visit().as(await visit().member('double@example.com'))
  const { asked, letThrough } = await holdCreations(page)
  await openCreation(page, 'by a double click')
  await page.getByRole('button', { name: 'Create', exact: true }).dblclick()
  letThrough()
  await page.getByTestId('secret').waitFor()
  expect(asked).toHaveLength(1)
  expect(await keys(page)).toEqual(['by a double click'])
})

/** As quick as by hand, however late a busy page handles it. */
async function doubleClick(opener: Locator) {
  await opener.hover()
  const { x, y, width, height } = (await opener.boundingBox()) ?? expect.unreachable()
  const page = opener.page()
  const devTools = await page.context().newCDPSession(page)
  const heard: Promise<unknown>[] = []
  for (const clickCount of [1, 2]) {
    for (const type of ['mousePressed', 'mouseReleased'] as const) {
      const [middleX, middleY] = [x + width / 2, y + height / 2]
      const press = { type, x: middleX, y: middleY, button: 'left', clickCount } as const
      heard.push(devTools.send('Input.dispatchMouseEvent', press))
      await sleep(60)
    }
  }
  await Promise.all(heard)
}

test('a double click opens a dialog and leaves it open, a press beside it closes it', async () => {
  const client = await visit().member('opens@example.com')
  const { id, call } = await visit().key(client, 'opened', 'free')
  await call('POST', '/v1/memories', { json: { content: 'Anna likes tea.', userId: 'anna' } })
  const page = await visit().as(client, `/console/keys/${id}/memories`)
  const dialog = page.getByRole('dialog')
  for (const opener of [
    page.getByRole('button', { name: 'Add memory' }),
    page.getByRole('link', { name: 'Anna likes tea.' }),
  ]) {
    await doubleClick(opener)
    await dialog.getByText('User', { exact: true }).waitFor()
    // As long as a double click may take.
    await page.waitForTimeout(600)
    expect(await dialog.isVisible()).toBe(true)
    await page.mouse.click(5, 400)
    await dialog.waitFor({ state: 'detached' })
  }
})

test('nor does the second half close it when the page is too busy to hear of it at once', async () => {
  const client = await visit().member('late@example.com')
  const { id } = await visit().key(client, 'late', 'free')
  const page = await visit().as(client, `/console/keys/${id}/memories`)
  const opener = page.getByRole('button', { name: 'Add memory' }).first()
  await opener.evaluate((button) => {
    const isBusy = (): void => {
      for (const end = performance.now() + 1_000; performance.now() < end; );
    }
    button.addEventListener('click', () => setTimeout(isBusy, 30), { once: true })
  })
  await doubleClick(opener)
  await page.waitForTimeout(200)
  expect(await page.getByRole('dialog').isVisible()).toBe(true)
})
