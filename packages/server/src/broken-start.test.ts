// A start that fails after the threads of store and model have begun, as where a file of the program is missing,
// leaves none of them behind: they would keep the process, and the folder with it, for ever.
import { expect, test, vi } from 'vitest'
import { openIn } from './storage/sqlite/testing/store-in-folder.ts'
import { fakeEmbedder } from './testing/fake-embedder.ts'
import { newFolder } from './testing/new-folder.ts'
import { runService } from './testing/running-service.ts'

vi.mock('./http/app.ts', () => {
  throw new Error('It is missing.')
})

test('a start for which a file of the program is missing closes store and model', async () => {
  const directory = newFolder()
  const close = vi.fn(async () => undefined)
  const embedder = { ...fakeEmbedder(), close }
  await expect(runService({ directory, embedder })).rejects.toThrow()
  expect(close).toHaveBeenCalledOnce()
  await openIn(directory)
})
