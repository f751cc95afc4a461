// The playground shows the answer to the latest question, and has question and answer again when its page is
// come back to.
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()

async function playground(email: string) {
  const client = await visit().member(email)
  const { id, call } = await visit().key(client, 'asked', 'free')
  for (const [content, userId] of [
    ['Anna likes tea.', 'anna'],
    ['Ben likes coffee.', 'ben'],
  ]) {
    await call('POST', '/v1/memories', { json: { content, userId } })
  }
  const page = await visit().as(client, `/console/keys/${id}/playground`)
  const asked: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/memories/search', async (route) => {
    const { query } = route.request().postDataJSON()
    asked.push(query)
    if (query === 'slow tea') await promise
    // The page may have gone on and given the request up.
    await route.continue().catch(() => {})
  })
  const ask = async (question: string) => {
    await page.getByLabel('Question').fill(question)
    await page.keyboard.press('Enter')
  }
  return { page, asked, ask, letThrough: resolve }
}

test('another question may be asked while an answer is awaited, which does not overwrite the newer one', async () => {
  const { page, asked, ask, letThrough } = await playground('hurries@example.com')
  await ask('slow tea')
  await expect.poll(() => asked).toEqual(['slow tea'])
  await page.keyboard.press('Enter')
  await ask('Ben coffee')
  const best = page.locator('.result').first()
  await best.getByText('Ben likes coffee.').waitFor()
  letThrough()
  await page.waitForTimeout(300)
  expect(await best.innerText()).toContain('Ben likes coffee.')
  expect(asked).toEqual(['slow tea', 'Ben coffee'])
})

test('a question that is refused says so at its field, and is not asked again as it is', async () => {
  const { page, ask } = await playground('long@example.com')
  await ask('tea '.repeat(3_000))
  await page.getByText(/^It must be a text of 1 to 10,000 characters/).waitFor()
  expect(await page.getByLabel('Question').getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByRole('alert').count()).toBe(1)
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await ask('Ben coffee')
  await page.locator('.result').first().waitFor()
  expect(await page.getByLabel('Question').getAttribute('aria-invalid')).toBeNull()
})

test('a question and its filter are there again after "reload" and "back", and not in the address', async () => {
  const { page, ask } = await playground('returns@example.com')
  await page.getByText('Filters').click()
  await page.getByLabel('User').fill('ben')
  await ask('Ben coffee')
  const result = page.locator('.result')
  await result.waitFor()
  const isThere = async () => {
    await result.getByText('Ben likes coffee.').waitFor()
    expect(await page.getByLabel('Question').inputValue()).toBe('Ben coffee')
    expect(await page.getByLabel('User').inputValue()).toBe('ben')
    expect(new URL(page.url()).search).toBe('')
  }
  await page.reload()
  await isThere()
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('heading', { name: 'Usage' }).waitFor()
  await page.goBack()
  await isThere()
  await page.getByRole('link', { name: 'Memories' }).click()
  await page.getByRole('heading', { name: 'Memories' }).waitFor()
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByRole('heading', { name: 'Ask something' }).waitFor()
  expect(await page.getByLabel('Question').inputValue()).toBe('')
})

test('a click on its own tab begins anew, as on every page, and "back" leads to the question', async () => {
  const { page, ask } = await playground('anew@example.com')
  await page.getByText('Filters').click()
  await page.getByLabel('User').fill('ben')
  await ask('Ben coffee')
  const result = page.locator('.result')
  await result.waitFor()
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByRole('heading', { name: 'Ask something' }).waitFor()
  expect(await result.count()).toBe(0)
  expect(await page.getByLabel('Question').inputValue()).toBe('')
  await page.reload()
  await page.getByRole('heading', { name: 'Ask something' }).waitFor()
  await page.goBack()
  await result.getByText('Ben likes coffee.').waitFor()
  expect(await page.getByLabel('Question').inputValue()).toBe('Ben coffee')
  expect(await page.getByLabel('User').inputValue()).toBe('ben')
})

test('how many results came is said where a screen reader listens by then', async () => {
  const { page, ask } = await playground('listens@example.com')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.getByRole('heading', { name: 'Ask something' }).waitFor()
  await page.evaluate(() => {
    for (const place of document.querySelectorAll('[role=status]'))
      place.setAttribute('data-there', '')
  })
  await page.route('**/memories/search', async (route) => {
    await promise
    await route.fallback()
  })
  const said = () => page.locator('main [role=status][data-there]').allTextContents()
  await ask('Ben coffee')
  await page.getByText('Loading the results…').waitFor({ state: 'attached' })
  expect(await said()).toEqual([''])
  resolve()
  await page.locator('.result').first().waitFor()
  expect(await said()).toEqual(['2 results found'])
})

test('whoever goes back through the results by keyboard sees what has the focus, below the scale', async () => {
  const { page, ask } = await playground('keys@example.com')
  await page.setViewportSize({ width: 1280, height: 500 })
  await ask('Ben coffee')
  const whys = page.locator('.result').getByRole('button')
  await whys.first().click()
  await whys.last().click()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  // Past the text of the last one.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  expect(await whys.first().evaluate((button) => button === document.activeElement)).toBe(true)
  const scale = await page.locator('.scale-card').boundingBox()
  const button = await whys.first().boundingBox()
  expect(button?.y).toBeGreaterThanOrEqual((scale?.y ?? 0) + (scale?.height ?? 0))
})

test.each([390, 1280])(
  'the scale stays where it is when its threshold is moved: %i px wide',
  async (width) => {
    const { page, ask } = await playground(`drags-${width}@example.com`)
    await page.setViewportSize({ width, height: 800 })
    await ask('Ben coffee')
    const slider = page.getByRole('slider')
    await slider.waitFor()
    const top = () => page.locator('.scale').evaluate((scale) => scale.getBoundingClientRect().top)
    const before = await top()
    await slider.press('ArrowRight')
    await page.getByRole('button', { name: 'Back to 0.50' }).waitFor()
    expect(await top()).toBe(before)
  },
)
