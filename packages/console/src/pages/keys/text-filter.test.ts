// A filter of keys finds a name as people write it, whatever keyboard and browser they have.
import { expect, test } from 'vitest'
import { textFilter } from './text-filter.ts'

test.each([
  ['INVOICE', 'invoice bot'],
  ['invoice', 'INVOICE BOT'],
  // As a Turkish keyboard writes it, and as another one does.
  ['istanbul', 'İSTANBUL'],
  ['İstanbul', 'istanbul'],
  ['ISPARTA', 'ısparta'],
  ['étude', 'e\u0301tude'],
  ['etude', 'Étude'],
  ['strasse', 'Straße 7'],
  ['本番', '本番エージェント'],
  ['  agent ', 'production agent'],
  ['', 'anything'],
])('%j finds %j', (sought, text) => {
  expect(textFilter(sought)(text)).toBe(true)
})

test('what is not in a name is not found', () => {
  expect(textFilter('agents')('production agent')).toBe(false)
})
