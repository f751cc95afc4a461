// A name in another direction of writing changes the direction of nothing around it: what a dialog says
// before something is destroyed reads as it was written.
import type { Locator } from 'playwright-core'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()
const NAME = '\u202ereversed'

/** Whether these words stand from the left to the right, as they are painted. */
const isLeftToRight = (place: Locator, words: string) =>
  place.evaluate((element, text) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = (node.textContent ?? '').indexOf(text)
      if (at === -1) continue
      const left = (offset: number) => {
        const range = document.createRange()
        range.setStart(node, at + offset)
        range.setEnd(node, at + offset + 1)
        return range.getBoundingClientRect().left
      }
      return left(0) < left(text.length - 1)
    }
    throw new Error(`Nothing says ${text}.`)
  }, words)

test('the words round a key’s name keep their direction', async () => {
  const client = await visit().admin()
  await visit().key(client, NAME, 'free')
  const page = await visit().as(client)
  const choose = async (act: string) => {
    await page.getByRole('button', { name: /^Actions for the key/ }).click()
    await page.getByRole('menuitem', { name: act }).click()
  }
  await choose('Revoke…')
  const dialog = page.getByRole('alertdialog')
  expect(await isLeftToRight(dialog, 'stops')).toBe(true)
  await dialog.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('revoked', { exact: true }).waitFor()
  await choose('Purge its data…')
  await page.getByText('are deleted for good').waitFor()
  expect(await isLeftToRight(page.locator('.dialog'), 'deleted')).toBe(true)
  expect(await isLeftToRight(page.locator('.dialog label'), 'confirm')).toBe(true)
})

test('the words round an entity’s name and a user’s keep their direction', async () => {
  const client = await visit().member('entities@example.com')
  const key = await visit().key(client, 'graph', 'free')
  const json = { name: NAME, type: 'OTHER' }
  const { id } = await key.call('POST', '/v1/entities', { json })
  const other = await key.call('POST', '/v1/entities', { json: { name: 'Plain', type: 'OTHER' } })
  const ends = { sourceId: id, targetId: other.id }
  await key.call('POST', '/v1/relations', { json: { ...ends, type: 'KNOWS' } })
  const memory = { content: `About ${NAME}`, userId: NAME }
  await key.call('POST', '/v1/memories', { json: memory })
  const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list&entity=${id}`)
  const panel = page.getByRole('complementary')
  await panel.locator('.mentions time').waitFor()
  expect(await isLeftToRight(panel.locator('.mentions'), 'just now')).toBe(true)
  await panel.getByRole('button', { name: /^Delete the relation/ }).click()
  const dialog = page.getByRole('alertdialog')
  expect(await isLeftToRight(dialog, 'Plain')).toBe(true)
})

const ARABIC = 'مفتاح (v2)'

const directionOf = (field: Locator) =>
  field.evaluate((element) => getComputedStyle(element).direction)

/** For each place with the text: whether its bracket is painted to the left of its beginning. */
const areRightToLeft = (places: Locator) =>
  places.evaluateAll((elements) =>
    elements.map(({ firstChild }) => {
      if (!firstChild) throw new Error('Nothing is written there.')
      const left = (at: number) => {
        const range = document.createRange()
        range.setStart(firstChild, at)
        range.setEnd(firstChild, at + 1)
        return range.getBoundingClientRect().left
      }
      return left(firstChild.textContent?.indexOf('(') ?? 0) < left(0)
    }),
  )

test('a name in Arabic has its own direction wherever it stands', async () => {
  const client = await visit().member('arabic@example.com')
  const { id, call } = await visit().key(client, ARABIC, 'free')
  const json = { name: ARABIC, type: 'OTHER' }
  const { id: targetId } = await call('POST', '/v1/entities', { json })
  const plain = await call('POST', '/v1/entities', { json: { ...json, name: 'Plain' } })
  const relation = { sourceId: plain.id, targetId, type: 'KNOWS' }
  await call('POST', '/v1/relations', { json: relation })
  await call('POST', '/v1/memories', { json: { content: 'tea', userId: ARABIC } })
  const page = await visit().as(client)
  const places = page.getByText(ARABIC, { exact: true })
  await places.waitFor()
  expect(await areRightToLeft(places)).toEqual([true])
  await page.goto(`${visit().service.address}/console/keys/${id}/memories`)
  await places.nth(1).waitFor()
  expect(await areRightToLeft(places)).toEqual([true, true])
  await page.goto(`${visit().service.address}/console/keys/${id}/graph?view=list`)
  await places.nth(2).waitFor()
  expect(await areRightToLeft(places)).toEqual([true, true, true])
  const search = page.getByLabel('Find an entity')
  await search.fill(ARABIC)
  expect(await directionOf(search)).toBe('rtl')
})

test('what is typed in Arabic stands as it will be shown', async () => {
  const client = await visit().member('types@example.com')
  const { id } = await visit().key(client, 'arabic', 'free')
  const page = await visit().as(client, `/console/keys/${id}/memories`)
  await page.getByRole('button', { name: 'Add memory' }).first().click()
  const text = page.getByLabel('Text', { exact: true })
  expect(await directionOf(text)).toBe('ltr')
  await text.fill(ARABIC)
  expect(await directionOf(text)).toBe('rtl')
})
