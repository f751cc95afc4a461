// A service is calibrated as its file says, or like the bundled model without one; a file that means nothing
// ends the start before any text is sent.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { EmbedderRefusal } from '../embedder.ts'
import { calibrationOfBundledModel } from '../model-calibration.ts'
import { openOpenAiEmbedder } from './openai-embedder.ts'
import { configToReach, startEmbeddingsServer } from './testing/embeddings-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'mnemograph-calibration-'))
const server = await startEmbeddingsServer()
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (calibrationFile: string | undefined) =>
  openOpenAiEmbedder(configToReach(server, { calibrationFile }))

const withCosine = (cosine: object) => ({ ...calibrationOfBundledModel(), cosine })
const withStating = (changed: object) => ({ ...calibrationOfBundledModel(), stating: changed })

function fileWith(content: string): string {
  const file = join(folder, 'calibration.json')
  writeFileSync(file, content)
  return file
}

test('of a service is the bundled model’s, or that of a file', async () => {
  const without = await open(undefined)
  expect(without.model.calibration).toEqual(calibrationOfBundledModel())
  await without.close()
  const calibration = withCosine({ scale: 0.5, offset: 0.4 })
  const calibrated = await open(fileWith(JSON.stringify(calibration)))
  expect(calibrated.model.calibration).toEqual(calibration)
  await calibrated.close()
})

const { stating } = calibrationOfBundledModel()

test.each([
  ['a scale of 0', withCosine({ scale: 0, offset: 0 }), '"cosine.scale" must be a number from'],
  ['a scale alone', withCosine({ scale: 1 }), '"cosine.offset" must be a number from'],
  ['an unknown field', { ...withCosine({ scale: 1, offset: 0 }), border: 1 }, '"border" is not a'],
  [
    'a weight below 0',
    withStating({ ...stating, coverage: -1 }),
    '"stating.coverage" must be what',
  ],
  [
    'the version before',
    { ...calibrationOfBundledModel(), version: 2 },
    '`mnemograph calibrate` again',
  ],
  ['no JSON', undefined, 'cannot be read as JSON'],
])('in a file with %s is refused before any text is sent', async (_, value, complaint) => {
  const content = value === undefined ? 'not JSON' : JSON.stringify(value)
  const asked = server.asked.length
  const opening = open(fileWith(content))
  await expect(opening).rejects.toBeInstanceOf(EmbedderRefusal)
  await expect(opening).rejects.toThrow(complaint)
  await expect(opening).rejects.toThrow(join(folder, 'calibration.json'))
  expect(server.asked).toHaveLength(asked)
})

test('a file that is not there is told as such', async () => {
  await expect(open(join(folder, 'nowhere.json'))).rejects.toThrow(
    /nowhere\.json, which MNEMOGRAPH_EMBEDDING_CALIBRATION names, cannot be read \(ENOENT/,
  )
})
