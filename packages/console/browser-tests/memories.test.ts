// Lists, filters and the threshold keep what the API keeps for the same question, and no slip, failure or odd
// text takes anything from the reader. One explanation is made up, so that each part of it is known.
import type { Page } from 'playwright-core'
import { expect, missesOf, test, visits } from './harness/visit.ts'

const visit = visits()

async function spaceOf(email: string, contents: readonly string[]) {
  const client = await visit().member(email)
  const key = await visit().key(client, 'memories', 'free')
  for (const content of contents) {
    const json = { content, userId: content.split(' ')[0] ?? 'x', tags: ['note'] }
    await key.call('POST', '/v1/memories', { json })
  }
  return { client, key }
}

test('memories are browsed, filtered, opened, added and deleted', async () => {
  const { client, key } = await spaceOf('browse@example.com', [
    'anna likes coffee',
    'ben likes tea',
  ])
  const page = await visit().as(client, `/console/keys/${key.id}/memories`)
  await page.getByText('1–2 of 2').waitFor()
  expect(await page.getByRole('button', { name: /Older|Newer/ }).count()).toBe(0)
  await page.getByLabel('User').fill('ben')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByText('1–1 of 1').waitFor()
  await page.getByLabel('User').fill('nobody')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('heading', { name: 'No memory passes this filter' }).waitFor()
  await page.getByRole('button', { name: 'Clear the filter' }).click()

  await page.getByRole('button', { name: 'Add memory' }).click()
  await page.getByLabel('Text', { exact: true }).fill('carla reads the newspaper')
  await page.getByRole('dialog').getByLabel('User').fill('carla')
  await page.getByRole('dialog').getByLabel('Tags (optional)').fill('habit, morning')
  await page.getByRole('button', { name: 'Remember' }).click()
  await page.getByText('1–3 of 3').waitFor()
  await page.getByRole('link', { name: 'carla reads the newspaper' }).click()
  const dialog = page.getByRole('dialog', { name: 'Memory' })
  await dialog.getByText('morning').waitFor()
  const time = dialog.locator('time')
  const iso = (await time.getAttribute('datetime')) ?? ''
  expect(await time.getAttribute('title')).toBe(`${iso.slice(0, 19).replace('T', ' ')} UTC`)
  // The reader of this test lives in Berlin.
  expect(await time.innerText()).toBe(
    new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Europe/Berlin',
    }).format(new Date(iso)),
  )
  await dialog.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete the memory' }).click()
  await page.getByText('1–2 of 2').waitFor()
  const { body } = await key.call('GET', '/v1/memories')
  expect(Object(body).pagination.total).toBe(2)

  // Of many long tags the list shows only as many as it has room for.
  const tags = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(128, '-'))
  const json = { content: 'dora has tags', userId: 'dora', tags }
  await key.call('POST', '/v1/memories', { json })
  await page.reload()
  const item = page.getByRole('listitem').filter({ hasText: 'dora has tags' })
  await item.getByText('+42 tags').waitFor()
  expect(await item.locator('.tag').allInnerTexts()).toEqual(
    tags.slice(0, 8).map((tag) => `${tag.slice(0, 40)}…`),
  )
  await page.getByRole('link', { name: 'dora has tags' }).click()
  await dialog.locator('.tag').nth(49).waitFor()
  expect(await dialog.locator('.tag').allInnerTexts()).toEqual(tags)
  expect(visit().complaints()).toEqual([])
})

test('when the last page is empty, the page before it is shown', async () => {
  const contents = Array.from({ length: 21 }, (_, index) => `anna remembers ${index}`)
  const { client, key } = await spaceOf('last@example.com', contents)
  const page = await visit().as(client, `/console/keys/${key.id}/memories?page=2`)
  const misses = missesOf(page)
  await page.getByText('21–21 of 21').waitFor()
  await page.getByRole('link', { name: 'anna remembers 0' }).click()
  await page.reload()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete the memory' }).click()
  await page.getByText('1–20 of 20').waitFor()
  // What the page itself has deleted it does not ask for again.
  expect(misses).toEqual([])
  await page.goto(`${visit().service.address}/console/keys/${key.id}/memories?page=99`)
  await page.getByText('1–20 of 20').waitFor()
  await page.getByRole('link', { name: 'anna remembers 20' }).waitFor()
})

