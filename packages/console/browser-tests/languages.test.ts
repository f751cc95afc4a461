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
