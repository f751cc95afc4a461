// One service and one browser for a test file. Each page has a context of its own, closed after the test.
// Script errors and policy violations are collected, for the test to ask for.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, test as base, beforeAll, expect } from 'vitest'
import { findCaller, mintKey } from '../../../server/src/core/keys.ts'
import type { SpaceStore } from '../../../server/src/storage/store.ts'
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

/** Fills in the sign-in form, which the page shows before a session and after one has ended. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Collects the addresses that the page asks for from now on and that the server answers with 404. */
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

  /** Opens a page in a context of its own, with nobody signed in. */
  async open(path = '/console', options: BrowserContextOptions = {}): Promise<Page> {
    return await this.#load(path, await this.#newContext(options))
  }

  /** Opens a page in a context of its own, in which this client's account is signed in. */
  async as(client: ConsoleClient, path = '/console', options: BrowserContextOptions = {}) {
    return await this.#load(path, await this.#signedIn(client, options))
  }

  /** Like `as`, with a clock that the test moves on. */
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

  /** The account that set the service up; the first call makes it. */
  admin(): Promise<ConsoleClient> {
    this.#admin ??= setUpConsole(this.service, ADMIN)
    return this.#admin
  }

  /** An account that was invited. If there is no administrator yet to invite it, one is made first. */
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

  /** A key without rate limits. */
  async unlimitedKey(client: ConsoleClient, name: string): Promise<MadeKey> {
    const { body } = await client.get('/session')
    const { store, identify } = this.service.service
    const { key: secret, stored } = mintKey(identify)
    await store.console
      .forAccount(Object(body).account.id)
      .insert({ name, plan: 'enterprise', limits: UNLIMITED, ...stored })
    return { id: stored.id, secret, call: apiClient(this.service.address, secret) }
  }

  /** What the key opens, past the API. */
  async spaceOf({ secret }: MadeKey): Promise<SpaceStore> {
    const { store } = this.service.service
    const { spaceId } = await findCaller(store.keys, secret)
    return store.forSpace(spaceId)
  }

  async violations(): Promise<number> {
    const metrics = await (await fetch(`${this.service.address}/metrics`)).text()
    return Number(/^mnemograph_console_csp_violations_total (\d+)$/m.exec(metrics)?.[1])
  }

  /** What the pages complained about since this was last called. */
  complaints = () => this.#complaints.splice(0)

  /** Pages that stay open go on asking and drawing, and take the processor from the next test. */
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
