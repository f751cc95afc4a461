// Every page by axe, in light, in dark and on a narrow screen; what axe does not measure; and the whole way
// from a new key to its revocation with the keyboard alone.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { drawGraph, remember, work } from '../scripts/demo-data.ts'
import { settled } from './harness/graph.ts'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** With motion reduced nothing moves, whatever a component's own style says. */
const moving = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((element) => {
        const { animationName, transitionDuration } = getComputedStyle(element)
        return animationName !== 'none' || transitionDuration !== '0s'
      }).length,
  )

type Finding = { id: string; nodes: { target: string[]; failureSummary: string }[] }

/** Evaluated by the debugger, which the page's policy does not hold back. */
async function violations(page: Page): Promise<string[]> {
  // Half faded in, everything has too little contrast. The visits ask for no motion, which leaves
  // the frame in which a dialog still wears its starting style.
  await page.waitForFunction(
    () => document.querySelector('[data-starting-style], [data-ending-style]') === null,
  )
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const found = await page.evaluate<Finding[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

type Look = readonly [name: string, path: string, reach: (page: Page) => Promise<unknown>]

async function looks(): Promise<{
  looks: Look[]
  client: Awaited<ReturnType<typeof prepare>>['client']
}> {
  const { client, full, empty, anna } = await prepare()
  const heading = (name: string) => (page: Page) =>
    page.getByRole('heading', { name }).first().waitFor()
  return {
    client,
    looks: [
      ['keys', '/keys', (page) => page.getByRole('table').waitFor()],
      ['start here', `/keys/${full}/start`, heading('It works')],
      ['start here, waiting', `/keys/${empty}/start`, heading('Waiting for the first request')],
      ['usage', `/keys/${full}/usage`, heading('By day')],
      ['usage, empty', `/keys/${empty}/usage`, heading('Nothing has happened')],
      ['memories', `/keys/${full}/memories`, (page) => page.getByText('1–20 of').waitFor()],
      ['memories, empty', `/keys/${empty}/memories`, heading('Nothing is remembered yet')],
      ['playground', `/keys/${full}/playground`, search],
      ['graph', `/keys/${full}/graph`, settled],
      ['graph of an entity', `/keys/${full}/graph?entity=${anna}`, settled],
      [
        'graph, list',
        `/keys/${full}/graph?view=list`,
        (page) => page.getByText('Error E-7731').first().waitFor(),
      ],
      ['graph, empty', `/keys/${empty}/graph`, heading('There is no graph yet')],
      ['people', '/people', heading('Accounts')],
      ['account', '/account', (page) => page.getByText('this one').waitFor()],
      ['not found', '/nowhere', heading('There is no such page')],
      ['create a key', '/keys', openCreation],
      ['revoke a key', '/keys', openRevocation],
      ['a memory', `/keys/${full}/memories`, openMemory],
      ['an answer in passing', '/people', withdraw],
    ],
  }
}

async function prepare() {
  const client = await visit().admin()
  const full = await visit().unlimitedKey(client, 'full')
  const empty = await visit().key(client, 'empty', 'free')
  await remember(full.call)
  await work(full.call, 12)
  const ids = await drawGraph(full.call)
  return { client, full: full.id, empty: empty.id, anna: ids.get('Anna Lindqvist') ?? '' }
}

async function search(page: Page) {
  await page.getByLabel('Question').fill('Which coffee does Anna like?')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('button', { name: 'Why?' }).first().click()
}
async function openCreation(page: Page) {
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog').getByLabel('Name').waitFor()
}
async function withdraw(page: Page) {
  await visit().service.console.links.invite('withdrawn@example.com')
  await page.reload()
  await page
    .getByRole('button', { name: 'Withdraw the invitation of withdrawn@example.com' })
    .click()
  await page.getByText('Withdrew the invitation.').first().waitFor()
}
async function openRevocation(page: Page) {
  await page.getByRole('button', { name: 'Actions for the key empty' }).click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).and(page.locator(':enabled')).waitFor()
}
async function openMemory(page: Page) {
  await page.locator('.memory-text').first().click()
  await page.getByRole('dialog').getByText('Created').waitFor()
}

const SCREENS = [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
]
const THEMES = ['light', 'dark'] as const

test('no page has a finding of axe, and none is wider than its screen', async () => {
  const found: string[] = []
  const { client, looks: all } = await looks()
  const examine = async (page: Page, name: string, width: number) => {
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      const place = `${name}, ${colorScheme}, ${width}`
      for (const violation of await violations(page)) found.push(`${place}: ${violation}`)
      if ((await moving(page)) > 0) found.push(`${place}: moves`)
      if ((await overflow(page)) > 0) found.push(`${place}: wider than the screen`)
    }
  }
  for (const viewport of SCREENS) {
    const { width } = viewport
    const outside = await visit().open('/console', { viewport })
    await outside.getByRole('heading', { name: 'Sign in' }).waitFor()
    await examine(outside, 'sign-in', width)
    const link = await visit().service.console.links.invite(`${width}@example.com`)
    await outside.goto(`${visit().service.address}/console/link#${link?.token}`)
    await outside.getByRole('heading', { name: 'Welcome' }).waitFor()
    await examine(outside, 'invitation', width)
    await outside.context().close()

    const page = await visit().as(client, '/console', { viewport })
    for (const [name, path, reach] of all) {
      await page.goto(`${visit().service.address}/console${path}`)
      await reach(page)
      await examine(page, name, width)
    }
    await page.context().close()
  }
  expect(found).toEqual([])
  expect(visit().complaints()).toEqual([])
}, 300_000)

