// The README says that nothing is reported to anybody. The runtime of the model would, unless told not
// to; whether it does shows in the files that it keeps in the home folder.
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newFolder } from '../../testing/new-folder.ts'

const EMBED = `
  const { modelFolder } = await import('@mnemograph/model-bge-small-en')
  const { openLocalEmbedder } = await import('./local-embedder.ts')
  const embedder = await openLocalEmbedder({ folder: modelFolder, workers: 1 })
  await embedder.embedQuery('coffee')
  await embedder.close()`

test('to embed a text leaves nothing in the home folder', async () => {
  const home = newFolder()
  const { ORT_DISABLE_TELEMETRY: _, XDG_CACHE_HOME: __, ...environment } = process.env
  await promisify(execFile)(process.execPath, ['--eval', EMBED], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { ...environment, HOME: home },
  })
  expect(readdirSync(home, { recursive: true })).toEqual([])
}, 60_000)
