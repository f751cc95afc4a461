// Keys as a table for people, and as lines of tab-separated columns for the programs of a pipe.
import { toTimestamp } from '../../core/timestamp.ts'
import type { KeyRecord } from '../../storage/records.ts'
import { printable } from '../printable.ts'

const COLUMNS = ['ID', 'STATUS', 'PLAN', 'CREATED (UTC)', 'LAST USED (UTC)', 'NAME'] as const
const GAP = '  '

/** The name comes last: nobody knows how wide it is on a screen. */
export function keyTable(keys: KeyRecord[]): string {
  const time = (ms: number): string => toTimestamp(ms).slice(0, 19).replace('T', ' ')
  const rows = keys.map(({ id, status, plan, createdAt, lastUsedAt, name }) => [
    id,
    status,
    plan,
    time(createdAt),
    lastUsedAt === undefined ? 'never' : time(lastUsedAt),
    printable(name),
  ])
  const table = [[...COLUMNS], ...rows]
  const widths = COLUMNS.map((_name, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  return table
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(GAP))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

export const keyLines = (keys: KeyRecord[]): string =>
  keys
    .map(({ id, status, plan, createdAt, lastUsedAt, name }) => {
      const lastUsed = lastUsedAt === undefined ? 'never used' : toTimestamp(lastUsedAt)
      return [id, status, plan, toTimestamp(createdAt), lastUsed, printable(name)].join('\t')
    })
    .map((line) => `${line}\n`)
    .join('')