async function tabTo(page: Page, name: string | RegExp) {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const { activeElement } = document
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? ''
    })
    if (typeof name === 'string' ? label.trim() === name : name.test(label)) return
  }
  throw new Error(`The keyboard does not reach ${name}.`)
}

test('from signing in to a revoked key with the keyboard alone', async () => {
  await visit().member('keyboard@example.com')
  const page = await visit().open()
  await page.getByLabel('E-mail address').waitFor()
  await page.getByLabel('E-mail address').focus()
  await page.keyboard.type('keyboard@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  await tabTo(page, 'Create key')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').locator('input:focus').waitFor()
  await page.keyboard.type('by keyboard')
  await page.keyboard.press('Enter')
  await page.getByTestId('secret').waitFor()
  await tabTo(page, 'I have saved it')
  await page.keyboard.press('Enter')
  await page.getByTestId('secret').waitFor({ state: 'detached' })
  // The dialog is gone a moment before it gives the focus back.
  await page.getByRole('button', { name: 'Create key' }).and(page.locator(':focus')).waitFor()

  // The row is drawn when the list has arrived.
  await page.getByRole('button', { name: 'Actions for the key by keyboard' }).waitFor()
  await tabTo(page, 'Actions for the key by keyboard')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Revoke…' }).waitFor()
  await page.locator('[role=menu]:focus, [role=menuitem]:focus').first().waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await page.getByRole('button', { name: 'Revoke the key' }).and(page.locator(':enabled')).waitFor()
  expect(await page.locator(':focus').innerText()).toBe('Cancel')
  await tabTo(page, 'Revoke the key')
  await page.keyboard.press('Enter')
  await page.getByText('revoked', { exact: true }).waitFor()
  expect(visit().complaints()).toEqual([])
})

test('the theme is switched by hand and kept', async () => {
  const page = await visit().open('/console', { colorScheme: 'light' })
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.getByRole('button', { name: /^Theme/ }).click()
  expect(await ground()).toBe(light)
  await page.getByRole('button', { name: /^Theme/ }).click()
  const dark = await ground()
  expect(dark).not.toBe(light)
  await page.reload()
  expect(await ground()).toBe(dark)
})

test('the button that shows a password is heard by what it does, and by no state that says the opposite', async () => {
  await visit().admin()
  const page = await visit().open('/console/sign-in')
  await page.getByRole('button', { name: 'Show password' }).click()
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text')
  const hide = page.getByRole('button', { name: 'Hide password' })
  await hide.waitFor()
  expect(await page.getByRole('button', { name: 'Hide password', pressed: true }).count()).toBe(0)
  await hide.click()
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password')
})

/** The relative luminance of the colour that a style begins with; of a translucent one it is not known. */
function luminance(style: string): number {
  const colour = /^rgb\((\d+), (\d+), (\d+)\)/.exec(style)?.slice(1) ?? []
  const [red = Number.NaN, green = 0, blue = 0] = colour.map((value) => {
    const part = Number(value) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test.each(['light', 'dark'] as const)(
  'the one that is chosen of several has an edge with a contrast of 3 to 1 to what is round it: %s',
  async (colorScheme) => {
    const client = await visit().member(`chooses-${colorScheme}@example.com`)
    const { id } = await visit().key(client, 'chooses', 'free')
    const page = await visit().as(client, `/console/keys/${id}/start`, { colorScheme })
    const { edge, round } = await page.getByRole('tab', { selected: true }).evaluate((tab) => ({
      edge: getComputedStyle(tab).boxShadow,
      round: getComputedStyle(tab.parentElement ?? tab).backgroundColor,
    }))
    const [low = 0, high = 0] = [edge, round].map(luminance).toSorted((a, b) => a - b)
    expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(3)
  },
)
