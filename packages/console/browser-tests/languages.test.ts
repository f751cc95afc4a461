// A reader of another language: numbers and dates are theirs, the sentences stay English throughout.
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()

test('how long ago something was is said in the language of the page', async () => {
  const client = await visit().admin()
  const { call } = await visit().key(client, 'working agent', 'free')
  await call('GET', '/v1/memories')
  const page = await visit().as(client, '/docs', { locale: 'de-DE' })
  await page.clock.setSystemTime(Date.now() + 180_000)
  await page.goto(`${visit().service.address}/console/keys`)
  const row = page.getByRole('row', { name: /working agent/ })
  await row.getByText('3 minutes ago').waitFor()
  expect(await row.innerText()).toContain('1 of 1.000')
})

test('months and days are those of the contract, whichever calendar the reader has', async () => {
  const client = await visit().member('calendar@example.com')
  const { id, call } = await visit().key(client, 'working agent', 'free')
  await call('GET', '/v1/memories')
  const { body } = await client.get(`/keys/${id}/usage`)
  const page = await visit().as(client, `/console/keys/${id}/usage`, { locale: 'fa-IR' })
  await page.getByRole('heading', { name: 'By day' }).waitFor()
  const written = (date: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('fa-IR', { calendar: 'gregory', ...options }).format(new Date(date))
  const { month, resetAt, days } = Object(body)
  const shown = await page.locator('main').innerText()
  const timeZone = 'UTC'
  expect(shown).toContain(written(month, { month: 'long', year: 'numeric', timeZone }))
  const day = written(days[0].day, { day: 'numeric', month: 'short', timeZone })
  expect(await page.locator('.bar').first().getAttribute('title')).toContain(day)
  const berlin = { timeZone: 'Europe/Berlin', dateStyle: 'medium', timeStyle: 'short' } as const
  expect(shown).toContain(written(resetAt, berlin))
  expect(await page.locator('.ticks').innerText()).toContain('۱۰')
})

test('counts in Arabic digits follow one another as the English words round them', async () => {
  const client = await visit().member('digits@example.com')
  const { id, call } = await visit().key(client, 'digits', 'free')
  for (const content of ['tea', 'coffee', 'water']) {
    await call('POST', '/v1/memories', { json: { content, userId: 'anna' } })
  }
  const page = await visit().as(client, `/console/keys/${id}/memories`, { locale: 'ar-EG' })
  const range = page.getByRole('status').filter({ hasText: 'of' })
  expect(await range.innerText()).toBe('١–٣ of ٣')
  const lefts = await range.evaluate((element) =>
    Array.from('١–', (character) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()?.textContent !== character);
      const place = document.createRange()
      place.selectNode(walker.currentNode)
      return place.getBoundingClientRect().left
    }),
  )
  expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByLabel('Question').fill('tea')
  await page.keyboard.press('Enter')
  await page.locator('.result').first().waitFor()
  const kept = page.getByRole('status').filter({ hasText: 'reach' })
  expect(await kept.innerText()).toMatch(/^[٠-٣] of ٣ results/)
})
