// A graph of more than fits on a screen: the best connected entities are drawn first, the page answers while
// all are arranged, and what is looked for is found among many of the same name.
import { ENTITY_TYPES } from '../../server/src/contract/entities.ts'
import { entityOf, NO_RECEIPT, relationOf } from '../../server/src/storage/conformance/records.ts'
import { settled } from './harness/graph.ts'
import { expect, type MadeKey, test, visits } from './harness/visit.ts'

const visit = visits()

/** Past the API, for which so many requests would take longer than all that the page does. */
async function addMany(key: MadeKey, total: number) {
  const { entities, relations } = await visit().spaceOf(key)
  const ids: string[] = []
  const inTurns = async (count: number, each: (index: number) => Promise<unknown>) => {
    for (let start = 0; start < count; start += 100) {
      const turn = Array.from({ length: Math.min(100, count - start) }, (_, at) => each(start + at))
      await Promise.all(turn)
    }
  }
  await inTurns(total, async (index) => {
    const type = ENTITY_TYPES[index % ENTITY_TYPES.length] ?? 'OTHER'
    const entity = entityOf({ name: `Entity ${index}`, type })
    ids[index] = entity.id
    await entities.insert(entity, NO_RECEIPT)
  })
  await inTurns(total - 1, (index) => {
    const ends = { sourceId: ids[index + 1] ?? '', targetId: ids[Math.floor(index / 3)] ?? '' }
    return relations.insert(relationOf(ends), NO_RECEIPT)
  })
}

test('5,000 entities are drawn, and the page answers while they are arranged', async () => {
  const client = await visit().member('many@example.com')
  const key = await visit().unlimitedKey(client, 'many')
  await addMany(key, 5_000)
  const page = await visit().as(client, `/console/keys/${key.id}/graph`)
  await page.getByText('200 of 5,000 entities are drawn, the best connected first.').waitFor()
  await settled(page)
  await page.getByText('All 5,000', { exact: true }).click()
  await page.getByRole('img', { name: /^5,000 entities and 4,999 relations/ }).waitFor()
  await page.waitForSelector('.picture[data-state="working"]')
  // The layout works beside the page: pressing buttons has its effect before it is done.
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await page.getByLabel('Person').uncheck()
  await page.getByRole('img', { name: /^4,285 entities/ }).waitFor()
  await page.getByText('List', { exact: true }).click()
  const names = page.getByRole('list', { name: 'Entities' }).locator('.entity-name')
  expect(await names.count()).toBe(100)
  await page.getByRole('button', { name: 'Show more' }).click()
  expect(await names.count()).toBe(200)
  expect(visit().complaints()).toEqual([])
})

test('the best connected are drawn, an opened entity with its neighbours, and more on demand', async () => {
  const client = await visit().member('best@example.com')
  const key = await visit().unlimitedKey(client, 'best')
  await addMany(key, 1_200)
  const page = await visit().as(client, `/console/keys/${key.id}/graph`)
  const drawn = (count: string) =>
    page.getByRole('img', { name: new RegExp(`^${count} entities and .* as a picture`) }).waitFor()
  await drawn('200 of 1,200')
  // The best connected come first in the list too, and it has all of them.
  await page.getByText('List', { exact: true }).click()
  const names = page.getByRole('list', { name: 'Entities' }).locator('.entity-name')
  await page.getByText('100 of 1,200 entities').waitFor()
  expect(await page.getByRole('radio', { name: 'All 1,200' }).count()).toBe(0)
  expect(await names.allInnerTexts()).not.toContain('Entity 1199')
  await page.getByRole('button', { name: 'Entity 390', exact: true }).first().click()
  await page.getByText('Picture', { exact: true }).click()
  // The entity, its parent and its three children are not among the first 200.
  await drawn('204 of 1,200')
  await page.getByRole('button', { name: 'Close the panel' }).click()
  await drawn('200 of 1,200')
  // By the keyboard, which stays where it is.
  await page.getByRole('radio', { name: '200', exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await drawn('800 of 1,200')
  await page.keyboard.press('ArrowRight')
  await drawn('1,200')
  await page.getByText('All 1,200 entities are drawn.').waitFor()
  await page.getByLabel('Person').uncheck()
  await drawn('1,028')
  // Whoever is sent the address sees the same, and choices outlast another one.
  await page.reload()
  await drawn('1,028')
  expect(await page.getByLabel('Person').isChecked()).toBe(false)
  await page.getByText('800', { exact: true }).click()
  await drawn('800 of 1,028')
  await page.goto(page.url())
  await drawn('800 of 1,028')
  await page.getByLabel('Person').check()
  await page.getByText('200', { exact: true }).click()
  await drawn('200 of 1,200')
  expect(new URL(page.url()).search).toBe('')
  expect(visit().complaints()).toEqual([])
})

test('everything is where it was when an entity was opened and closed again', async () => {
  const client = await visit().member('steady@example.com')
  const key = await visit().unlimitedKey(client, 'steady')
  await addMany(key, 800)
  const page = await visit().as(client, `/console/keys/${key.id}/graph`)
  const picture = page.locator('.picture')
  await page.getByRole('img', { name: /^200 of 800 entities/ }).waitFor()
  await settled(page)
  const box = await picture.boundingBox()
  if (!box) throw new Error('There is no picture.')
  const look = async () => {
    await page.mouse.move(5, 5)
    await page.getByRole('button', { name: 'Fit the whole picture' }).click()
    await page.waitForTimeout(500)
    // Every name is where it was, and no node has the ring of the pointer.
    return await picture
      .locator('canvas.sigma-labels, canvas.sigma-hovers')
      .evaluateAll((all) =>
        all.map((each) => each instanceof HTMLCanvasElement && each.toDataURL()),
      )
  }
  const before = await look()
  const isOnNode = () =>
    page.locator('.canvas').evaluate((canvas) => canvas.style.cursor === 'pointer')
  // A line through the middle hits some node.
  for (let at = 60; at < box.width - 60 && !(await isOnNode()); at += 5) {
    await page.mouse.move(box.x + at, box.y + box.height / 2)
  }
  await page.mouse.down()
  await page.mouse.up()
  await page.getByRole('img', { name: /^20[1-9] of 800 entities/ }).waitFor()
  await settled(page)
  await page.getByRole('button', { name: 'Close the panel' }).click()
  await page.getByRole('img', { name: /^200 of 800 entities/ }).waitFor()
  await settled(page)
  expect(await look()).toEqual(before)
})

test('an entity is found by its whole name, however many have it in theirs', async () => {
  const client = await visit().member('names@example.com')
  const key = await visit().unlimitedKey(client, 'names')
  for (const name of ['Zoë', ...Array.from({ length: 60 }, (_, index) => `Zoë ${index}`)]) {
    await key.call('POST', '/v1/entities', { json: { name, type: 'PERSON' } })
  }
  const page = await visit().as(client, `/console/keys/${key.id}/graph?view=list`)
  await page.getByLabel('Find an entity').fill('zoe')
  await page.getByText('11 more match: type more of the name.').waitFor()
  await page.getByRole('option').first().click()
  await page.getByRole('heading', { name: 'Zoë', exact: true }).waitFor()
})
