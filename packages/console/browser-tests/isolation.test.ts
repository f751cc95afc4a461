// Who is signed in sees what is theirs, and nobody is led away from this service.
import { expect, signIn, test, visits } from './harness/visit.ts'

const visit = visits()
const PAGES = ['start', 'usage', 'memories', 'playground', 'graph']

test('two accounts do not see each other’s keys or data, not even by address', async () => {
  const anna = await visit().admin()
  const ben = await visit().member('ben@example.com')
  const own = await visit().key(anna, 'of anna', 'free')
  await own.call('POST', '/v1/memories', { json: { content: 'A secret of Anna.', userId: 'a' } })
  await visit().key(ben, 'of ben', 'free')

  const page = await visit().as(ben)
  await page.getByRole('link', { name: 'of ben' }).waitFor()
  expect(await page.getByText('of anna').count()).toBe(0)
  for (const path of PAGES) {
    await page.goto(`${visit().service.address}/console/keys/${own.id}/${path}`)
    await page.getByRole('heading', { name: 'There is no such key' }).waitFor()
    expect(await page.content()).not.toContain('secret of Anna')
    expect(await page.title()).toBe('No such key · Mnemograph')
  }
  // The administrator runs the service, and still sees nobody else's data.
  const admin = await visit().as(anna)
  await admin.getByRole('link', { name: 'of anna' }).waitFor()
  expect(await admin.getByText('of ben').count()).toBe(0)
})

test('without a session an address within the console leads to the sign-in page, and back after it', async () => {
  await visit().member('back@example.com')
  const page = await visit().open('/console/keys/key_any/graph?depth=2')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).searchParams.get('next')).toBe('/keys/key_any/graph?depth=2')
  await signIn(page, 'back@example.com')
  await page.getByRole('heading', { name: 'There is no such key' }).waitFor()
  expect(page.url()).toBe(`${visit().service.address}/console/keys/key_any/graph?depth=2`)
})

test.each([
  ['address', 'https://example.com/'],
  ['no-scheme', '//example.com/'],
  ['backslash', '/\\example.com'],
  ['script', 'javascript:alert(1)'],
])('signing in never leads away: %s', async (name, next) => {
  const email = `${name}@example.com`
  await visit().member(email)
  const page = await visit().open(`/console/sign-in?next=${encodeURIComponent(next)}`)
  await signIn(page, email)
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  expect(page.url()).toBe(`${visit().service.address}/console/keys`)
})
