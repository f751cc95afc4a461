// The picture of a graph: what a mouse and keys do in it, and which names are written.
import { drawn, settled } from './harness/graph.ts'
import { expect, test, visits } from './harness/visit.ts'

const visit = visits()

test('a click on a node in the picture opens it', async () => {
  const client = await visit().member('click@example.com')
  const key = await visit().key(client, 'graph', 'free')
  await key.call('POST', '/v1/entities', { json: { name: 'Alone', type: 'EVENT' } })
  const page = await visit().as(client, `/console/keys/${key.id}/graph`)
  await settled(page)
  const box = await page.locator('.picture').boundingBox()
  if (!box) throw new Error('There is no picture.')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await page.getByRole('heading', { name: 'Alone' }).waitFor()
})

test('a picture whose layout cannot be loaded is drawn all the same', async () => {
  const { client, key } = await drawn(visit(), 'without-layout@example.com')
  const page = await visit().as(client, `/console/keys/${key.id}/usage`)
  // After an update the server has only the files of its new build.
  await page.route('**/layout.worker-*', (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Graph', exact: true }).click()
  await settled(page)
})

test('a picture that the browser has let go of says so, and is drawn again', async () => {
  const { client, key } = await drawn(visit(), 'let-go@example.com')
  const page = await visit().as(client, `/console/keys/${key.id}/graph`)
  await settled(page)
  // As when the graphics card is reset, or other windows have used up what there is.
  await page.locator('canvas.sigma-nodes').evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) throw new Error('Nodes are not drawn here.')
    canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext()
  })
  await page.getByText('The list shows the same.').waitFor()
  await page.getByRole('button', { name: 'Draw it again' }).click()
  await settled(page)
  expect(await page.getByRole('img', { name: /as a picture/ }).isVisible()).toBe(true)
})

test('a name is not written below the buttons that lie over the picture', async () => {
  const client = await visit().member('covered@example.com')
  const key = await visit().key(client, 'graph', 'free')
  await key.call('POST', '/v1/entities', { json: { name: 'Oslo', type: 'LOCATION' } })
  const page = await visit().as(client, `/console/keys/${key.id}/graph`)
  await settled(page)
  const picture = await page.locator('.picture').boundingBox()
  const buttons = await page.locator('.zoom').boundingBox()
  if (!picture || !buttons) throw new Error('There is no picture.')
  await page.mouse.move(picture.x + 20, picture.y + 20)
  // The entity, which stands in the middle, is taken to where its name would be below the buttons.
  await page.mouse.down()
  const right = buttons.x + buttons.width / 2 - (picture.x + picture.width / 2)
  const down = buttons.y - 14 - (picture.y + picture.height / 2)
  await page.mouse.move(picture.x + 20 + right, picture.y + 20 + down, { steps: 10 })
  // The picture would go on moving if it were let go at once.
  await page.waitForTimeout(500)
  await page.mouse.up()
  const written = (part: 'under the buttons' | 'anywhere') =>
    page.locator('canvas.sigma-labels').evaluate((canvas, which) => {
      if (!(canvas instanceof HTMLCanvasElement)) throw new Error('Names are not drawn here.')
      const { x, y } = canvas.getBoundingClientRect()
      const zoom = document.querySelector('.zoom')?.getBoundingClientRect()
      const { left, top, width, height } =
        which === 'anywhere' || !zoom ? canvas.getBoundingClientRect() : zoom
      const pixels = canvas.getContext('2d')?.getImageData(left - x, top - y, width, height)
      return pixels?.data.some((value) => value > 0)
    }, part)
  await expect.poll(() => written('anywhere')).toBe(true)
  expect(await written('under the buttons')).toBe(false)
})

test('the names of all that a neighbourhood has are written, however far from its middle', async () => {
  const { client, key, idOf } = await drawn(visit(), 'named@example.com')
  const page = await visit().as(client, `/console/keys/${key.id}/usage`)
  const written = new Set<string>()
  await page.exposeFunction('tellWritten', (text: string) => written.add(text))
  await page.addInitScript(() => {
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function (...text) {
      Reflect.get(window, 'tellWritten')(text[0])
      fillText.apply(this, text)
    }
  })
  const carla = `/console/keys/${key.id}/graph?entity=${idOf('Carla Rossi')}`
  await page.goto(`${visit().service.address}${carla}&depth=2`)
  await settled(page)
  await expect.poll(() => [...written]).toContain('Lisbon')
  // And of one that is opened in it what lies round that, beside others that are dim.
  written.clear()
  await page.getByRole('button', { name: 'Research group', exact: true }).click()
  await page.getByRole('heading', { name: 'Research group' }).waitFor()
  await expect.poll(() => [...written]).toContain('Lisbon')
})

test('the picture is moved and zoomed by keys', async () => {
  const client = await visit().member('keys@example.com')
  const key = await visit().key(client, 'graph', 'free')
  await key.call('POST', '/v1/entities', { json: { name: 'Alone', type: 'EVENT' } })
  const page = await visit().as(client, `/console/keys/${key.id}/graph`)
  await settled(page)
  /** Where the name is written, from the left and from the top. */
  const place = () =>
    page.locator('canvas.sigma-labels').evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) throw new Error('Names are not drawn here.')
      const { width, height } = canvas
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
      const at = pixels.findIndex((value) => value > 0) / 4
      return { x: at % width, y: Math.floor(at / width) }
    })
  const middle = await place()
  await page.getByRole('img', { name: /^1 entity/ }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => middle.x - (await place()).x).toBeGreaterThan(100)
  await page.keyboard.press('ArrowUp')
  await expect.poll(async () => (await place()).y - middle.y).toBeGreaterThan(50)
  await page.keyboard.press('+')
  await expect.poll(async () => middle.x - (await place()).x).toBeGreaterThan(300)
  await page.keyboard.press('0')
  await expect.poll(place).toEqual(middle)
})
