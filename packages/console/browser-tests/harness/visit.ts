// A service of its own and a browser that looks at its console. Whatever the page complains about
// (a script's error, a violation of the policy) fails the test that saw it.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, test as base, beforeAll, expect } from 'vitest'
import { mintKey } from '../../../server/src/core/keys.ts'
import { apiClient, type Call } from '../../../server/src/testing/api-client.ts'
import {
  type ConsoleClient,
  joinConsole,
  PASSWORD,
  setUpConsole,
} from '../../../server/src/testing/console-client.ts'
import {
  runService,
  type TestService,
  UNLIMITED,
} from '../../../server/src/testing/running-service.ts'
import { CHROMIUM, launch } from './chromium.ts'

export { expect, PASSWORD }
export const ADMIN = 'admin@example.com'
export const test = base.skipIf(CHROMIUM === undefined)

export type MadeKey = { id: string; secret: string; call: Call }

/** Fills in the form that the page shows where nobody is signed in, or nobody any more. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** What the page asks for from now on and the server does not have. */
export function missesOf(page: Page): readonly string[] {
  const misses: string[] = []
  page.on('response', (answer) => answer.status() === 404 && misses.push(answer.url()))
  return misses
}

export class Visit {
  readonly service: TestService
  readonly #browser: Browser
  readonly #complaints: string[] = []
  #admin: Promise<ConsoleClient> | undefined

  constructor(service: TestService, browser: Browser) {
    this.service = service
    this.#browser = browser
  }

  /** A browser of its own, with nobody signed in. */
  async open(path = '/console', options: BrowserContextOptions = {}): Promise<Page> {
    return await this.#load(path, await this.#newContext(options))
  }

  /** A browser in which the account of this client is signed in. */
  async as(client: ConsoleClient, path = '/console', options: BrowserContextOptions = {}) {
    return await this.#load(path, await this.#signedIn(client, options))
  }

  /** The same with a clock that the test moves on. */
  async withClock(client: ConsoleClient, path: string): Promise<Page> {
    const context = await this.#signedIn(client)
    await context.clock.install()
    return await this.#load(path, context)
  }

  async #signedIn(client: ConsoleClient, options: BrowserContextOptions = {}) {
    const context = await this.#newContext(options)
    const [name = '', value = ''] = client.cookie?.split('=') ?? []
    await context.addCookies([{ name, value, url: this.service.address }])
    return context
  }

  async #newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 860 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
      ...options,
    })
    context.setDefaultTimeout(15_000)
    return context
  }

  async #load(path: string, context: BrowserContext): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', (error) => this.#complaints.push(error.message))
    page.on('console', (message) => {
      const isAnswer = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isAnswer) this.#complaints.push(message.text())
    })
    await page.goto(`${this.service.address}${path}`)
    return page
  }

  /** The one who set the service up. */
  admin(): Promise<ConsoleClient> {
    this.#admin ??= setUpConsole(this.service, ADMIN)
    return this.#admin
  }

  /** Somebody who was invited, by an administrator: one that a page did not make by now is made here. */
  async member(email: string): Promise<ConsoleClient> {
    if (await this.service.console.links.setUp()) await this.admin()
    return await joinConsole(this.service, email)
  }

  async key(client: ConsoleClient, name = 'test', plan = 'enterprise'): Promise<MadeKey> {
    const { status, body, text } = await client.post('/keys', { name, plan })
    if (status !== 201) throw new Error(text)
    const { key, secret } = Object(body)
    return { id: key.id, secret, call: apiClient(this.service.address, secret) }
  }

  /** One whose requests no rate limit holds back. */
  async unlimitedKey(client: ConsoleClient, name: string): Promise<MadeKey> {
    const { body } = await client.get('/session')
    const { store, identify } = this.service.service
    const { key: secret, stored } = mintKey(identify)
    await store.console
      .forAccount(Object(body).account.id)
      .insert({ name, plan: 'enterprise', limits: UNLIMITED, ...stored })
    return { id: stored.id, secret, call: apiClient(this.service.address, secret) }
  }

  async violations(): Promise<number> {
    const metrics = await (await fetch(`${this.service.address}/metrics`)).text()
    return Number(/^mnemograph_console_csp_violations_total (\d+)$/m.exec(metrics)?.[1])
  }

  /** What pages complained about since the last time. */
  complaints = () => this.#complaints.splice(0)

  /** Pages that nobody looks at any more still ask, draw and take the processor from the next test. */
  async closePages(): Promise<void> {
    await Promise.all(this.#browser.contexts().map((context) => context.close()))
  }
}

/** One service and one browser for the tests of a file. */
export function visits(settings: Record<string, string> = {}): () => Visit {
  let visit: Visit | undefined
  let close = async () => {}
  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    const service = await runService({ settings })
    const browser = await launch()
    visit = new Visit(service, browser)
    close = async () => {
      await browser.close()
      await service[Symbol.asyncDispose]()
    }
  })
  afterEach(() => visit?.closePages())
  afterAll(() => close())
  return () => {
    if (!visit) throw new Error('There is no visit outside a test.')
    return visit
  }
}
