import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compiledKernel, compileKernel } from './kernel.ts'

test('the committed kernel is what its source compiles to', async () => {
  const committed = readFileSync(compiledKernel)
  expect(committed.equals(await compileKernel()), 'run `npm run kernel` and commit the file').toBe(
    true,
  )
})
