// Each figure stands with its goal, whether it was reached, and how far above its floor it is; what was
// not measured is said not to be.
import { expect, test } from 'vitest'
import type { Figure } from './figure.ts'
import { goalsSummary, goalsTable, line, markdownTables } from './table.ts'

const search: Figure = {
  row: 'Store search',
  name: '10,000 memories',
  value: 0.5,
  p99: 0.9,
  unit: 'ms',
  goal: { atMost: 0.6, p99Times: 3 },
  floor: { name: 'to read the codes', value: 0.1 },
}
const creates: Figure = {
  row: 'Creates',
  name: 'store',
  value: 10_000,
  unit: 'a second',
  goal: { atLeast: 20_000 },
  floor: { name: 'append and flush', value: 300_000 },
}

test('a line says what was measured, what was wanted, and whether that was reached', () => {
  expect(line(search)).toMatch(/^10,000 memories +0.5 \/ 0.9 ms +goal ≤ 0.6 ms, p99 ≤ 3 × p50: yes/)
  expect(line(creates)).toContain('10,000 a second')
  expect(line(creates)).toContain('goal ≥ 20,000 a second: no')
})

test('a floor says how many times faster nothing could be, for times and for rates', () => {
  expect(line(search)).toContain('to read the codes 0.1 ms, 5 ×')
  expect(line(creates)).toContain('append and flush 300,000 a second, 30 ×')
})

test('each row has a table of its own, with a floor only where there is one', () => {
  const bare: Figure = { ...{ row: 'Memory', name: 'empty', unit: 'MB' }, value: undefined }
  const tables = markdownTables([search, creates, bare])
  expect(tables.match(/^### /gm)).toHaveLength(3)
  expect(tables).toContain('| 10,000 memories | 0.5 / 0.9 ms | ≤ 0.6 ms, p99 ≤ 3 × p50 | yes |')
  expect(tables).toContain('| empty | not measured |  |  |')
  expect(tables.split('### Memory')[1]).not.toContain('floor')
})

test('the table of goals has what has a goal, and says of which row it is', () => {
  const without: Figure = { ...creates, name: 'without', goal: undefined }
  const table = goalsTable([search, without, creates])
  expect(table.split('\n')).toHaveLength(4)
  expect(table).toContain('| Store search: 10,000 memories |')
  expect(table).not.toContain('without')
})

test('the summary counts the goals that are met and names the others with what was measured', () => {
  expect(goalsSummary([search, creates])).toBe(
    '1 of 2 goals met; missed: Creates: store (10,000 a second, goal ≥ 20,000 a second).',
  )
  expect(goalsSummary([search, { ...creates, goal: undefined }])).toBe('1 of 1 goals met.')
  expect(goalsSummary([{ ...search, value: undefined }])).toContain('0 of 1 goals met; missed: ')
})
