// On the screen of a small phone nothing lies over anything else, and every page of a key can be seen.
import { drawn, settled } from './harness/graph.ts'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()
const WIDTH = 360
const narrow = { viewport: { width: WIDTH, height: 740 } }

test('a long name leaves room for the actions of its key', async () => {
  const client = await visit().admin()
  await visit().key(client, 'W'.repeat(200), 'free')
  const page = await visit().as(client, '/console/keys', narrow)
  const actions = await page.getByRole('button', { name: /^Actions for the key/ }).boundingBox()
  const right = await page.locator('.keys .name').evaluate((name) => {
    const range = document.createRange()
    range.selectNodeContents(name)
    return range.getBoundingClientRect().right
  })
  expect(right).toBeLessThanOrEqual(actions?.x ?? 0)
})

test('a long name leaves the page of its key in sight', async () => {
  const client = await visit().member('named@example.com')
  const { id } = await visit().key(client, 'W'.repeat(200), 'free')
  const page = await visit().as(client, `/console/keys/${id}/usage`, narrow)
  const heading = page.getByRole('heading', { name: 'Usage' })
  await heading.waitFor()
  expect((await heading.boundingBox())?.y).toBeLessThan(740 / 2)
})

test('the way to every page of a key is on the screen', async () => {
  const client = await visit().member('phone@example.com')
  const { id } = await visit().key(client, 'phone', 'free')
  const page = await visit().as(client, `/console/keys/${id}/graph`, narrow)
  const links = page.getByRole('navigation', { name: 'Of this key' }).getByRole('link')
  await links.first().waitFor()
  const rights = await links.evaluateAll((all) =>
    all.map((link) => link.getBoundingClientRect().right),
  )
  expect(rights).toHaveLength(5)
  expect(Math.max(...rights)).toBeLessThanOrEqual(WIDTH)

  // With a little more room all are in one row, even in a wide font.
  await page.setViewportSize({ width: 390, height: 740 })
  const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
})

test('the buttons of a dialog are whole', async () => {
  const client = await visit().member('buttons@example.com')
  const page = await visit().as(client, '/console/keys', narrow)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('phone')
  await page.keyboard.press('Enter')
  await page.getByTestId('secret').waitFor()
  const left = await dialog.evaluate((element) => element.getBoundingClientRect().left)
  const lefts = await dialog
    .getByRole('button')
    .evaluateAll((all) => all.map((button) => button.getBoundingClientRect().left))
  expect(lefts).toHaveLength(3)
  expect(Math.min(...lefts)).toBeGreaterThan(left)
})

test('the languages of the first snippets are whole words', async () => {
  const client = await visit().member('languages@example.com')
  const { id } = await visit().key(client, 'phone', 'free')
  const page = await visit().as(client, `/console/keys/${id}/start`, {
    viewport: { width: 320, height: 740 },
  })
  const tabs = page.getByRole('tablist', { name: 'Language' }).getByRole('tab')
  await tabs.first().waitFor()
  const lines = await tabs.evaluateAll((all) =>
    all.map((tab) => {
      const range = document.createRange()
      range.selectNodeContents(tab)
      return range.getClientRects().length
    }),
  )
  expect(lines).toEqual([1, 1, 1, 1])
})

const LARGE = 98_765_432

test('no number is broken apart, and no plan', async () => {
  const client = await visit().member('numbers@example.com')
  const { id, call } = await visit().unlimitedKey(client, 'numbers')
  await call('GET', '/v1/entities')
  await call('GET', '/v1/memories')
  const page = await visit().as(client, '/console/account', narrow)
  await page.route('**/console/api/**/usage*', async (route) => {
    const usage = Object(await (await route.fetch()).json())
    const operations = {
      'memories.create': LARGE,
      'memories.search': LARGE,
      'memories.list': LARGE,
    }
    const days = [{ ...usage.days[0], operations, rateLimited: LARGE }]
    await route.fulfill({ json: { ...usage, used: LARGE, days } })
  })
  /** How many lines the text of each element takes. */
  const linesOf = (selector: string) =>
    page.locator(selector).evaluateAll((elements) =>
      elements.map((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
      }),
    )
  await page.goto(`${visit().service.address}/console/keys/${id}/usage`)
  await page.getByRole('heading', { name: 'By day' }).waitFor()
  const numbers = await linesOf('tbody td, tfoot td, .axis span, .figure .number')
  expect(numbers.length).toBeGreaterThan(20)
  expect(new Set(numbers)).toEqual(new Set([1]))
  const axis = await page.locator('.axis').boundingBox()
  const label = await page.locator('.axis span').first().boundingBox()
  expect(label?.x).toBeGreaterThanOrEqual(axis?.x ?? Number.POSITIVE_INFINITY)

  await page.setViewportSize({ width: 700, height: 740 })
  await page.goto(`${visit().service.address}/console/keys`)
  await page.getByRole('table').waitFor()
  expect(await linesOf('td[data-label=Plan]')).toEqual([1])
})

