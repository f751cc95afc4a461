import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { modelFolder } from '@mnemograph/model-bge-small-en'
import { expect, test } from 'vitest'
import { readManifest } from './manifest.ts'

const recorded = new Map(
  readFileSync(new URL('SHA256SUMS', modelFolder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [checksum = '', name = ''] = line.split('  ')
      return [name, checksum]
    }),
)

test('has recorded a checksum for every file that the model is made of', () => {
  const { model, tokenizer, reference } = readManifest(modelFolder)
  const weights = `${model}_data`
  expect([...recorded.keys()].toSorted()).toEqual([model, weights, tokenizer, reference].toSorted())
  const described = ['SHA256SUMS', 'manifest.json', ...recorded.keys()].toSorted()
  expect(readdirSync(modelFolder).toSorted()).toEqual(described)
})

test.each([...recorded])('bundles %s as recorded', (name, checksum) => {
  const bytes = readFileSync(new URL(name, modelFolder))
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(checksum)
})
