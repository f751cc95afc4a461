// What a first visit costs: bytes as they travel, and what of them belongs to the graph alone.
import type { Page } from 'playwright-core'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()
const FIRST_LOAD_BYTES_MAX = 250_000

/** Bytes of every answer, compressed as they came, by path. */
async function weigh(page: Page, act: () => Promise<unknown>): Promise<Map<string, number>> {
  const weights = new Map<string, number>()
  const client = await page.context().newCDPSession(page)
  const paths = new Map<string, string>()
  client.on('Network.responseReceived', ({ requestId, response }) => {
    paths.set(requestId, new URL(response.url).pathname)
  })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    weights.set(paths.get(requestId) ?? requestId, encodedDataLength)
  })
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  await act()
  await page.waitForLoadState('networkidle')
  await client.detach()
  return weights
}

const total = (weights: Map<string, number>) => [...weights.values()].reduce((a, b) => a + b, 0)
const hasGraph = (weights: Map<string, number>) =>
  [...weights.keys()].some((path) => /graph-page|layout\.worker/.test(path))

test('the first load is at most 250 KB on any page, and the graph’s code comes with the graph alone', async () => {
  const client = await visit().admin()
  const { id, call } = await visit().key(client, 'light', 'free')
  await call('POST', '/v1/entities', { json: { name: 'One', type: 'EVENT' } })
  const page = await visit().as(client, '/console')
  const open = (path: string) =>
    weigh(page, () => page.goto(`${visit().service.address}/console${path}`))
  for (const path of [
    '/keys',
    '/account',
    '/people',
    `/keys/${id}/usage`,
    `/keys/${id}/memories`,
    `/keys/${id}/playground`,
    `/keys/${id}/start`,
  ]) {
    const weights = await open(path)
    expect(total(weights), path).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
    expect(total(weights), path).toBeGreaterThan(50_000)
    expect(hasGraph(weights), path).toBe(false)
  }
  const graph = await open(`/keys/${id}/graph`)
  expect(hasGraph(graph)).toBe(true)
  expect(total(graph)).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
})

test('every file comes from the server itself', async () => {
  const client = await visit().member('files@example.com')
  const page = await visit().as(client)
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(visit().service.address)) foreign.push(request.url())
  })
  await page.reload()
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  expect(foreign).toEqual([])
})