test.each([
  ['a phone', 390, 'keys'],
  ['a phone', 390, 'memories'],
  ['a desktop', 1280, 'keys'],
] as const)(
  'with letters of twice the size the name of the product is whole, and the page as wide as the screen: %s of %i px, %s',
  async (_, width, path) => {
    const client = await visit().admin()
    const key = await visit().unlimitedKey(client, 'production agent')
    const at = path === 'keys' ? path : `keys/${key.id}/${path}`
    const page = await visit().as(client, `/console/${at}`, { viewport: { width, height: 844 } })
    await page.getByText('production agent').first().waitFor()
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '32px'
    })
    const lines = await page
      .locator('.topbar .brand')
      .evaluate((brand) => brand.getBoundingClientRect().height / 32)
    expect(lines).toBeLessThan(2)
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
        .map((element) => `${element.tagName} ${element.className}`),
    )
    expect(wide).toEqual([])
  },
)

test('the keyboard of a phone writes ids and shown passwords as they are typed, without a capital letter', async () => {
  const client = await visit().member('types@example.com')
  const { id } = await visit().key(client, 'typed', 'free')
  const page = await visit().as(client, `/console/keys/${id}/memories`, narrow)
  const isAsTyped = (label: string) =>
    page
      .getByLabel(label, { exact: true })
      .evaluate((field) => field instanceof HTMLElement && field.autocapitalize === 'none')
  for (const label of ['User', 'Agent', 'Tags (with commas)']) {
    expect(await isAsTyped(label), label).toBe(true)
  }
  await page.goto(`${visit().service.address}/console/account`)
  await page.getByRole('button', { name: 'Show current password' }).click()
  expect(await isAsTyped('Current password')).toBe(true)
})

test('the picture of a graph is on the first screen, most of it in a neighbourhood too', async () => {
  const { client, key, idOf } = await drawn(visit(), 'first@example.com')
  const graph = `/console/keys/${key.id}/graph`
  const page = await visit().as(client, graph, { viewport: { width: 390, height: 844 } })
  const picture = async () => {
    await settled(page)
    const box = await page.locator('.picture').boundingBox()
    return { top: box?.y ?? Infinity, height: box?.height ?? 0 }
  }
  const whole = await picture()
  expect(whole.height).toBeGreaterThan(400)
  expect(whole.top + whole.height).toBeLessThanOrEqual(844)
  await page.goto(`${visit().service.address}${graph}?entity=${idOf('Anna Lindqvist')}`)
  const near = await picture()
  expect(844 - near.top).toBeGreaterThan((near.height * 3) / 4)
})

test('what can be done with an entity is beside its name, however long its description', async () => {
  const client = await visit().member('described@example.com')
  const { id, call } = await visit().key(client, 'described', 'free')
  const json = { name: 'Anna', type: 'PERSON', description: 'One of many words. '.repeat(100) }
  const entity = await call('POST', '/v1/entities', { json })
  const page = await visit().as(client, `/console/keys/${id}/graph?entity=${entity.id}`, narrow)
  const name = await page.getByRole('heading', { name: 'Anna' }).boundingBox()
  const button = await page.getByRole('button', { name: 'Neighbourhood' }).boundingBox()
  expect((button?.y ?? Infinity) - (name?.y ?? 0)).toBeLessThan(120)
})

test('a path that is asked for below the graph comes into sight with the focus, and closing it leads back', async () => {
  const client = await visit().member('path@example.com')
  const { id, call } = await visit().unlimitedKey(client, 'path')
  for (let index = 0; index < 30; index++) {
    await call('POST', '/v1/entities', { json: { name: `Entity ${index}`, type: 'CONCEPT' } })
  }
  const page = await visit().as(client, `/console/keys/${id}/graph?view=list`, narrow)
  const path = page.getByRole('region', { name: 'Shortest path' })
  for (const name of ['Entity 0', 'Entity 20']) {
    await page.getByRole('button', { name, exact: true }).first().click()
    await page.getByRole('heading', { name }).waitFor()
    const opener = page.getByRole('button', { name: 'Path from here' })
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => path.evaluate((element) => element === document.activeElement))
      .toBe(true)
    const { top, bottom } = await path.evaluate((element) => element.getBoundingClientRect())
    expect(top).toBeGreaterThanOrEqual(0)
    expect(bottom).toBeLessThanOrEqual(740)
    expect(await path.getByLabel('From').inputValue()).toBe(name)
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Close the path' }).focus()
    await page.keyboard.press('Enter')
    await path.waitFor({ state: 'detached' })
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
  }
})

