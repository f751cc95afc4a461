import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { derivedStems, listOfStems } from './stems.ts'

test('the committed list of stems is what the vocabulary of the tokenizer gives', () => {
  const isSame = readFileSync(listOfStems, 'utf8') === derivedStems()
  expect(isSame, 'run `npm run stems` and commit the file').toBe(true)
})