test('a text of which only the beginning is shown says so, and no character of it is halved', async () => {
  const { client, key } = await spaceOf('long@example.com', [`anna ${'i'.repeat(314)}🎉 and more`])
  const page = await visit().as(client, `/console/keys/${key.id}/memories`)
  expect(await page.locator('.memory-text').innerText()).toBe(`anna ${'i'.repeat(314)}…`)
})

test('a long memory that is open is printed whole', async () => {
  const { client, key } = await spaceOf('prints@example.com', [
    `anna ${'likes tea '.repeat(900)}and coffee`,
  ])
  const page = await visit().as(client, `/console/keys/${key.id}/memories`)
  await page.getByRole('link', { name: 'anna likes tea' }).click()
  await page.getByRole('button', { name: 'Delete…' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  const isWhole = (element: Element) => element.scrollHeight <= element.clientHeight
  expect(await page.getByRole('region', { name: 'Text' }).evaluate(isWhole)).toBe(true)
  const pages = (await page.pdf()).toString('latin1').match(/\/Type\s*\/Page\b/g)
  expect(pages?.length).toBeGreaterThan(1)
})

const kept = (page: Page) => page.locator('[data-kept="true"]').count()

async function ask(page: Page, question: string) {
  await page.getByLabel('Question').fill(question)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('slider', { name: 'Threshold' }).waitFor()
}

test('the threshold keeps what the API keeps, moved by pointer and by keyboard', async () => {
  const { client, key } = await spaceOf('threshold@example.com', [
    'anna drinks dark roast coffee every morning',
    'ben wants coffee without sugar',
    'carla repairs bicycles',
    'dev waters the plants on friday',
  ])
  const query = 'dark roast coffee'
  const page = await visit().as(client, `/console/keys/${key.id}/playground`)
  await page.getByRole('heading', { name: 'Ask something' }).waitFor()
  await ask(page, query)
  const slider = page.getByRole('slider', { name: 'Threshold' })
  expect(await page.locator('.result').count()).toBe(4)

  const apiKeeps = async (threshold: number) => {
    const { body } = await key.call('POST', '/v1/memories/search', { json: { query, threshold } })
    return Object(body).results.length
  }
  expect(await kept(page)).toBe(await apiKeeps(0.5))
  await slider.focus()
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight')
  expect(await slider.inputValue()).toBe('0.53')
  await page.keyboard.press('End')
  expect(await kept(page)).toBe(await apiKeeps(1))
  await page.keyboard.press('Home')
  expect(await kept(page)).toBe(4)

  const box = await page.locator('.scale-track').boundingBox()
  if (!box) throw new Error('There is no scale.')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.3, y, { steps: 5 })
  await page.mouse.up()
  const dragged = Number(await slider.inputValue())
  expect(dragged).toBeCloseTo(0.3, 1)
  expect(await kept(page)).toBe(await apiKeeps(dragged))
  await page.getByText('Under the threshold').first().waitFor()
})

test('a result says why: the best sentence, the words that match, and each part’s share', async () => {
  const { client, key } = await spaceOf('why@example.com', ['anna drinks dark roast coffee daily'])
  const page = await visit().as(client, `/console/keys/${key.id}/playground`)
  await page.route('**/memories/search', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    answer.results[0].explanation = {
      score: 0.8,
      sentence: { start: 12, end: 29 },
      terms: [
        { text: 'coffee', isMatched: true, weight: 3 },
        { text: 'sugar', isMatched: false, weight: 1 },
      ],
      parts: [
        { kind: 'meaning', value: 0.7, share: 0.75 },
        { kind: 'words', value: 0.4, share: 0.25 },
      ],
    }
    await route.fulfill({ response, json: answer })
  })
  await ask(page, 'coffee sugar')
  await page.getByRole('button', { name: 'Why?' }).click()
  expect(await page.getByTestId('best-sentence').innerText()).toBe('dark roast coffee')
  const words = page.getByRole('region', { name: 'Words of the question' })
  expect(await words.locator('li.matched').innerText()).toContain('coffee')
  expect(await words.locator('li:not(.matched)').innerText()).toContain('sugar')
  const shares = page.getByRole('region', { name: 'Shares of the evidence' })
  expect(await shares.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Meaning[\s\S]*75\s?%/),
    expect.stringMatching(/Words[\s\S]*25\s?%/),
  ])
  expect(visit().complaints()).toEqual([])
})

