import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { compileKernel, kernels } from './kernel.ts'

test.each(kernels.map(({ source, compiled }) => [basename(compiled), source, compiled]))(
  'the committed %s is what its source compiles to',
  async (_name, source, compiled) => {
    const committed = readFileSync(compiled)
    const made = await compileKernel(source)
    expect(committed.equals(made), 'run `npm run kernel` and commit the file').toBe(true)
  },
)
