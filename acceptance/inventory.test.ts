/** The inventory and the case files agree: no sentence without a case, no case without a sentence. */
import { expect, test } from 'vitest'
import { caseNames, namesIn } from './harness/case-names.ts'
import { inventory } from './inventory.ts'

const names = caseNames().filter(({ file }) => file !== 'inventory.test.ts')

test('every entry of the inventory names a case or says why there can be none', () => {
  for (const { id, cases, elsewhere } of inventory) {
    const reason = elsewhere ?? ''
    expect(cases.length > 0 !== reason.length > 10, id).toBe(true)
  }
})

test('every case that the inventory names exists', () => {
  const known = new Set(names.map(({ name }) => name))
  const unknown = inventory.flatMap(({ id, cases }) =>
    cases.filter((name) => !known.has(name)).map((name) => `${id}: ${name}`),
  )
  expect(unknown).toEqual([])
})

test('every case proves an entry of the inventory', () => {
  const proving = new Set(inventory.flatMap(({ cases }) => cases))
  expect(names.filter(({ name }) => !proving.has(name))).toEqual([])
})

test('ids of the inventory and names of cases are unique', () => {
  for (const list of [inventory.map(({ id }) => id), names.map(({ name }) => name)]) {
    expect(list.filter((one, index) => list.indexOf(one) !== index)).toEqual([])
  }
})

test('names are found in plain cases, in tables and behind nested parentheses', () => {
  const source = [
    "test('plain', () => {})",
    '  test.each([[1, f("(")]])("table %s", () => {})',
    '  test.each(\n    rows.filter((row) => row.ok),\n  )(\n    "it\'s",\n    TIMEOUT,\n  )',
    "describe('no case', () => {})",
  ].join('\n')
  expect(namesIn(source)).toEqual(['plain', 'table %s', "it's"])
})