test('what fails says so where it happened, and can be tried again', async () => {
  const { client, key } = await spaceOf('failing@example.com', ['anna likes coffee'])
  const page = await visit().as(client)
  await page.route('**/api/keys/*/memories?*', (route) => route.abort())
  await page.route('**/api/keys/*/memories', (route) => route.abort())
  await page.goto(`${visit().service.address}/console/keys/${key.id}/memories`)
  await page.getByText('The server cannot be reached').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('anna likes coffee').waitFor()
  visit().complaints()
})

test('what is being written is taken away by no slip of the hand', async () => {
  const { client, key } = await spaceOf('writes@example.com', ['anna likes coffee'])
  const page = await visit().as(client, `/console/keys/${key.id}/memories`)
  await page.getByRole('button', { name: 'Add memory' }).click()
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Add memory' }).click()
  await page.getByLabel('Text', { exact: true }).fill('written for an hour')
  await page.keyboard.press('Escape')
  // As long as a press beside it may be the second half of a double click.
  await page.waitForTimeout(600)
  await page.mouse.click(5, 400)
  await page.waitForTimeout(200)
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('written for an hour')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('"back" after a memory was closed leads to what was there before it, not to the memory', async () => {
  const { client, key } = await spaceOf('returns@example.com', ['anna likes coffee'])
  const page = await visit().as(client, `/console/keys/${key.id}/usage`)
  await page.getByRole('link', { name: 'Memories' }).click()
  await page.getByRole('link', { name: 'anna likes coffee' }).click()
  const dialog = page.getByRole('dialog', { name: 'Memory' })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByText('1–1 of 1').waitFor()
  expect(await dialog.count()).toBe(0)
  await page.goBack()
  await page.waitForURL('**/usage')
})

test.each(['12345', 'true', 'null', '1e3'])(
  'a filter of "%s" in a link is a text',
  async (user) => {
    const client = await visit().member(`number-${user}@example.com`)
    const { id, call } = await visit().key(client, `key ${user}`, 'free')
    await visit().key(client, 'another', 'free')
    for (const userId of [user, 'anna']) {
      await call('POST', '/v1/memories', { json: { content: `Of ${userId}.`, userId } })
    }
    const page = await visit().as(client, `/console/keys/${id}/memories?userId=${user}`)
    await page.getByText('1–1 of 1').waitFor()
    expect(await page.getByLabel('User').inputValue()).toBe(user)
    await page.goto(`${visit().service.address}/console/keys?filter=${user}`)
    await page.getByRole('link', { name: `key ${user}` }).waitFor()
    expect(await page.getByRole('link', { name: 'another' }).count()).toBe(0)
  },
)

test('a user whose id begins or ends with a space is found by it', async () => {
  const client = await visit().member('spaces@example.com')
  const { id, call } = await visit().key(client, 'spaces', 'free')
  for (const userId of [' anna ', 'anna']) {
    await call('POST', '/v1/memories', { json: { content: `Of "${userId}".`, userId } })
  }
  const page = await visit().as(client, `/console/keys/${id}/memories`)
  await page.getByText('1–2 of 2').waitFor()
  await page.getByLabel('User').fill(' anna ')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('link', { name: 'Of " anna ".' }).waitFor()
  await page.getByText('1–1 of 1').waitFor()
  await page.reload()
  await page.getByText('1–1 of 1').waitFor()
  await page.getByLabel('User').fill('  ')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByText('1–2 of 2').waitFor()

  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByLabel('Question').fill('anna')
  await page.getByText('Filters', { exact: true }).click()
  await page.getByLabel('User').fill(' anna ')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('.result').waitFor()
  expect(await page.locator('.result').count()).toBe(1)
})