test.each([680, 768, 900, 1024])(
  'the words of a key’s name are whole at a width of %i, and its actions in sight',
  async (width) => {
    const client = await visit().member(`tablet-${width}@example.com`)
    await visit().unlimitedKey(client, 'production agent of several teams')
    // Its meter takes more room.
    await visit().key(client, 'older', 'free')
    const page = await visit().as(client, '/console/keys', { viewport: { width, height: 800 } })
    const name = page.getByRole('link', { name: /^production/ })
    const lines = await name.evaluate((link) => {
      const range = document.createRange()
      range.setStart(link.firstChild ?? link, 0)
      range.setEnd(link.firstChild ?? link, 'production'.length)
      return range.getClientRects().length
    })
    expect(lines).toBe(1)
    const actions = await page
      .getByRole('button', { name: /^Actions for the key prod/ })
      .boundingBox()
    expect((actions?.x ?? width) + (actions?.width ?? 0)).toBeLessThan(width)
    // The way to other pages and the tools of the account are in one row.
    const menu = await page.getByRole('button', { name: /^Account of/ }).boundingBox()
    const link = await page.getByRole('link', { name: 'Keys', exact: true }).boundingBox()
    expect(Math.abs((menu?.y ?? 0) - (link?.y ?? 0))).toBeLessThan(20)
  },
)

test.each([900, 1280])(
  'a date in the list of keys is in one line at a width of %i',
  async (width) => {
    const client = await visit().member(`dates-${width}@example.com`)
    await visit().key(client, 'W'.repeat(200), 'free')
    const page = await visit().as(client, '/console/keys', { viewport: { width, height: 800 } })
    const time = page.locator('.keys time').last()
    await time.waitFor()
    expect(await time.evaluate((element) => element.getClientRects().length)).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    )
  },
)

test('a memory is shown from its beginning, and with its buttons, however little of it the screen has', async () => {
  const client = await visit().member('enlarged@example.com')
  const { id, call } = await visit().key(client, 'enlarged', 'free')
  const memory = { content: 'Anna likes coffee.', userId: 'anna', metadata: { source: 'a test' } }
  const { id: open } = await call('POST', '/v1/memories', { json: memory })
  // A screen of 1,280 by 1,024, enlarged four times.
  const enlarged = { viewport: { width: 320, height: 256 } }
  const path = `/console/keys/${id}/memories?open=${open}`
  const page = await visit().as(client, path, enlarged)
  const dialog = page.getByRole('dialog', { name: 'Memory' })
  await dialog.getByText('a test').waitFor()
  await expect.poll(() => page.locator('.dialog:focus-within').count()).toBe(1)
  const { scrollTop, scrollHeight } = await dialog.evaluate((element) => ({
    scrollTop: element.scrollTop,
    scrollHeight: element.scrollHeight,
  }))
  expect(scrollHeight).toBeGreaterThan(256)
  expect(scrollTop).toBe(0)
  const bottomOf = async (name: string) => {
    const box = await dialog.getByRole('button', { name }).boundingBox()
    return (box?.y ?? Infinity) + (box?.height ?? 0)
  }
  expect(await bottomOf('Close')).toBeLessThan(256)
  // And a control that is tabbed to is not below the buttons.
  await page.keyboard.press('Tab')
  const overlap = (await bottomOf('Copy')) - (await bottomOf('Close'))
  await dialog.evaluate((element, by) => element.scrollBy(0, by), overlap)
  await page.keyboard.press('Tab')
  await page.locator('button:focus', { hasText: 'Copy' }).waitFor()
  const buttons = await dialog.getByRole('button', { name: 'Close' }).boundingBox()
  expect(await bottomOf('Copy')).toBeLessThanOrEqual(buttons?.y ?? 0)
})

test('the reference is no wider than a small phone, whatever the address of the service', async () => {
  const page = await visit().open('/docs', { viewport: { width: 320, height: 740 } })
  await page
    .locator('dl.facts code')
    .first()
    .evaluate((address) => {
      address.textContent = 'https://memory.company.example.com:8443'
    })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(320)
})
