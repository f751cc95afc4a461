// Takes pictures of every page, light and dark, wide and narrow, from a service with demonstration data
// and the bundled model: npm run console:screenshots [-- FOLDER]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { readConfig } from '../../server/src/config.ts'
import { start } from '../../server/src/main.ts'
import { apiClient, type Call } from '../../server/src/testing/api-client.ts'
import { ConsoleClient, PASSWORD } from '../../server/src/testing/console-client.ts'
import { setClock } from '../../server/src/testing/set-clock.ts'
import { launch } from '../browser-tests/harness/chromium.ts'
import { settled } from '../browser-tests/harness/graph.ts'
import { drawGraph, remember, work } from './demo-data.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The clock moves on by this before each request, so that no rate limit refuses it. */
const PAUSE_MS = 2_500
const { positionals } = parseArgs({ allowPositionals: true })
const folder = resolve(positionals[0] ?? 'screenshots')
mkdirSync(folder, { recursive: true })
const directory = mkdtempSync(join(tmpdir(), 'mnemograph-screenshots-'))

const now = new Date()
const clock = setClock(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
const running = await start(
  readConfig({ PORT: '0', MNEMOGRAPH_DATA_DIR: directory, MNEMOGRAPH_LOG_LEVEL: 'silent' }),
  (error) => {
    throw error
  },
  { clock },
)
const browser = await launch()
try {
  await takeAll()
} finally {
  await browser.close()
  await running.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function takeAll() {
  const { address } = running
  const open = async (theme: 'light' | 'dark', width: number, cookie?: string) => {
    const context = await browser.newContext({
      viewport: { width, height: width < 500 ? 844 : 860 },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      deviceScaleFactor: width < 500 ? 2 : 1,
    })
    const [name, value] = cookie?.split('=') ?? []
    if (name && value) await context.addCookies([{ name, value, url: address }])
    return context.newPage()
  }
  const SIZES = [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const

  type Take = readonly [name: string, path: string, prepare?: (page: Page) => Promise<unknown>]
  const takeEach = async (takes: readonly Take[], cookie?: string) => {
    for (const [theme, width] of SIZES) {
      const page = await open(theme, width, cookie)
      for (const [name, path, prepare] of takes) {
        // Two links differ only in their fragment, and going from one to the other would not reload the page.
        await page.goto('about:blank')
        await page.goto(`${address}/console${path}`)
        await page.waitForLoadState('networkidle').catch(() => {})
        await prepare?.(page)
        await page.waitForTimeout(250)
        const size = width < 500 ? '-narrow' : ''
        await page.screenshot({ path: join(folder, `${name}-${theme}${size}.png`) })
      }
      await page.context().close()
    }
  }

  await takeEach([['needs-set-up', '/sign-in']])
  const link = await running.console.links.setUp()
  await takeEach([['set-up', `/link#${link?.token}`]])

  const client = new ConsoleClient(address)
  await client.post('/links/use', {
    token: link?.token,
    email: 'anna@example.com',
    password: PASSWORD,
  })
  const make = async (name: string, plan: string) => {
    const { status, body, text } = await client.post('/keys', { name, plan })
    if (status !== 201) throw new Error(text)
    const { key, secret } = Object(body)
    const ask = apiClient(address, secret)
    const call: Call = (...request) => {
      clock.pass(PAUSE_MS)
      return ask(...request)
    }
    return { id: String(key.id), call }
  }
  await takeEach([['keys-empty', '/keys']], client.cookie)

  const laptop = await make('old laptop', 'free')
  await work(laptop.call, 6)
  await client.post(`/keys/${laptop.id}/revoke`)
  const production = await make('production agent', 'hobby')
  await make('staging', 'free')
  const fresh = await make('notebook', 'free')
  await remember(production.call)
  const ids = await drawGraph(production.call)
  for (let day = 1; day < now.getUTCDate(); day++) {
    await work(production.call, 4 + ((day * 7) % 13))
    clock.pass(DAY_MS)
  }
  clock.pass(Math.max(0, Date.now() - clock.now()))
  await work(production.call, 9)

  const again = new ConsoleClient(address)
  await again.post('/sign-in', { email: 'anna@example.com', password: PASSWORD })
  await again.post('/invitations', { email: 'ben@example.com', plans: ['free', 'hobby'] })
  const own = `/keys/${production.id}`
  const anna = ids.get('Anna Lindqvist') ?? ''

  await takeEach([['sign-in', '/sign-in']])
  await takeEach(
    [
      ['keys', '/keys'],
      ['keys-create', '/keys', (page) => page.getByRole('button', { name: 'Create key' }).click()],
      ['start-here', `${own}/start`],
      ['start-here-waiting', `/keys/${fresh.id}/start`],
      ['usage', `${own}/usage`],
      ['usage-empty', `/keys/${fresh.id}/usage`],
      ['memories', `${own}/memories`],
      ['memories-empty', `/keys/${fresh.id}/memories`],
      [
        'memory',
        `${own}/memories?userId=carla`,
        (page) => page.getByRole('link', { name: /Northwind signed/ }).click(),
      ],
      ['playground-empty', `${own}/playground`],
      ['playground', `${own}/playground`, ask],
      ['graph', `${own}/graph`, settled],
      ['graph-entity', `${own}/graph?entity=${anna}&depth=2`, settled],
      ['graph-list', `${own}/graph?view=list`],
      ['graph-empty', `/keys/${fresh.id}/graph`],
      ['people', '/people'],
      ['account', '/account'],
      ['not-found', '/nowhere'],
    ],
    again.cookie,
  )
}

async function ask(page: Page) {
  await page.getByLabel('Question').fill('Which coffee does Anna like?')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('button', { name: 'Why?' }).first().click()
}
