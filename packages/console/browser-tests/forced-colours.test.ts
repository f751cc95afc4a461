// With the few forced colours of a high-contrast mode, whatever differs only in colour can still be told
// apart.
import type { Locator } from 'playwright-core'
import { drawGraph, remember, work } from '../scripts/demo-data.ts'
import { settled } from './harness/graph.ts'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()
const forced = { forcedColors: 'active' } as const

/** How each element looks, whatever its place. */
const looks = (all: Locator) =>
  all.evaluateAll((elements) =>
    elements.map((element) => {
      const { backgroundColor, backgroundImage, color, borderBottomColor } =
        getComputedStyle(element)
      return [backgroundColor, backgroundImage, color, borderBottomColor].join(' ')
    }),
  )

async function prepare(email: string) {
  const client = await visit().member(email)
  const key = await visit().unlimitedKey(client, 'forced')
  return { client, key }
}

test('the kinds of a chart and the current ways are told apart', async () => {
  const { client, key } = await prepare('chart@example.com')
  await work(key.call, 8)
  const page = await visit().as(client, `/console/keys/${key.id}/usage`, forced)
  await page.getByRole('heading', { name: 'By day' }).waitFor()
  expect(new Set(await looks(page.locator('.legend .series'))).size).toBe(4)
  expect(new Set(await looks(page.locator('.bar .series'))).size).toBe(4)
  for (const ways of ['Main', 'Of this key']) {
    const [current, ...others] = (
      await Promise.all([
        looks(page.getByRole('navigation', { name: ways }).locator('a.active')),
        looks(page.getByRole('navigation', { name: ways }).locator('a:not(.active)')),
      ])
    ).flat()
    expect(new Set(others).size).toBe(1)
    expect(others).not.toContain(current)
  }
})

test('results, their shares and the threshold are told apart', async () => {
  const { client, key } = await prepare('scale@example.com')
  await remember(key.call)
  const page = await visit().as(client, `/console/keys/${key.id}/playground`, forced)
  await page.getByLabel('Question').fill('Which coffee does Anna like?')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('button', { name: 'Why?' }).first().click()
  const card = await looks(page.locator('.scale-card'))
  expect(await looks(page.locator('.threshold'))).not.toEqual(card)
  await page.getByRole('slider').press('End')
  const under = new Set(await looks(page.locator('.dot')))
  await page.getByRole('slider').press('Home')
  await page.locator('.dot.kept').first().waitFor()
  const kept = new Set(await looks(page.locator('.dot')))
  expect([kept.size, under.size]).toEqual([1, 1])
  expect(kept).not.toEqual(under)
  const shares = await looks(page.locator('.parts i'))
  expect(shares.length).toBeGreaterThan(1)
  expect(new Set(shares).size).toBe(shares.length)
  const [whole, filled] = [page.locator('.meter').first(), page.locator('.meter > span').first()]
  expect(await looks(filled)).not.toEqual(await looks(whole))
})

test('the names in the graph can be read, and how it is shown is told', async () => {
  const { client, key } = await prepare('graph@example.com')
  await drawGraph(key.call)
  const page = await visit().as(client, `/console/keys/${key.id}/graph`)
  await settled(page)
  // Also when the system takes its colours while the picture is shown.
  await page.emulateMedia(forced)
  const labels = page.locator('canvas.sigma-labels')
  const opaque = () =>
    labels.evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return []
      const context = canvas.getContext('2d')
      const data = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      const colours = new Set<string>()
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] === 255) colours.add([data[at], data[at + 1], data[at + 2]].join())
      }
      return ['0,0,0', '255,255,255'].filter((colour) => colours.has(colour))
    })
  await expect.poll(opaque).toEqual(['0,0,0', '255,255,255'])
  const [picture, list] = await looks(page.getByRole('group', { name: 'Show as' }).locator('label'))
  expect(picture).not.toBe(list)
})
